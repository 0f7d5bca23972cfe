import { and, desc, eq } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import { licences } from "../../schema/licences";
import { subscriptions } from "../../schema/subscriptions";

/** A subscription whose last renewal failed, and when its licence ends unless that is paid. */
export type PastDue = { id: string; until: Date | null };

/** The account's newest subscription that is past due in the shop's Stripe mode, or null. */
export async function pastDueOf({ store, livemode }: Ctx, accountId: string): Promise<PastDue | null> {
  const [found] = await store.db
    .select({ id: subscriptions.id, until: licences.expiresAt })
    .from(subscriptions)
    .leftJoin(licences, eq(licences.primaryPaymentId, subscriptions.id))
    .where(
      and(
        eq(subscriptions.accountId, accountId),
        eq(subscriptions.status, "past_due"),
        eq(subscriptions.livemode, livemode),
      ),
    )
    .orderBy(desc(subscriptions.startedAt), desc(subscriptions.id))
    .limit(1);
  return found ?? null;
}
