import { expect, test } from "bun:test";
import { eq, isNull, sql } from "drizzle-orm";
import PostalMime from "postal-mime";
import { day, minute } from "@/contract/vocabulary/time";
import { auditTrail } from "@/core/database/audit";
import { keyOf } from "@/domain/licences/keys/issue";
import { licenceJobItems, licenceJobs } from "@/domain/schema/jobs";
import { licences } from "@/domain/schema/licences";
import { atDesk, type Colleague } from "../../support/people/desk";
import { openStage, type Stage } from "../../support/shop/stage";

const reason = "the outage in May";

async function issueLicences(stage: Stage, count: number, days: number | null = 30): Promise<string[]> {
  for (let at = 0; at < count; at += 1) await stage.handOut(days);
  return (await unredeemed(stage)).map(({ id }) => id);
}

/** The licences that the story made; staff have redeemed their own. */
const unredeemed = (stage: Stage) =>
  stage.ctx.store.db.select().from(licences).where(isNull(licences.redeemedAt)).orderBy(licences.id);

async function finishedJob(stage: Stage, olga: Colleague, job: string) {
  await stage.shop.worker.drain();
  const { body } = await olga.get(`jobs/${job}`);
  expect(body.data.finished_at).not.toBeNull();
  return body.data;
}

test("a bulk job does each licence once, says which were refused and why, and is in the log with its maker", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const timed = await issueLicences(stage, 30);
  await stage.handOut(null);
  const all = (await unredeemed(stage)).map(({ id }) => id);
  const lifetimes = all.filter((id) => !timed.includes(id));
  const missing = "0199a1b2-0000-7000-8000-000000000000";
  const body = { action: "extend", days: 7, ids: [...timed.slice(1), ...lifetimes, missing], reason };
  const preview = (await olga.post("licences/bulk", { ...body, preview: true })).body.data;
  expect(preview.total).toBe(31);
  expect(preview.sample).toHaveLength(10);
  expect(preview.sample[0].key).toMatch(/^WISP(-••••){3}-\w{4}$/);
  expect(await stage.ctx.store.db.select().from(licenceJobs)).toEqual([]);
  const { job } = (await olga.post("licences/bulk", body)).body.data;
  const shown = await finishedJob(stage, olga, job);
  expect(shown).toMatchObject({
    action: "extend",
    by: { name: "olga" },
    done: 31,
    total: 31,
    refused_total: 2,
  });
  expect(shown.refused).toEqual([
    { id: lifetimes[0], code: "license_pointless" },
    { id: missing, code: "license_unknown" },
  ]);
  const rows = await unredeemed(stage);
  const lasting = (days: number | null) => String(days);
  expect(rows.map(({ days }) => lasting(days)).toSorted()).toEqual(
    [30, ...Array.from({ length: 29 }, () => 37), null].map(lasting).toSorted(),
  );
  const [made] = await auditTrail(stage.ctx, { action: "licence_job.made", limit: 10 });
  expect(made).toMatchObject({
    subject: job,
    reason,
    actorRole: "owner",
    detail: { action: "extend", total: 31 },
  });
  const extended = await auditTrail(stage.ctx, { action: "licence.extended", limit: 100 });
  expect(extended).toHaveLength(29);
  expect(
    new Set(extended.map(({ actor, actorVia, reason: why }) => `${actor} ${actorVia} ${why}`)).size,
  ).toBe(1);
});

test("ids that are sent twice are done once", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const [id = ""] = await issueLicences(stage, 1);
  const { job } = (await olga.post("licences/bulk", { action: "extend", days: 7, ids: [id, id], reason }))
    .body.data;
  expect(await finishedJob(stage, olga, job)).toMatchObject({ done: 1, total: 1 });
  const [licence] = await stage.ctx.store.db.select().from(licences).where(eq(licences.id, id));
  expect(licence?.days).toBe(37);
});

