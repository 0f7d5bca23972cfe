import { expect, test } from "bun:test";
import { hour, minute } from "@/contract/vocabulary/time";
import { spend } from "@/core/limits/limits";
import { identifyBudgets } from "@/domain/discord/identify-budgets";
import { connect, customer, holders, waitForCommands, waitForHolders } from "../../support/people/discord";
import { silentConnection } from "../../support/network/silent-connection";
import { eventually, openStage, type Stage } from "../../support/shop/stage";
import { kept, messagesIn, openInDiscord, panelOf } from "../../support/people/tickets";

/** Discord's limits end by the real clock, and here the stage's runs far ahead of it. */
const discord = { limits: { enabled: false } };

const registration = "PUT /applications/:id/guilds/:id/commands";
const tally = (stage: Stage) => stage.atDiscord("tally");
const readiness = async (stage: Stage) => (await stage.person().get("/api/ready")).body.data.discord;
const waitForState = (stage: Stage, state: string) =>
  eventually(
    () => readiness(stage),
    (seen) => seen === state,
  );

const logged = (stage: Stage, words: string) =>
  stage.lines.filter((line) => line.includes(words)).map((line) => JSON.parse(line));

test("a silent connection is dropped and its session resumed, even if the close is never confirmed", async () => {
  await using stage = await openStage({ discord: { heartbeatMs: 500 } });
  await using line = silentConnection(stage.discord.url);
  await stage.restart({ discord: { apiUrl: line.apiUrl } });
  await waitForState(stage, "up");
  line.fallSilent();
  await waitForState(stage, "away");
  await stage.atDiscord("roles", { user: "mallory", role: "Premium", give: true });
  await waitForState(stage, "up");
  await waitForHolders(stage, []);
  expect((await tally(stage)).resumes).toBe(1);
});

test("roles are reconciled while the bot can't log in to the gateway", async () => {
  await using stage = await openStage({ discord });
  const next = [{ fail: 503, count: 100, path: "/gateway/bot" }];
  await stage.restart({ meanwhile: () => stage.atDiscord("faults", { api: { next } }) });
  await eventually(() => logged(stage, "the bot's connection ended").length > 1);
  const { person } = await customer(stage, "ada");
  await connect(stage, person, "ada");
  await waitForHolders(stage, ["ada"]);
  expect(logged(stage, "Discord refused a call")).toEqual([]);
  expect(await readiness(stage)).toBe("away");
});

test("the shop reports the bot as away while it may not identify", async () => {
  await using stage = await openStage({ discord });
  await waitForState(stage, "up");
  const [hourly] = identifyBudgets;
  if (!hourly) throw new Error("there is a budget for the hour");
  const { clientId } = stage.discordConfig;
  for (let used = 1; used < hourly.most; used += 1) await spend(stage.ctx, hourly, clientId);
  // past the pause between two IDENTIFYs
  stage.advance(6_000);
  await stage.atDiscord("gateway", { do: "invalidate" });
  await eventually(() => stage.lines.some((line) => line.includes("identified too often")));
  expect(await readiness(stage)).toBe("away");
  stage.advance(hour);
  await waitForState(stage, "up");
});

test("each task that fails when the bot connects is retried without delaying the others", async () => {
  await using stage = await openStage({ discord });
  await waitForCommands(stage);
  await panelOf(stage);
  // three failures of the API in a row would count as an outage, whose end shortens all pauses
  const answer = { status: 400, body: { code: 50035, message: "Invalid Form Body" } };
  await stage.restart({
    async meanwhile() {
      const [panel] = await messagesIn(stage, "support");
      await stage.atDiscord("messages/delete", { user: "sam", message: panel.id });
      await stage.atDiscord("faults", {
        api: {
          next: [
            { fail: 503, count: 2, path: "/users/@me", method: "GET" },
            { fail: "answer", answer, count: 2, path: "/commands", method: "PUT" },
          ],
        },
      });
    },
  });
  await waitForState(stage, "up");
  const again = (job: string) => logged(stage, "a periodic job failed").filter(({ topic }) => topic === job);
  for (const times of [1, 2]) {
    await eventually(() => again("commands").length >= times);
    stage.advance(5_000 * times);
  }
  await eventually(async () => (await tally(stage)).routes[registration] === 1 + 2 + 1);
  await panelOf(stage);
  expect(again("commands").map(({ milliseconds }) => milliseconds)).toEqual([5_000, 10_000]);
  expect(again("examination").map(({ milliseconds }) => milliseconds)).toEqual([5_000]);
  expect((await tally(stage)).identifies).toBe(2);
});

