import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import { hour, second } from "@/contract/vocabulary/time";
import { commit, mustHaveChanged, mustNotExist } from "@/core/database/commit";
import { limitTable } from "@/contract/vocabulary/limits";
import { readJob, RetryLater, topicHandler } from "@/core/jobs/job-handlers";
import { backoff, claim, finish, postpone, releaseLeases } from "@/core/jobs/job-leases";
import { jobOf, enqueue, stuckJobs } from "@/core/jobs/outbox";
import { parsePayload, type Topic } from "@/core/database/topic";
import { botTopics, shopTopics } from "@/domain/outbox-topics";
import { Refusal } from "@/core/base/refusal";
import { keyValues } from "@/core/database/schema";
import { onWake, wakeWorkers } from "@/core/database/wake";
import { startWorker } from "@/core/jobs/worker";
import { emails } from "@/domain/emails";
import { allTopics } from "@/domain/topics";
import { askForRecovery } from "@/domain/accounts/recovery/recovery-code";
import { requestOrdersEmail } from "@/domain/payments/status/request-orders-email";
import { complainAbout } from "../../support/checks/query-plans";
import { eventually, openStage, type Stage } from "../../support/shop/stage";

// no worker takes these if Discord is off
const topic = botTopics.inspectTicket;
const somebody = { id: "a worker" };
const ask = (stage: Stage, subject: string) =>
  commit(stage.ctx.store, [enqueue(stage.ctx, { topic, subject })]);

test("a job enqueued in a commit that is rolled back never runs", async () => {
  await using stage = await openStage();
  const { db } = stage.ctx.store;
  const nothing = db.update(keyValues).set({ value: "x" }).where(eq(keyValues.name, "no such"));
  const attempt = commit(stage.ctx.store, [
    enqueue(stage.ctx, { topic, subject: "a" }),
    nothing,
    mustHaveChanged("conflict"),
  ]);
  expect(attempt).rejects.toEqual(new Refusal("conflict"));
  await attempt.catch(() => {});
  expect(await claim(stage.ctx, somebody, [topic.name], 10)).toHaveLength(0);
});

test("a commit wakes the lanes of its jobs at once, and no others", async () => {
  await using stage = await openStage();
  const { store } = stage.ctx;
  const done: string[] = [];
  const handler = async ({ subject }: { subject: string }) => {
    done.push(subject);
    return [];
  };
  const worker = startWorker(stage.ctx);
  worker.add([topicHandler(topic, handler), topicHandler(botTopics.postReleaseNews, handler)], {
    longestSleepMilliseconds: hour,
  });
  await worker.drain();
  await commit(store, [enqueue(stage.ctx, { topic, subject: "quiet" })], { wakes: false });
  for (const subject of ["first", "second"]) {
    await commit(store, [enqueue(stage.ctx, { topic: botTopics.postReleaseNews, subject })]);
    await eventually(
      () => done,
      (seen) => seen.includes(subject),
    );
  }
  expect(done).toEqual(["first", "second"]);
  wakeWorkers(store, [topic]);
  await eventually(
    () => done,
    (seen) => seen.includes("quiet"),
  );
  await worker.stop();
});

test("a job that a handler enqueues in another lane runs at once", async () => {
  await using stage = await openStage();
  const done: string[] = [];
  const worker = startWorker(stage.ctx);
  const handlers = [
    topicHandler(topic, async () => [
      enqueue(stage.ctx, { topic: botTopics.postReleaseNews, subject: "after it" }),
    ]),
    topicHandler(botTopics.postReleaseNews, async ({ subject }) => {
      done.push(subject);
      return [];
    }),
  ];
  worker.add(handlers, { longestSleepMilliseconds: hour });
  await worker.drain();
  await ask(stage, "first");
  await eventually(
    () => done,
    (seen) => seen.length === 1,
  );
  await worker.stop();
});

test("a commit that is rolled back wakes nobody", async () => {
  await using stage = await openStage();
  const { store } = stage.ctx;
  const woken: string[] = [];
  using _ = {
    [Symbol.dispose]: onWake(store, (topics) => woken.push(...Array.from(topics, ({ name }) => name))),
  };
  const attempt = commit(store, [
    enqueue(stage.ctx, { topic, subject: "a" }),
    mustNotExist(store.db.select().from(keyValues), "conflict", {}),
  ]);
  expect(await attempt.catch((error: unknown) => error)).toEqual(new Refusal("conflict"));
  expect(woken).toEqual([]);
  await ask(stage, "b");
  expect(woken).toEqual([topic.name]);
});