test("two hundred jobs at once over the same licences do each licence once a job", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const ids = await issueLicences(stage, 4);
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => olga.post("licences/bulk", { action: "extend", days: 1, ids, reason })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(200);
  await stage.shop.worker.drain();
  const rows = await unredeemed(stage);
  expect(rows.map(({ days }) => days)).toEqual([230, 230, 230, 230]);
  const jobs = await stage.ctx.store.db.select().from(licenceJobs);
  expect(jobs.filter(({ done, finishedAt }) => done === 4 && finishedAt !== null)).toHaveLength(200);
});

test("of a hundred jobs that suspend the same licence at once one does it, and the others are refused", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const ids = await issueLicences(stage, 1);
  await Promise.all(
    Array.from({ length: 100 }, () => olga.post("licences/bulk", { action: "suspend", ids, reason })),
  );
  await stage.shop.worker.drain();
  expect(await auditTrail(stage.ctx, { action: "licence.suspended", limit: 10 })).toHaveLength(1);
  const refusals = await stage.ctx.store.db
    .select()
    .from(licenceJobItems)
    .where(sql`refusal IS NOT NULL`);
  expect(refusals.map(({ refusal }) => refusal)).toEqual(
    Array.from({ length: 99 }, () => "license_unchanged"),
  );
});

test("a filter chooses what the list shows when the job is made, however many pages that are", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const some = await issueLicences(stage, 300);
  const { body } = await olga.post("licences/bulk", { action: "suspend", ids: some.slice(0, 10), reason });
  await finishedJob(stage, olga, body.data.job);
  const filter = { status: "unredeemed" };
  const preview = await olga.post("licences/bulk", {
    action: "extend",
    days: 5,
    filter,
    preview: true,
    reason,
  });
  expect(preview.body.data.total).toBe(290);
  const made = await olga.post("licences/bulk", { action: "extend", days: 5, filter, reason });
  // later than the choice
  await stage.handOut(30);
  expect(await finishedJob(stage, olga, made.body.data.job)).toMatchObject({
    done: 290,
    total: 290,
    refused: [],
  });
  const days = (await unredeemed(stage)).map((licence) => licence.days);
  expect(days.filter((count) => count === 35)).toHaveLength(290);
  const none = await olga.post("licences/bulk", { action: "revoke", filter: { status: "refunded" }, reason });
  expect(await finishedJob(stage, olga, none.body.data.job)).toMatchObject({ done: 0, total: 0 });
});

test("a cancelled job does nothing more, and can't be cancelled twice", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const ids = await issueLicences(stage, 40);
  const { job } = (await olga.post("licences/bulk", { action: "revoke", ids, reason })).body.data;
  const cancelled = (await olga.post(`jobs/${job}/cancel`, { reason: "the wrong file" })).body.data;
  expect(cancelled.cancelled_at).toBe(cancelled.finished_at);
  await stage.shop.worker.drain();
  const after = (await olga.get(`jobs/${job}`)).body.data;
  expect(after.done).toBe(cancelled.done);
  expect(after.done).toBeLessThan(40);
  const revoked = await stage.ctx.store.db.$count(licences, sql`revoked_at IS NOT NULL`);
  expect(revoked).toBe(after.done);
  expect((await olga.post(`jobs/${job}/cancel`, { reason })).body).toMatchObject({
    status: 409,
    code: "job_finished",
  });
});

test("issued keys are a file for seven days, and the log says who took it", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const order = { offer: "premium", count: 45, reason };
  expect((await olga.post("licences/issue", { ...order, preview: true })).body.data).toEqual({
    total: 45,
    sample: [],
  });
  const { job } = (await olga.post("licences/issue", order)).body.data;
  const { keys_until: until, finished_at: at } = await finishedJob(stage, olga, job);
  expect(Date.parse(until) - Date.parse(at)).toBe(7 * day);
  const file = await olga.get(`jobs/${job}/keys.csv`);
  const lines = file.body.trim().split("\n");
  expect(lines[0]).toBe("key,days");
  const rows = await unredeemed(stage);
  expect(lines.slice(1).toSorted()).toEqual(rows.map((row) => `${keyOf(stage.ctx, row)},`).toSorted());
  expect(rows).toHaveLength(45);
  const taken = await auditTrail(stage.ctx, { action: "licence_job.keys_downloaded", limit: 5 });
  expect(taken).toMatchObject([{ subject: job, actorRole: "owner", actorVia: "desk" }]);
  stage.advance(10 * minute);
  expect((await olga.get(`jobs/${job}/keys.csv`)).body.code).toBe("confirm");
});

