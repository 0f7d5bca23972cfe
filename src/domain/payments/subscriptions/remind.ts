import { and, eq, gt, lte } from "drizzle-orm";
import { day } from "@/contract/time";
import { mustHaveChanged } from "@/core/commit";
import { commitIfFirst } from "@/core/conflict";
import type { Ctx } from "@/core/context";
import { enqueue } from "@/core/outbox";
import { isUntoldAhead, subscriptions } from "../../schema/subscriptions";
import { subscriptionRenewsEmail } from "../emails/subscription-renews";

const ahead = 7 * day;
const batchSize = 100;

/**
 * The periodic job: an email a week before a trial ends, or at once if it is shorter, and a week before a year is
 * charged again; once for each date. The commit that enqueues it also notes the date.
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
        lte(subscriptions.renewsAt, new Date(now.getTime() + ahead)),
        isUntoldAhead,
      ),
    )
    .limit(batchSize);
  for (const { id, renewsAt } of found) {
    await commitIfFirst(ctx.store, [
      db
        .update(subscriptions)
        .set({ remindedOf: renewsAt })
        .where(and(eq(subscriptions.id, id), isUntoldAhead)),
      mustHaveChanged("conflict"),
      enqueue(ctx, { topic: subscriptionRenewsEmail, subject: id }),
    ]);
  }
  return found.length;
}
