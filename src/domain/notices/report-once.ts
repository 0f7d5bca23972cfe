import { commit, commitIfFirst, mustHaveChanged, type Write } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { factOf, forgetFact, replaceFact } from "@/core/database/key-values";
import { notice, type NoticeKind } from "../notice";
import { stuckJobs } from "@/core/jobs/outbox";
import { keyValues } from "@/core/database/schema";
import { botTopics } from "../outbox-topics";

/** Notifies staff once of a lasting problem, and again after {@link clearReport}. */
export async function reportOnce(
  ctx: Ctx,
  about: string,
  report: { kind: NoticeKind; sentence: string },
): Promise<void> {
  await commitIfFirst(ctx.store, [
    ctx.store.db
      .insert(keyValues)
      .values({ name: factName(about), value: ctx.now().toISOString() })
      .onConflictDoNothing(),
    mustHaveChanged("conflict"),
    ...notice(ctx, about, report),
  ]);
}

/**
 * Notifies staff of each lasting problem once. A problem missing from `sentences` is resolved; staff are notified again
 * if it returns.
 */
export async function reportEach(ctx: Ctx, about: string, sentences: string[]): Promise<void> {
  if (sentences.length === 0) return clearReport(ctx, about);
  const before = await factOf(ctx, factName(about));
  const value = JSON.stringify(sentences);
  if (value === before) return;
  const known = before === null ? [] : (JSON.parse(before) as string[]);
  const unknown = sentences.filter((sentence) => !known.includes(sentence));
  // another check may have just reported it
  await commitIfFirst(ctx.store, [
    ...replaceFact(ctx, factName(about), { before, after: value }),
    ...unknown.flatMap((sentence) => notice(ctx, `${about}:${newId()}`, { kind: "trouble", sentence })),
  ]);
}

/** Whether the problem was reported and is unresolved. */
export async function isReported(ctx: Ctx, about: string): Promise<boolean> {
  return (await factOf(ctx, factName(about))) !== null;
}

/** Marks the problem as resolved. */
const clearReport = (ctx: Ctx, about: string): Promise<void> =>
  commit(ctx.store, [clearReportWrite(ctx, about)]);

/** {@link clearReport} as a write, for the commit that resolves the problem. */
export const clearReportWrite = (ctx: Ctx, about: string): Write => forgetFact(ctx, factName(about));

/** The topics that notify staff can't report that they are stuck. */
const toStaff: string[] = [botTopics.notifyStaff.name, botTopics.notifyStaffOfSale.name];

/** Notifies staff of stuck jobs once, and again only after all of them are done. */
export async function reportStuckWork(ctx: Ctx): Promise<void> {
  const stuck = (await stuckJobs(ctx)).filter(({ topic }) => !toStaff.includes(topic));
  if (stuck.length === 0) return clearReport(ctx, "outbox");
  const topics = [...new Set(stuck.map(({ topic }) => topic))].join(", ");
  const count = stuck.length === 1 ? "One delivery is" : `${stuck.length} deliveries are`;
  const sentence = `${count} failing again and again (${topics}). They are still being tried.`;
  await reportOnce(ctx, "outbox", { kind: "stuck", sentence });
}

const factName = (about: string) => `told:${about}`;
