import { expect, test } from "bun:test";
import { startBot } from "@bot/start";
import { hour } from "@/contract/vocabulary/time";
import { holdLease } from "@/core/jobs/lease";
import { limitTable } from "@/contract/vocabulary/limits";
import { createMetrics } from "@/core/log/metrics";
import { commit } from "@/core/database/commit";
import { notice } from "@/domain/notice";
import { waitingWork } from "@/core/jobs/outbox";
import { identifyBudget } from "@bot/discord/identify-budget";
import { connect, customer, moveClockUntil, waitForBot, waitForHolders } from "../../support/people/discord";
import { eventually, openStage, type Stage } from "../../support/shop/stage";
import { waitForText } from "../../support/people/tickets";

/** Discord's limits end by the real clock, and here the stage's runs far ahead of it. */
const discord = { limits: { enabled: false } };

const stateOf = (stage: Stage) => stage.atDiscord("state");

test("a gateway that is cut resumes its session and misses nothing", async () => {
  await using stage = await openStage({ discord });
  await waitForBot(stage);
  const { person } = await customer(stage, "ada");
  await connect(stage, person, "ada");
  await stage.atDiscord("gateway", { do: "cut" });
  await stage.atDiscord("roles", { user: "ada", role: "Premium", give: false });
  await waitForHolders(stage, ["ada"]);
  const tally = await eventually(
    () => stage.atDiscord("tally"),
    ({ resumes }) => resumes === 1,
  );
  expect(tally.identifies).toBe(1);
});

test("a resumption that Discord defers is retried after one to five seconds, on the same connection", async () => {
  await using stage = await openStage({ discord });
  await waitForBot(stage);
  await stage.atDiscord("faults", { gateway: { putOff: 3 } });
  await stage.atDiscord("gateway", { do: "cut" });
  const pauses = () =>
    stage.lines
      .filter((line) => line.includes("waits before it resumes"))
      .map((line) => JSON.parse(line).milliseconds);
  for (const count of [1, 2, 3]) {
    await eventually(() => pauses().length >= count);
    // it waits by the stage's clock, which passes less than a second by itself
    expect((await stage.atDiscord("tally")).putOff).toBe(count);
    stage.advance(5_000);
  }
  const tally = await eventually(
    () => stage.atDiscord("tally"),
    ({ resumes }) => resumes === 1,
  );
  expect(tally).toMatchObject({ identifies: 1, putOff: 3 });
  for (const pause of pauses()) {
    expect(pause).toBeGreaterThanOrEqual(1_000);
    expect(pause).toBeLessThanOrEqual(5_000);
  }
});

test("a connection that ends while a resumption is deferred is replaced", async () => {
  await using stage = await openStage({ discord });
  await waitForBot(stage);
  await stage.atDiscord("faults", { gateway: { putOff: 1 } });
  await stage.atDiscord("gateway", { do: "cut" });
  await eventually(() => stage.lines.some((line) => line.includes("waits before it resumes")));
  await stage.atDiscord("gateway", { do: "cut" });
  await eventually(async () => {
    stage.advance(5_000);
    return (await stage.atDiscord("state")).bot.connections === 1;
  });
  await eventually(async () => (await stage.person().get("/api/ready")).body.data.discord === "up");
  expect((await stage.atDiscord("tally")).mostSockets).toBe(1);
});

test("calls that failed while Discord's API was down are retried within thirty seconds of its return", async () => {
  await using stage = await openStage({ discord });
  await waitForBot(stage);
  const { person } = await customer(stage, "ada");
  await connect(stage, person, "ada");
  await waitForHolders(stage, ["ada"]);
  // the gateway stays connected, so only the API tells that Discord is back
  await stage.atDiscord("faults", { api: { away: true } });
  await stage.atDiscord("roles", { user: "mallory", role: "Premium", give: true });
  await commit(stage.ctx.store, [
    ...notice(stage.ctx, "outage", { kind: "trouble", sentence: "Said meanwhile." }),
  ]);
  const failures = async () => {
    const waiting = await waitingWork(stage.ctx, 10);
    return waiting.find(({ topic }) => topic === "staff.notice")?.attempts ?? 0;
  };
  await eventually(
    () => {
      stage.advance(10_000);
      stage.shop.worker.wake();
      return failures();
    },
    // the next attempt is four minutes away
    (attempts) => attempts >= 9,
  );
  await stage.atDiscord("faults", { api: { away: false } });
  stage.advance(10_000);
  await waitForText(stage, "staff", "Said meanwhile.");
  await waitForHolders(stage, ["ada"]);
});