test("keys of a job with an address are in one mail, many of them as a file, and not downloaded", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  for (const count of [3, 60]) {
    const email = `press${count}@example.com`;
    const { job } = (await olga.post("licences/issue", { offer: "premium", count, email, reason })).body.data;
    expect(await finishedJob(stage, olga, job)).toMatchObject({ done: count, keys_until: null });
    const mails = stage.mail.messages(email);
    expect(mails).toHaveLength(1);
    const { text = "", attachments } = await PostalMime.parse(Buffer.from(mails[0]?.raw ?? "", "latin1"));
    const file = attachments.find(({ filename }) => filename === "license-keys.txt");
    const lines = file ? new TextDecoder().decode(file.content as ArrayBuffer) : text;
    expect(file !== undefined).toBe(count === 60);
    expect(new Set(lines.match(/WISP(-[0-9A-Z]{4}){4}/g)).size).toBe(count);
    expect((await olga.get(`jobs/${job}/keys.csv`)).body.code).toBe("job_without_keys");
  }
});

test("two hundred orders to issue at once make exactly what each asked for", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  await Promise.all(
    Array.from({ length: 200 }, () => olga.post("licences/issue", { offer: "premium", count: 3, reason })),
  );
  await stage.shop.worker.drain();
  expect(await unredeemed(stage)).toHaveLength(600);
  expect(await stage.ctx.store.db.$count(licenceJobItems)).toBe(600);
});

test("jobs take one kind of choice, and need a fresh code", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const ids = await issueLicences(stage, 1);
  for (const wrong of [
    { action: "revoke", reason },
    { action: "revoke", ids, filter: { status: "active" }, reason },
    { action: "revoke", filter: {}, reason },
    { action: "revoke", filter: { stauts: "active" }, reason },
    { action: "revoke", filter: { status: "activ" }, reason },
    { action: "revoke", ids, days: 3, reason },
    { action: "extend", ids, reason },
    { action: "revoke", ids: [], reason },
    { action: "revoke", ids },
    { action: "destroy", ids, reason },
  ]) {
    expect([wrong, (await olga.post("licences/bulk", wrong)).status]).toEqual([wrong, 400]);
  }
  for (const wrong of [
    { offer: "premium", count: 0, reason },
    { offer: "premium", count: 10_001, reason },
    { offer: "nothing", count: 1, reason },
  ]) {
    expect([wrong, (await olga.post("licences/issue", wrong)).status]).toEqual([wrong, 400]);
  }
  expect((await olga.get("jobs/nothing")).body).toMatchObject({ status: 404, code: "job_unknown" });
  stage.advance(10 * minute);
  const late = await olga.post("licences/bulk", { action: "revoke", ids, reason });
  expect(late.body).toMatchObject({ status: 403, code: "confirm" });
  expect(await stage.ctx.store.db.select().from(licenceJobs)).toEqual([]);
});

test("jobs and their licences are forgotten after thirty days", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const ids = await issueLicences(stage, 3);
  await olga.post("licences/bulk", { action: "extend", days: 1, ids, reason });
  await stage.shop.worker.drain();
  stage.advance(31 * day);
  await stage.shop.periodicJobs.run();
  expect(await stage.ctx.store.db.$count(licenceJobs)).toBe(0);
  expect(await stage.ctx.store.db.$count(licenceJobItems)).toBe(0);
});