test("an email that depends on whether the address has an account is started only after the answer", async () => {
  await using stage = await openStage();
  const woken: string[] = [];
  using _ = {
    [Symbol.dispose]: onWake(stage.ctx.store, (topics) =>
      woken.push(...Array.from(topics, ({ name }) => name)),
    ),
  };
  await askForRecovery(stage.ctx, "ada@example.com", undefined);
  await requestOrdersEmail(stage.ctx, limitTable({}), "ada@example.com");
  expect(woken).toEqual([]);
  const answers = [
    await stage.person().get("/api/user/password/forgot?email=ada@example.com"),
    await stage.person().post("/api/payments/find", { email: "ada@example.com" }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  await eventually(
    () => woken.toSorted(),
    (seen) => seen.length === 2,
  );
  expect(woken.toSorted()).toEqual(["mail.orders", "mail.recovery-code"]);
});

test("each job goes to only one of two workers", async () => {
  await using stage = await openStage();
  await Promise.all(Array.from({ length: 50 }, (_, at) => ask(stage, `job ${at}`)));
  const done: string[] = [];
  const handlers = [
    topicHandler(topic, async ({ subject }) => {
      done.push(subject);
      await Promise.resolve();
      return [];
    }),
  ];
  const workers = [startWorker(stage.ctx), startWorker(stage.ctx)];
  for (const worker of workers) worker.add(handlers);
  await Promise.all(workers.map((worker) => worker.drain()));
  await Promise.all(workers.map((worker) => worker.stop()));
  expect(done.toSorted()).toEqual(Array.from({ length: 50 }, (_, at) => `job ${at}`).toSorted());
});

test("a lane that runs one job at a time runs jobs people are waiting for first", async () => {
  await using stage = await openStage();
  for (const subject of ["a", "b", "c"]) await ask(stage, subject);
  await commit(stage.ctx.store, [
    enqueue(stage.ctx, { topic: botTopics.syncTicket, subject: "code", priority: true }),
  ]);
  const done: string[] = [];
  let [underWay, most] = [0, 0];
  const handler = async ({ subject }: { subject: string }) => {
    most = Math.max(most, (underWay += 1));
    await Bun.sleep(1);
    underWay -= 1;
    done.push(subject);
    return [];
  };
  const handlers = [topicHandler(topic, handler), topicHandler(botTopics.syncTicket, handler)];
  const worker = startWorker(stage.ctx);
  worker.add(handlers, { atOnceIn: { ticket: 1 } });
  await worker.drain();
  await worker.stop();
  expect(done).toEqual(["code", "a", "b", "c"]);
  expect(most).toBe(1);
});

test("a lane runs as many jobs as it may while more are waiting", async () => {
  await using stage = await openStage();
  const subjects = Array.from({ length: 40 }, (_, at) => `job ${at}`);
  await commit(
    stage.ctx.store,
    subjects.map((subject) => enqueue(stage.ctx, { topic, subject })),
  );
  const ends: (() => void)[] = [];
  let begun = 0;
  const handlers = [
    topicHandler(topic, async () => {
      begun += 1;
      await new Promise<void>((end) => ends.push(end));
      return [];
    }),
  ];
  const worker = startWorker(stage.ctx);
  worker.add(handlers, { atOnceIn: { ticket: 4 } });
  for (let ended = 0; ended < subjects.length; ended += 1) {
    await eventually(
      () => begun,
      (seen) => seen === Math.min(ended + 4, subjects.length),
    );
    expect(ends).toHaveLength(Math.min(4, subjects.length - ended));
    ends.shift()?.();
  }
  await worker.stop();
});

test("a job that says when to try again is tried then, and does not count as failing", async () => {
  await using stage = await openStage();
  await ask(stage, "later");
  let tries = 0;
  const worker = startWorker(stage.ctx);
  const lanes = worker.add([
    topicHandler(topic, async () => {
      tries += 1;
      if (tries === 1) throw new RetryLater("not yet", hour);
      return [];
    }),
  ]);
  await lanes.drain();
  stage.advance(hour - second);
  await lanes.drain();
  expect(tries).toBe(1);
  expect(await jobOf(stage.ctx, topic, "later")).toMatchObject({ attempts: 0, lastError: "RetryLater" });
  stage.advance(1_000);
  await lanes.drain();
  expect(tries).toBe(2);
  expect(await jobOf(stage.ctx, topic, "later")).toBeNull();
  await worker.stop();
});

test("jobs of several topics in one lane run in the order in which they are due", async () => {
  await using stage = await openStage();
  for (const subject of ["a", "b", "c", "d", "e"]) {
    const posted = { topic: subject < "c" ? topic : botTopics.syncTicket, subject } as const;
    await commit(stage.ctx.store, [enqueue(stage.ctx, posted)]);
    stage.advance(1);
  }
  const lane = [topic.name, botTopics.syncTicket.name];
  const first = await claim(stage.ctx, somebody, lane, 3);
  expect(first.map(({ subject }) => subject).toSorted()).toEqual(["a", "b", "c"]);
  const rest = await claim(stage.ctx, somebody, lane, 3);
  expect(rest.map(({ subject }) => subject).toSorted()).toEqual(["d", "e"]);
});

test("a dead worker's jobs are taken over within 20 seconds", async () => {
  await using stage = await openStage();
  await ask(stage, "orphan");
  expect(await claim(stage.ctx, { id: "dead" }, [topic.name], 10)).toMatchObject([{ lease: "dead" }]);
  expect(await claim(stage.ctx, { id: "heir" }, [topic.name], 10)).toHaveLength(0);
  stage.advance(15_001);
  expect(await claim(stage.ctx, { id: "heir" }, [topic.name], 10)).toMatchObject([{ lease: "heir" }]);
});

test("a start frees the previous process's jobs, and no others", async () => {
  await using stage = await openStage();
  for (const subject of ["leased", "failed", "waiting"]) await ask(stage, subject);
  const [leased, failed] = await claim(stage.ctx, { id: "dead" }, [topic.name], 2);
  if (!leased || !failed) throw new Error("two jobs were posted");
  await postpone(stage.ctx, failed, new RetryLater("not yet", 10_000));
  const seen: string[] = [];
  const db = drizzle(stage.ctx.store.client, { logger: { logQuery: (sql) => void seen.push(sql) } });
  await releaseLeases({ ...stage.ctx, store: { ...stage.ctx.store, db } }, allTopics);
  expect(await complainAbout(seen)).toEqual([]);
  const free = await claim(stage.ctx, { id: "heir" }, [topic.name], 10);
  expect(free.map(({ subject }) => subject).toSorted()).toEqual([leased.subject, "waiting"].toSorted());
});

/** Handlers that are at work until `end` is called. */
function hanging() {
  let count = 0;
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const handlers = [
    topicHandler(topic, async () => {
      count += 1;
      await over;
      return [];
    }),
  ];
  return { handlers, runs: () => count, end };
}

test("a job stays with its worker for as long as it takes, and never runs twice at once", async () => {
  await using stage = await openStage();
  await ask(stage, "slow");
  const { handlers, runs, end } = hanging();
  const worker = startWorker(stage.ctx, { renewMilliseconds: 5 });
  worker.add(handlers);
  await eventually(runs, (seen) => seen === 1);
  const other = startWorker(stage.ctx);
  other.add(handlers);
  for (let turn = 0; turn < 12; turn += 1) {
    stage.advance(9_000);
    await eventually(
      async () => (await jobOf(stage.ctx, topic, "slow"))?.dueAt.getTime() ?? 0,
      (heldUntil) => heldUntil > stage.ctx.now().getTime() + 9_000,
    );
    await other.drain();
  }
  expect(runs()).toBe(1);
  end();
  await Promise.all([worker.stop(), other.stop()]);
  expect(runs()).toBe(1);
  expect(await jobOf(stage.ctx, topic, "slow")).toBeNull();
});

test("a worker whose clock jumps does not claim its own running jobs again", async () => {
  await using stage = await openStage();
  await ask(stage, "slow");
  const { handlers, runs, end } = hanging();
  const worker = startWorker(stage.ctx);
  worker.add(handlers);
  await eventually(runs, (seen) => seen === 1);
  stage.advance(hour);
  await ask(stage, "after the jump");
  worker.wake();
  await eventually(runs, (seen) => seen === 2);
  end();
  await worker.stop();
  expect(runs()).toBe(2);
});

test("a job enqueued again while it runs is run again with the latest payload", async () => {
  await using stage = await openStage();
  const enqueueText = (text: string) =>
    commit(stage.ctx.store, [
      enqueue(stage.ctx, { topic: botTopics.postQueuedMessage, subject: "one", payload: { text } }),
    ]);
  const claimed = () => claim(stage.ctx, somebody, [botTopics.postQueuedMessage.name], 10);
  await enqueueText("first");
  const [job] = await claimed();
  await enqueueText("second");
  expect(await claimed()).toHaveLength(0);
  await finish(stage.ctx, job!, []);
  const [again] = await claimed();
  expect(readJob(botTopics.postQueuedMessage, again!)).toMatchObject({
    subject: "one",
    payload: { text: "second" },
  });
  await finish(stage.ctx, again!, []);
  stage.advance(hour);
  expect(await claimed()).toHaveLength(0);
});

test("a failing job waits longer each time, is listed as stuck, and is still retried", async () => {
  const token = "a-token-for-prometheus";
  await using stage = await openStage({ env: { METRICS_TOKEN: token } });
  await ask(stage, "cursed");
  for (let attempt = 1; attempt <= 8; attempt += 1) {
    const [job] = await claim(stage.ctx, somebody, [topic.name], 10);
    expect(job?.attempts).toBe(attempt - 1);
    await postpone(stage.ctx, job!, new TypeError("a secret in the message"));
    expect(await claim(stage.ctx, somebody, [topic.name], 10)).toHaveLength(0);
    stage.advance(backoff(attempt, 0));
  }
  expect(await stuckJobs(stage.ctx)).toMatchObject([
    { subject: "cursed", attempts: 8, lastError: "TypeError" },
  ]);
  const metricsToken = { authorization: `Bearer ${token}` };
  const ready = await stage.person().get("/api/ready", metricsToken);
  expect(ready.body).toMatchObject({ status: 200, data: { stuck_jobs: 1, discord: "off" } });
  expect(await claim(stage.ctx, somebody, [topic.name], 10)).toHaveLength(1);
  expect(stage.lines.join("\n")).not.toContain("a secret in the message");
});

test("a job with an invalid payload is stuck at once, says why, and delays no other", async () => {
  await using stage = await openStage();
  const jobs = ["whole", "cut", "renamed"].map((subject) =>
    enqueue(stage.ctx, { topic: botTopics.postQueuedMessage, subject, payload: { text: subject } }),
  );
  await commit(stage.ctx.store, jobs);
  const spoil = (subject: string, payload: string) =>
    stage.ctx.store.client.execute({
      sql: "UPDATE outbox SET payload = ? WHERE subject = ?",
      args: [payload, subject],
    });
  await spoil("cut", '{"text": "a sec');
  await spoil("renamed", '{"said": "a secret"}');
  const posted: string[] = [];
  const worker = startWorker(stage.ctx);
  worker.add([
    topicHandler(botTopics.postQueuedMessage, async ({ payload }) => {
      posted.push(payload.text);
      return [];
    }),
  ]);
  await worker.drain();
  await worker.stop();
  expect(posted).toEqual(["whole"]);
  const reasons = (await stuckJobs(stage.ctx)).map(({ subject, lastError }) => `${subject}: ${lastError}`);
  expect(reasons.toSorted()).toEqual([
    "cut: InvalidPayload no JSON",
    "renamed: InvalidPayload text invalid_type",
  ]);
  expect(stage.lines.join("\n")).not.toContain("a secret");
});

test("jobs enqueued by the previous release are still read", () => {
  const notice = {
    accountId: "an account",
    to: "ada@example.com",
    what: "email-changed",
    at: "2026-11-22T14:00:00.000Z",
    address: "192.0.2.1",
    device: "Firefox on Linux",
    newEmail: "eve@example.com",
  };
  const stored: Record<string, object | null> = {
    "mail.receipt": null,
    "mail.security-notice": notice,
    "discord.revoke": { sealed: "sealed" },
    "staff.notice": { kind: "trouble", sentence: "A sentence." },
    "ticket.say": { text: "A sentence." },
    "ticket.erase": { threadId: "1", cardId: null },
    "file.copy": null,
  };
  const topics: Topic[] = [...Object.values(shopTopics), ...Object.values(botTopics), ...emails];
  for (const [name, payload] of Object.entries(stored)) {
    const topic = topics.find((one) => one.name === name);
    const read = topic && parsePayload(topic, payload && JSON.stringify(payload));
    expect(JSON.stringify(read)).toBe(JSON.stringify(payload));
  }
});

test("the wait doubles from a second to a quarter of an hour", () => {
  expect([1, 2, 3, 10, 11, 30].map((attempts) => backoff(attempts, 0) / 1000)).toEqual([
    1, 2, 4, 512, 900, 900,
  ]);
  expect(backoff(1, 1)).toBe(800);
});
