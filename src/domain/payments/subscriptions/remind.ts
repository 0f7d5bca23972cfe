import { and, eq, gt, lte, sql } from "drizzle-orm";
import { day } from "@/contract/vocabulary/time";
import { commitIfFirst, mustHaveChanged } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { enqueue } from "@/core/jobs/outbox";
import { needsRenewalReminder, subscriptions } from "../../schema/subscriptions";
import { subscriptionRenewsEmail } from "../emails/subscription";

const reminderLead = 7 * day;
const batchSize = 100;

/**
 * The periodic job: an email a week before a trial ends, or at once if the trial is shorter, and a week before a yearly
 * renewal; once for each date, which the same commit notes.
 */
export async function remindOfRenewals(ctx: Ctx, stopping?: AbortSignal): Promise<void> {
  while (!stopping?.aborted && (await remindSome(ctx)) === batchSize) await Bun.sleep(0);
}

async function remindSome(ctx: Ctx): Promise<number> {
  const { db } = ctx.store;
  const now = ctx.now();
  const found = await db
    .select()
    .from(subscriptions)
    .where(
      and(
        gt(subscriptions.renewsAt, now),
        lte(subscriptions.renewsAt, new Date(now.getTime() + reminderLead)),
        needsRenewalReminder,
        // the plus keeps SQLite off the index of running subscriptions, most of which are not due
        sql`+${subscriptions.livemode} = ${ctx.livemode ? 1 : 0}`,
      ),
    )
    .limit(batchSize);
  for (const { id, renewsAt } of found) {
    await commitIfFirst(ctx.store, [
      db
        .update(subscriptions)
        .set({ remindedOf: renewsAt, version: sql`${subscriptions.version} + 1` })
        .where(and(eq(subscriptions.id, id), needsRenewalReminder)),
      mustHaveChanged("conflict"),
      enqueue(ctx, { topic: subscriptionRenewsEmail, subject: id }),
    ]);
  }
  return found.length;
}
