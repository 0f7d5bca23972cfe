import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDiscordSimulator } from "@/simulators/discord/simulator";
import { startShopProcess, startWorld } from "../fire/programs";
import { Person } from "../person";
import { noteTally } from "../discord-tally";
import { discordSettings, eventually } from "../stage";

/** After which the process is killed, on the way of a refund to the role. */
const points = ["outbox.claimed@1", "outbox.claimed@2", "outbox.delivered@2", "outbox.finished@1"];

test("a shop killed between a refund and its role takes the role when it is back", async () => {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-roles-"));
  const world = await startWorld(folder);
  const discord = await startDiscordSimulator({ seed: 1 });
  const env = { DISCORD: "", ...discordSettings(discord) };
  const control = async (path: string, body?: object) => {
    const answer = await fetch(`${discord.url}/_control/${path}`, {
      ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
      headers: { "content-type": "application/json" },
    });
    return answer.json();
  };
  const held = async (): Promise<number> => (await control("holders")).holders.length;
  try {
    for (const [at, point] of points.entries()) {
      const shop = await startShopProcess(world, env);
      const person = new Person(() => new URL(world.shopUrl));
      const session = await buyAndConnect(person, `buyer${at}`);
      await eventually(held, (count) => count === 1);
      await shop.kill();
      const doomed = await startShopProcess(world, { ...env, FAILPOINT: point });
      await world.atStripe("refund", { session });
      await doomed.child.exited;
      const back = await startShopProcess(world, env);
      await eventually(held, (count) => count === 0);
      await back.kill("SIGTERM");
    }
  } finally {
    await world.stop();
    await noteTally(discord.url);
    await discord.stop();
    await rm(folder, { recursive: true, force: true });
  }

  async function buyAndConnect(person: Person, name: string): Promise<string> {
    const opened = await person.post("/api/stripe/create-checkout-session", { currency: "usd" });
    const session: string = opened.body.data.id;
    await world.atStripe("pay", { session, email: `${name}@example.com` });
    const paid = await person.get(`/api/stripe/verify-payment?session_id=${session}`);
    expect((await person.register(paid.body.data.license_key, name)).status).toBe(200);
    const { url } = (await person.get("/api/functions/get-discord-oauth-url")).body;
    await control("members", { username: name });
    const back = new URL((await control("authorize", { url, user: name })).redirect).searchParams;
    await person.post("/api/discord/auth/callback", { code: back.get("code"), state: back.get("state") });
    return session;
  }
}, 120_000);
