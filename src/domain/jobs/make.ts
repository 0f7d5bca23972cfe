import { inArray, sql } from "drizzle-orm";
import type { BulkAction } from "@/contract/vocabulary/kinds";
import type { JobPreview } from "@/contract/wire/desk/jobs";
import { actorId, type By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, mustHaveChanged, type Write } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { yieldToEventLoop } from "@/core/base/yield";
import { enqueue } from "@/core/jobs/outbox";
import { shopTopics } from "../outbox-topics";
import { expectNoCopy } from "@/core/database/restored-copy";
import { keyOf } from "../licences/keys/issue";
import { maskKey } from "../licences/keys/keys";
import { offerToGive } from "../offers/list";
import { authorize, expectConfirmed } from "../permissions";
import { type LicenceJob, licenceJobItems, licenceJobs } from "../schema/jobs";
import { licences } from "../schema/licences";

/** The ids of the licences that a job is to change, in pages; each occurs in one page only. */
type Chosen = AsyncIterable<string[]> | Iterable<string[]>;

export type BulkRequest = { action: BulkAction; days: number | null; chosen: Chosen };

const sampled = 10;

/** What a bulk job would change. */
export async function previewBulk(
  ctx: Ctx,
  { chosen }: Pick<BulkRequest, "chosen">,
  by: By,
): Promise<JobPreview> {
  authorize(by, "licence.bulk");
  let total = 0;
  const first: string[] = [];
  for await (const some of chosen) {
    const page = [...new Set(some)];
    total += page.length;
    first.push(...page.slice(0, sampled - first.length));
  }
  return { total, sample: await maskedSample(ctx, first) };
}

async function maskedSample(ctx: Ctx, ids: string[]): Promise<JobPreview["sample"]> {
  if (ids.length === 0) return [];
  const rows = await ctx.store.db.select().from(licences).where(inArray(licences.id, ids));
  return rows.map((licence) => ({ id: licence.id, key: maskKey(keyOf(ctx, licence)) }));
}

/**
 * Makes a job that changes many licences, which are chosen now; resolves to its id. The job starts once all of them are
 * stored; if that is interrupted, it leaves a job that nobody sees. Refuses with `copy` on a restored copy.
 */
export async function makeBulk(ctx: Ctx, { action, days, chosen }: BulkRequest, by: By): Promise<string> {
  authorize(by, "licence.bulk");
  expectConfirmed(ctx, by, "licence.bulk");
  await expectNoCopy(ctx);
  const id = newId();
  await commit(ctx.store, [ctx.store.db.insert(licenceJobs).values({ ...rowOf(ctx, by), id, action, days })]);
  let total = 0;
  for await (const some of chosen) {
    const page = [...new Set(some)];
    await commit(ctx.store, [itemWrite(ctx, id, page, total)]);
    total += page.length;
    await yieldToEventLoop();
  }
  await commit(ctx.store, startWrites(ctx, { id, action, total }, by));
  return id;
}

/** One statement with one parameter, whatever the number of ids. */
const itemWrite = ({ store: { db } }: Ctx, jobId: string, ids: string[], from: number): Write =>
  db
    .insert(licenceJobItems)
    .select(
      sql`SELECT ${jobId}, ${from} + chosen.key, chosen.value, NULL, NULL, NULL, NULL, NULL, NULL FROM json_each(${JSON.stringify(ids)}) AS chosen`,
    );

export type IssueRequest = { offer: string; level?: string | undefined; count: number; email: string | null };

/**
 * Makes a job that issues many licences of an offer without payments; resolves to its id. With an address, all keys are
 * mailed there in one email. Refuses as {@link offerToGive}, and with `copy` on a restored copy.
 */
export async function makeIssue(ctx: Ctx, wanted: IssueRequest, by: By): Promise<string> {
  authorize(by, "licence.issue");
  expectConfirmed(ctx, by, "licence.issue");
  const { id: offer, level, days, devices } = await offerToGive(ctx, wanted.offer, wanted.level);
  await expectNoCopy(ctx);
  const id = newId();
  const { email, count: total } = wanted;
  await commit(ctx.store, [
    ctx.store.db
      .insert(licenceJobs)
      .values({ ...rowOf(ctx, by), id, action: "issue", level: level.id, days, devices, offer, email }),
    ...startWrites(ctx, { id, action: "issue", total }, by),
  ]);
  return id;
}

/** What an issuing job would do. Refuses as {@link offerToGive}. */
export async function previewIssue(
  ctx: Ctx,
  { offer, level, count }: IssueRequest,
  by: By,
): Promise<JobPreview> {
  authorize(by, "licence.issue");
  await offerToGive(ctx, offer, level);
  return { total: count, sample: [] };
}

export const rowOf = (ctx: Ctx, { actor, reason }: By) => ({
  actor,
  reason,
  madeBy: actorId(actor),
  createdAt: ctx.now(),
});

export const startWrites = (
  ctx: Ctx,
  { id, action, total }: Pick<LicenceJob, "id" | "action" | "total">,
  by: By,
): Write[] => [
  ctx.store.db
    .update(licenceJobs)
    .set({ readyAt: ctx.now(), total })
    .where(sql`${licenceJobs.id} = ${id} AND ${licenceJobs.readyAt} IS NULL`),
  mustHaveChanged("conflict"),
  enqueue(ctx, { topic: shopTopics.runLicenceJob, subject: id }),
  record(ctx, { ...by, action: "licence_job.made", subject: id, detail: { action, total } }),
];
