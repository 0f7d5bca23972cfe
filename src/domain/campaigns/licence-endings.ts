import { and, eq, gt, inArray, isNull, lte } from "drizzle-orm";
import { day } from "@/contract/vocabulary/time";
import { commitIfFirst, mustHaveChanged } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { enqueue } from "@/core/jobs/outbox";
import { licences } from "../schema/licences";
import { licenceEndingEmail } from "./emails/licence-ending";

/** How many days before its end the shop reminds a licence's owner, and the reminder before that. */
const reminders = [
  { days: 1, before: [0, 7] },
  { days: 7, before: [0] },
] as const;

const batchSize = 100;

/**
 * The periodic job: sends an email a week and a day before a timed licence ends, once each. The commit that enqueues an
 * email also marks its licence.
 */
export async function remindOfEndings(ctx: Ctx, stopping?: AbortSignal): Promise<void> {
  for (const reminder of reminders) {
    while (!stopping?.aborted && (await remindSome(ctx, reminder)) === batchSize) await Bun.sleep(0);
  }
}

async function remindSome(ctx: Ctx, { days, before }: (typeof reminders)[number]): Promise<number> {
  const { db } = ctx.store;
  const now = ctx.now();
  const found = await db
    .select()
    .from(licences)
    .where(
      and(
        inArray(licences.lastReminderDays, [...before]),
        // a subscription has emails of its own
        isNull(licences.paidUntil),
        gt(licences.expiresAt, now),
        lte(licences.expiresAt, new Date(now.getTime() + days * day)),
      ),
    )
    .limit(batchSize);
  for (const { id, lastReminderDays, expiresAt, redeemedAt } of found) {
    // a customer who redeems seven days needs no reminder at once that they end in seven days
    const had = (expiresAt?.getTime() ?? 0) - (redeemedAt?.getTime() ?? 0);
    const isWorthReminding = had > (days + 1) * day;
    await commitIfFirst(ctx.store, [
      db
        .update(licences)
        .set({ lastReminderDays: days })
        .where(and(eq(licences.id, id), eq(licences.lastReminderDays, lastReminderDays))),
      mustHaveChanged("conflict"),
      ...(isWorthReminding ? [enqueue(ctx, { topic: licenceEndingEmail, subject: id })] : []),
    ]);
  }
  return found.length;
}
