import { afterEach, beforeEach, expect, test } from "bun:test";
import { closeRest, createRest } from "@bot/discord/rest";
import { type REST, Routes } from "discord.js";
import { createLog } from "@/core/log/log";
import { type DiscordSimulator, startDiscordSimulator } from "@/simulators/discord/simulator";
import { control as controlAt } from "../../support/network/control";

let simulator: DiscordSimulator;
let rest: REST;
let ended: AbortController;

beforeEach(async () => {
  simulator = await startDiscordSimulator({ seed: 1 });
  ended = new AbortController();
  const { botToken } = simulator;
  const apiUrl = new URL(`${simulator.url}/api`);
  rest = createRest(
    { botToken, apiUrl },
    createLog("error", () => {}),
    { ended: ended.signal },
  );
});
afterEach(async () => {
  closeRest(rest);
  await simulator.stop();
});

const control = (action: string, body?: object) => controlAt(simulator.url, action, body);
const requests = async (): Promise<number> => (await control("tally")).requests;
const next = (...faults: object[]) => control("faults", { api: { next: faults } });

test("a 429 without a time is retried after one second, then after two", async () => {
  await next({ fail: "answer", answer: { status: 429, body: { message: "slow down" } }, count: 2 });
  const began = performance.now();
  expect(await rest.get(Routes.user())).toMatchObject({ id: simulator.botId });
  expect(performance.now() - began).toBeGreaterThan(2_900);
  expect(await requests()).toBe(3);
});

test("while a route is limited, other calls queued for it are not sent", async () => {
  await next({ fail: 429, retryAfter: 1, path: "/members/" });
  const path = Routes.guildMember(simulator.guildId, simulator.botId);
  await Promise.all(Array.from({ length: 4 }, () => rest.get(path)));
  expect(await requests()).toBe(5);
});

test("calls still waiting for a bucket when the bot's session ends are not sent", async () => {
  const route = "GET /guilds/:id/roles";
  await control("limits", { overrides: { [route]: { limit: 1, windowMs: 500 } } });
  await rest.get(Routes.guildRoles(simulator.guildId));
  const waiting = rest.get(Routes.guildRoles(simulator.guildId));
  const more = rest.get(Routes.guildRoles(simulator.guildId));
  ended.abort();
  expect((await Promise.allSettled([waiting, more])).map(({ status }) => status)).toEqual([
    "rejected",
    "rejected",
  ]);
  expect(await requests()).toBe(1);
});

test("when the response is lost, reading is retried but creating a thread is not", async () => {
  await next(
    { fail: 503, method: "POST", path: "/threads", when: "after" },
    { fail: 503, method: "GET", path: "/roles" },
  );
  const body = { name: "one", type: 12 };
  const made = rest.post(Routes.threads(simulator.supportChannelId), { body });
  expect(await made.catch((error: Error) => error.name)).toBe("GuildUnavailable");
  await rest.get(Routes.guildRoles(simulator.guildId));
  const { routes } = await control("tally");
  expect(routes).toMatchObject({ "POST /channels/:id/threads": 1, "GET /guilds/:id/roles": 2 });
});
