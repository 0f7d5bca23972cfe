import { expect, test } from "bun:test";
import { identifyBudget } from "@bot/discord/identify-budget";
import { reconnectPace } from "@bot/discord/reconnect";
import { hour, minute } from "@/contract/vocabulary/time";
import { spend } from "@/core/limits/limits";
import { identifyBudgets } from "@/domain/discord/identify-budgets";
import {
  connect,
  customer,
  holders,
  waitForBot,
  waitForCommands,
  waitForHolders,
} from "../../support/people/discord";
import { silentConnection } from "../../support/network/silent-connection";
import { eventually, openStage, type Stage } from "../../support/shop/stage";
import { kept, messagesIn, opened, panelOf } from "../../support/people/tickets";

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

const pauses = (stage: Stage) =>
  logged(stage, "connects to the gateway").map(({ milliseconds }) => milliseconds);

test("a stopped bot opens no more sockets", async () => {
  await using stage = await openStage({ discord: true });
  await waitForBot(stage);
  await stage.atDiscord("faults", { gateway: { away: true } });
  // the bot is stopped during a pause that even a busy machine can't miss
  await eventually(
    () => {
      stage.advance(500);
      return pauses(stage);
    },
    (all) => all.at(-1) >= 10_000,
  );
  const before = (await tally(stage)).triedAt.length;
  await stage.shop.bot?.stop();
  await eventually(
    () => logged(stage, "kept from connecting again").length,
    (count) => count > 0,
  );
  expect((await tally(stage)).triedAt).toHaveLength(before);
});

test("a gateway that refuses connections is retried after growing pauses", async () => {
  await using stage = await openStage({ discord: true });
  await waitForBot(stage);
  const expected = [0, 1, 2, 4, 8, 10, 10, 10].map((seconds) => seconds * 1_000);
  await stage.atDiscord("faults", { gateway: { away: true } });
  // no further than each pause, because after five minutes the client is replaced
  for (const [retry, pause] of expected.entries()) {
    await eventually(
      () => pauses(stage),
      ({ length }) => length > retry + 1,
    );
    stage.advance(pause);
  }
  expect(pauses(stage).slice(1, 9)).toEqual(expected);
});

test("attempts that reach IDENTIFY and fail again are a minute apart in the end", () => {
  let now = 0;
  const pace = reconnectPace(() => now);
  const pauses = Array.from({ length: 9 }, () => {
    pace.identified();
    pace.ready();
    now += 5_000;
    return pace.next();
  });
  expect(pauses).toEqual([0, 1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * 1_000));
  pace.ready();
  now += minute;
  expect(pace.next()).toBe(0);
});

test("IDENTIFYs go out one by one, five seconds apart", async () => {
  await using stage = await openStage();
  const budget = identifyBudget(stage.ctx, "1");
  let passed = 0;
  const { signal } = new AbortController();
  const all = Promise.all(
    [0, 1, 2].map(async () => {
      await budget.waitForIdentify(0, signal);
      passed += 1;
    }),
  );
  for (const count of [1, 2, 3]) {
    await eventually(
      () => passed,
      (seen) => seen >= count,
    );
    expect(passed).toBe(count);
    stage.advance(5_500);
  }
  await all;
});

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
  await using stage = await openStage({ discord: true });
  const next = [{ fail: 503, count: 100, path: "/gateway/bot" }];
  await stage.restart({ meanwhile: () => stage.atDiscord("faults", { api: { next } }) });
  await eventually(
    () => logged(stage, "the bot's connection ended").length,
    (count) => count > 1,
  );
  const { person } = await customer(stage, "ada");
  await connect(stage, person, "ada");
  await waitForHolders(stage, ["ada"]);
  expect(logged(stage, "Discord refused a call")).toEqual([]);
  expect(await readiness(stage)).toBe("away");
});

test("the shop reports the bot as away while it may not identify", async () => {
  await using stage = await openStage({ discord: true });
  await waitForState(stage, "up");
  const [hourly] = identifyBudgets;
  if (!hourly) throw new Error("there is a budget for the hour");
  const { clientId } = stage.discordConfig;
  for (let used = 1; used < hourly.most; used += 1) await spend(stage.ctx, hourly, clientId);
  await stage.atDiscord("gateway", { do: "invalidate" });
  await eventually(
    () => stage.lines.some((line) => line.includes("identified too often")),
    (waits) => waits,
  );
  expect(await readiness(stage)).toBe("away");
  stage.advance(hour);
  await waitForState(stage, "up");
});

test("each task that fails when the bot connects is retried without delaying the others", async () => {
  await using stage = await openStage({ discord: true });
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
    await eventually(
      () => again("commands").length,
      (count) => count >= times,
    );
    stage.advance(5_000 * times);
  }
  await eventually(
    async () => (await tally(stage)).routes[registration],
    (count) => count === 1 + 2 + 1,
  );
  await panelOf(stage);
  expect(again("commands").map(({ milliseconds }) => milliseconds)).toEqual([5_000, 10_000]);
  expect(again("examination").map(({ milliseconds }) => milliseconds)).toEqual([5_000]);
  expect((await tally(stage)).identifies).toBe(2);
});

/** By hand (`bun run soak --outage`) the ten minutes are real ones. */
const real = process.env["OUTAGE"] === "real";

/** Otherwise the clock runs fifty times as fast during the outage, and heartbeats are not required meanwhile. */
function speedUp(stage: Stage): Disposable {
  const clock = real ? undefined : setInterval(() => stage.advance(1_000), 20);
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
    /** Waits up to a quarter of an hour by the stage's clock. */
    const waitUntil = async <T>(look: () => T | Promise<T>, right: (seen: T) => boolean) => {
      const deadline = stage.ctx.now().getTime() + 15 * minute;
      for (;;) {
        const seen = await look();
        if (right(seen)) return;
        if (stage.ctx.now().getTime() > deadline) throw new Error(`last seen: ${JSON.stringify(seen)}`);
        await Bun.sleep(real ? 500 : 10);
      }
    };
    await waitForCommands(stage);
    await panelOf(stage);
    const { person } = await customer(stage, "ada");
    await connect(stage, person, "ada");
    await waitForHolders(stage, ["ada"]);
    const { thread } = await opened(stage, "ada");
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
  real ? 30 * minute : 120_000,
);
