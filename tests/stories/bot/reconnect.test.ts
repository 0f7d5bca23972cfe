import { expect, test } from "bun:test";
import { identifyBudget } from "@bot/discord/identify-budget";
import { reconnectPace } from "@bot/discord/reconnect";
import { minute } from "@/contract/vocabulary/time";
import { waitForBot } from "../../support/people/discord";
import { eventually, openStage, type Stage } from "../../support/shop/stage";

/** Discord's limits end by the real clock, and here the stage's runs far ahead of it. */
const discord = { limits: { enabled: false } };

const logged = (stage: Stage, words: string) =>
  stage.lines.filter((line) => line.includes(words)).map((line) => JSON.parse(line));

const pauses = (stage: Stage) =>
  logged(stage, "connects to the gateway").map(({ milliseconds }) => milliseconds);

test("a stopped bot opens no more sockets", async () => {
  await using stage = await openStage({ discord });
  await waitForBot(stage);
  await stage.atDiscord("faults", { gateway: { away: true } });
  // the bot is stopped during a pause that even a busy machine can't miss
  await eventually(() => {
    stage.advance(500);
    return pauses(stage).at(-1) >= 10_000;
  });
  const before = (await stage.atDiscord("tally")).triedAt.length;
  await stage.shop.bot?.stop();
  await eventually(() => logged(stage, "kept from connecting again").length > 0);
  expect((await stage.atDiscord("tally")).triedAt).toHaveLength(before);
});

test("a gateway that refuses connections is retried after growing pauses", async () => {
  await using stage = await openStage({ discord });
  await waitForBot(stage);
  const expected = [0, 1, 2, 4, 8, 10, 10].map((seconds) => seconds * 1_000);
  await stage.atDiscord("faults", { gateway: { away: true } });
  // no further than each pause, because after five minutes the client is replaced
  for (const [retry, pause] of expected.entries()) {
    await eventually(() => pauses(stage).length > retry + 1);
    stage.advance(pause);
  }
  expect(pauses(stage).slice(1, 8)).toEqual(expected);
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
    await eventually(() => passed >= count);
    expect(passed).toBe(count);
    stage.advance(5_500);
  }
  await all;
});
