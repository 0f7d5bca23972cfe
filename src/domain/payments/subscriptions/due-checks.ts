import { and, asc, eq, isNull, lte } from "drizzle-orm";
import { setTimeout as rest } from "node:timers/promises";
import { day } from "@/contract/vocabulary/time";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { reasonOf } from "@/core/log/log";
import { restoredCopy } from "@/core/database/restored-copy";
import { offersOnSale } from "../../offers/list";
import { type Subscription, subscriptions } from "../../schema/subscriptions";
import { type CheckoutGateway, isStripeAway } from "../port/stripe";
import { settleSubject } from "../settlement/settle";
import { changesPausedUntil } from "../settlement/paused-changes";
import { syncAll } from "./sync-all";

const pageSize = 50;
/** Between two, so that buyers keep most of the requests that Stripe allows. */
const restMilliseconds = 100;

/** Whether an offer is paid by month or year, or somebody still pays for one. */
export async function hasSubscriptions(ctx: Ctx): Promise<boolean> {
  if ((await offersOnSale(ctx)).some(({ every }) => every !== null)) return true;
  const unended = and(eq(subscriptions.livemode, ctx.livemode), isNull(subscriptions.endedAt));
  const rows = await ctx.store.db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(unended)
    .limit(1);
  return rows.length > 0;
}

/**
 * The periodic job that checks, one at a time, each subscription whose next check is due; after a restore, all that Stripe
 * has. A check that fails is repeated a day later; if Stripe is unreachable, the run ends.
 */
export async function checkDueSubscriptions(
  ctx: Ctx,
  gateway: CheckoutGateway,
  stopping?: AbortSignal,
): Promise<void> {
  if ((await changesPausedUntil(ctx)) === "sync" && !(await restoredCopy(ctx))) await syncAll(ctx, gateway);
  // what is checked from now on is not due again in this run
  const now = ctx.now();
  for (let page = await dueAt(ctx, now); page.length > 0; page = await dueAt(ctx, now)) {
    for (const one of page) {
      if (stopping?.aborted) return;
      await checkOne(ctx, gateway, one);
      await rest(restMilliseconds);
    }
  }
}

const dueAt = ({ store, livemode }: Ctx, now: Date): Promise<Subscription[]> =>
  store.db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.livemode, livemode), lte(subscriptions.nextCheckAt, now)))
    .orderBy(asc(subscriptions.nextCheckAt))
    .limit(pageSize);

async function checkOne(ctx: Ctx, gateway: CheckoutGateway, one: Subscription): Promise<void> {
  try {
    await settleSubject(ctx, gateway, { subscription: one.stripeId });
  } catch (error) {
    if (isStripeAway(error)) throw error;
    ctx.log.warn("a subscription could not be settled", { reason: reasonOf(error) });
  }
  // also where nothing was settled, so that it holds up none that follow
  const isUnchanged = and(eq(subscriptions.id, one.id), eq(subscriptions.version, one.version));
  await commit(ctx.store, [
    ctx.store.db
      .update(subscriptions)
      .set({ nextCheckAt: new Date(ctx.now().getTime() + day) })
      .where(isUnchanged),
  ]);
}
