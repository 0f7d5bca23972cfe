import { eq } from "drizzle-orm";
import type { SubscriptionDetails } from "@/contract/wire/desk/details";
import type { Actor } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { pageRows } from "@/core/database/pages";
import { Refusal } from "@/core/base/refusal";
import { licencesOfPayment } from "../licences/entitlement/sold";
import { authorize } from "../permissions";
import { paymentsOf } from "../payments/reading/subscriptions";
import { cardOf, plusTax, subscriptions } from "../schema/subscriptions";
import { timelineOf } from "./audit";
import { licenceRows } from "./licences";
import { paymentRows } from "./payments";
import { subscriptionRows } from "./subscriptions";

/** What staff see of a subscription, what belongs to it, and its history. Refuses with `not_found`. */
export async function subscriptionDetails(ctx: Ctx, actor: Actor, id: string): Promise<SubscriptionDetails> {
  authorize(actor, "desk.read");
  const [held] = await ctx.store.db.select().from(subscriptions).where(eq(subscriptions.id, id));
  const [row] = await subscriptionRows(ctx, [id]);
  if (!held || !row) throw new Refusal("not_found");
  const licences = (await licencesOfPayment(ctx, id)).map((licence) => licence.id);
  const paid = (await paymentsOf(ctx, held.stripeId)).slice(0, pageRows).map((payment) => payment.id);
  return {
    ...row,
    stripe_id: held.stripeId,
    next_amount: held.nextAmount,
    ...plusTax(held),
    changes_to: held.changesTo,
    changes_at: held.changesAt?.toISOString() ?? null,
    card: cardOf(held),
    looked_at: held.lookedAt.toISOString(),
    timeline: await timelineOf(ctx, [
      { kind: "subscription", id },
      ...licences.map((licence) => ({ kind: "licence", id: licence })),
      ...paid.slice(0, mostFollowed).map((payment) => ({ kind: "payment", id: payment })),
    ]),
    licences: await licenceRows(ctx, licences),
    payments: await paymentRows(ctx, paid),
  };
}

/** How many payments have their events in the timeline; each costs a query for every kind of event. */
const mostFollowed = 3;