test("a wrong role can be explained from one line of the log", async () => {
  await using stage = await openStage({ discord });
  await waitForBot(stage);
  const { person } = await customer(stage, "ada");
  await connect(stage, person, "ada");
  await waitForHolders(stage, ["ada"]);
  const { id: account } = (await person.get("/api/user/me")).body.data;
  const lines = () =>
    stage.lines.map((line) => JSON.parse(line)).filter(({ message }) => /member's role/.test(message));
  expect(lines()).toEqual([
    expect.objectContaining({
      account,
      wanted: "role",
      found: "no role",
      reason: expect.stringContaining("has "),
      outcome: "done",
    }),
  ]);
  await stage.atDiscord("faults", {
    api: { next: [{ fail: 403, path: "/roles/", method: "PUT" }] },
  });
  await stage.atDiscord("roles", { user: "ada", role: "Premium", give: false });
  await eventually(() => lines().length > 1);
  expect(lines()[1]).toMatchObject({
    account,
    wanted: "role",
    found: "no role",
    outcome: expect.stringContaining("GuildForbids"),
  });
});

for (const fault of ["away", "mute", "garbage"] as const) {
  test(`the shop serves and links while the gateway is ${fault}, and rarely tries again`, async () => {
    await using stage = await openStage({ discord });
    await waitForBot(stage);
    await stage.atDiscord("faults", { gateway: { [fault]: true } });
    await stage.atDiscord("join", { user: "tim" });
    await stage.atDiscord("gateway", { do: "cut" });
    await eventually(async () => (await stage.atDiscord("tally")).triedAt.length > 1);
    for (let asked = 0; asked < 100; asked += 1) {
      expect((await stage.person().get("/api/health")).status).toBe(200);
      await Bun.sleep(5);
    }
    const { person } = await customer(stage, "ada");
    expect((await connect(stage, person, "ada")).status).toBe(200);
    const { identifies, triedAt } = await stage.atDiscord("tally");
    expect(identifies).toBeLessThan(5);
    expect(triedAt.length).toBeLessThan(10);
  });
}

test("a token that Discord refuses doesn't affect the shop and is rarely retried", async () => {
  await using stage = await openStage({ discord, env: { DISCORD_BOT_TOKEN: "wrong.token.here" } });
  const { person } = await customer(stage, "ada");
  const answer = await moveClockUntil(stage, connect(stage, person, "ada"));
  expect(answer.body.status_message).toBe("Pending");
  const refused = async () => (await stage.atDiscord("tally")).invalid;
  for (let looks = 0; looks < 4; looks += 1) {
    const before = await refused();
    stage.advance(hour);
    await eventually(refused, (count) => count > before);
  }
  const invalid = await refused();
  console.log(`refused requests in four hours with a wrong token: ${invalid}`);
  expect(invalid).toBeLessThan(30);
  expect((await person.get("/api/user/me")).status).toBe(200);
});

test("the bot identifies at most fifty times an hour, across clients and restarts", async () => {
  await using stage = await openStage();
  const passed = async () => {
    const budget = identifyBudget(stage.ctx, "1");
    const signal = AbortSignal.timeout(60);
    return budget.waitForIdentify(0, signal).then(
      () => true,
      () => false,
    );
  };
  const outcomes = await Promise.all(Array.from({ length: 80 }, passed));
  expect(outcomes.filter(Boolean)).toHaveLength(50);
  await stage.restart();
  expect(await passed()).toBe(false);
  stage.advance(hour);
  expect(await passed()).toBe(true);
});

test("one of two processes runs the bot, and the other takes over when it dies", async () => {
  await using stage = await openStage({ discord });
  await waitForBot(stage);
  const config = stage.discordConfig;
  // two processes share a database server, never an embedded file
  const ctx = { ...stage.ctx, store: { ...stage.ctx.store, sole: false } };
  const parts = {
    ctx,
    config,
    publicUrl: stage.url,
    limits: limitTable({}),
    files: stage.shop.files,
    metrics: createMetrics(),
    worker: stage.shop.worker,
    scheduler: stage.shop.scheduler,
  };
  const second = startBot(parts);
  // writes are serialised, so after this it has requested the lease
  expect(await holdLease(stage.ctx, { name: "discord-bot", holder: "a third", milliseconds: 1 })).toBe(false);
  expect(second.state()).toBe("elsewhere");
  expect((await stateOf(stage)).bot.connections).toBe(1);
  await stage.shop.bot?.stop();
  await eventually(() => second.state() === "up");
  const { person } = await customer(stage, "ada");
  await connect(stage, person, "ada");
  await waitForHolders(stage, ["ada"]);
  expect((await stateOf(stage)).bot.connections).toBe(1);
  await second.stop();
});

test("an uncatchable error in discord.js doesn't end the process", async () => {
  await using stage = await openStage({ discord });
  await waitForBot(stage);
  const error = new Error("raised in a timer");
  error.stack = "Error: raised in a timer\n    at Shard (/app/node_modules/@discordjs/ws/dist/index.js:1:1)";
  process.emit("uncaughtException", error);
  process.emit("unhandledRejection", error, Promise.resolve());
  expect((await stage.person().get("/api/health")).status).toBe(200);
  expect(stage.lines.filter((line) => line.includes("contained"))).toHaveLength(1);
});

test("a dead process loses the lease when it expires, a live one keeps it", async () => {
  await using stage = await openStage();
  const lease = (holder: string) => ({ name: "a lease", holder, milliseconds: 45_000 });
  expect(await holdLease(stage.ctx, lease("first"))).toBe(true);
  expect(await holdLease(stage.ctx, lease("second"))).toBe(false);
  stage.advance(40_000);
  expect(await holdLease(stage.ctx, lease("first"))).toBe(true);
  stage.advance(44_000);
  expect(await holdLease(stage.ctx, lease("second"))).toBe(false);
  stage.advance(2_000);
  const racing = await Promise.all(
    ["second", "third", "fourth"].map((one) => holdLease(stage.ctx, lease(one))),
  );
  expect(racing.filter(Boolean)).toHaveLength(1);
  expect(await holdLease(stage.ctx, lease("first"))).toBe(false);
});