/** By hand (`bun run soak --outage`) the ten minutes are real ones. */
const real = process.env["OUTAGE"] === "real";

/** Otherwise the clock runs a hundred times as fast during the outage, and heartbeats are not required meanwhile. */
function speedUp(stage: Stage): Disposable {
  const clock = real ? undefined : setInterval(() => stage.advance(1_000), 10);
  return { [Symbol.dispose]: () => clearInterval(clock) };
}

const outage = [
  { gateway: { away: true } },
  { gateway: { away: false, garbage: true } },
  { gateway: { away: true, garbage: false }, api: { away: true } },
];
const phaseMilliseconds = 200_000;

test(
  "a gateway that refuses, sends garbage and is away for ten minutes loses nothing, and takes no second client",
  async () => {
    await using stage = await openStage({ discord: real || { heartbeatMs: hour } });
    const problems: string[] = [];
    const waitUntil = <T>(look: () => T | Promise<T>, right: (seen: T) => boolean) =>
      eventually(look, right, 15 * minute);
    await waitForCommands(stage);
    await panelOf(stage);
    const { person } = await customer(stage, "ada");
    await connect(stage, person, "ada");
    await waitForHolders(stage, ["ada"]);
    const { thread } = await openInDiscord(stage, "ada");
    const before = await tally(stage);
    using _ = speedUp(stage);

    for (const faults of outage) {
      const ends = stage.ctx.now().getTime() + phaseMilliseconds;
      await stage.atDiscord("faults", faults);
      await waitForState(stage, "away");
      problems.push(`said in ${JSON.stringify(faults)}`);
      await stage.atDiscord("messages", { user: "ada", channel: thread, content: problems.at(-1) });
      await waitUntil(
        () => stage.ctx.now().getTime(),
        (now) => now >= ends,
      );
      expect(await readiness(stage)).toBe("away");
    }
    await stage.atDiscord("roles", { user: "mallory", role: "Premium", give: true });
    const [panel] = await messagesIn(stage, "support");
    await stage.atDiscord("messages/delete", { user: "sam", message: panel.id });
    await stage.atDiscord("faults", { gateway: { away: false }, api: { away: false } });

    const backAt = stage.ctx.now().getTime();
    await waitUntil(
      () => readiness(stage),
      (state) => state === "up",
    );
    // a fast clock keeps running while a connection opens
    if (real) expect(stage.ctx.now().getTime() - backAt).toBeLessThan(30_000);
    await waitUntil(
      async () => (await kept(stage)).map(({ content }) => content),
      (contents) => problems.every((one) => contents.includes(one)),
    );
    await waitUntil(
      () => holders(stage),
      (held) => held.join(" ") === "ada",
    );
    await waitUntil(
      () => messagesIn(stage, "support"),
      ({ length }) => length === 1,
    );
    await waitUntil(
      async () => (await tally(stage)).routes[registration],
      (count) => count > before.routes[registration],
    );

    const { mostSockets, triedAt, identifiedAt } = await tally(stage);
    const apart = identifiedAt.slice(1).map((at: number, index: number) => at - identifiedAt[index]);
    console.log(
      `tries: ${triedAt.length}, seconds between IDENTIFYs: ${apart.map((ms: number) => ms / 1_000)}`,
    );
    expect((await stage.atDiscord("state")).bot.connections).toBe(1);
    expect(mostSockets).toBe(1);
    expect(Math.min(...apart)).toBeGreaterThanOrEqual(5_000);
    expect(triedAt.length).toBeLessThan(100);
  },
  30 * minute,
);
