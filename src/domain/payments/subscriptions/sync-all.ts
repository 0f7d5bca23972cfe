import { inArray } from "drizzle-orm";
import pLimit from "p-limit";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { reasonOf } from "@/core/log/log";
import { enqueue } from "@/core/jobs/outbox";
import { shopTopics } from "../../outbox-topics";
import { type Subscription, subscriptions } from "../../schema/subscriptions";
import { type CheckoutGateway, isStripeAway } from "../port/stripe";
import { pauseChanges, resumeChanges, changesPausedUntil } from "../settlement/paused-changes";
import { checkSubscription } from "../settlement/settle-subscription";
import { changesNothing } from "../state/desired-changes";

/** `differ`: how many Stripe should hold otherwise; `waits`: they wait until the operator agrees. */
export type SubscriptionReport = {
  asked: number;
  taken: number;
  changed: number;
  failed: number;
  differ: number;
  waits: boolean;
};

/** Each costs several requests of the hundred a second that Stripe allows. */
const atOnce = 4;
/** After a restore, more differences than these wait until the operator agrees. */
const mostDifferences = 10;

type Tally = Pick<SubscriptionReport, "asked" | "taken" | "changed" | "failed"> & {
  /** Stripe's ids of those that it should hold otherwise. */
  differing: string[];
  hasRefunds: boolean;
};

/**
 * Settles every subscription that Stripe has, ended ones too, and takes in those with this shop's seal that it doesn't
 * know, as after a lost database. After a restore, Stripe is made to agree only from then on, and many differences or any
 * refund wait until `agreed`. One that can't be read holds up no other: while it can't, nothing of it is changed either.
 * Safe to repeat. Throws `CheckoutUnreachable`.
 */
export async function syncAll(
  ctx: Ctx,
  gateway: CheckoutGateway,
  {
    agreed = false,
    onProgress,
  }: { agreed?: boolean; onProgress?: ((asked: number) => void) | undefined } = {},
): Promise<SubscriptionReport> {
  const tally: Tally = { asked: 0, taken: 0, changed: 0, failed: 0, differing: [], hasRefunds: false };
  for (let from: string | null = null, more = true; more;) {
    const page = await gateway.listSubscriptions(from);
    await checkPage(ctx, gateway, page.ids, tally);
    onProgress?.(tally.asked);
    from = page.next;
    more = from !== null;
  }
  const { differing, hasRefunds, ...report } = tally;
  // one that can't be read may differ too
  const isMuch = differing.length + tally.failed > mostDifferences || hasRefunds;
  const waits = isMuch && !agreed && (await changesPausedUntil(ctx)) !== null;
  const resumeWrites = () => [
    resumeChanges(ctx),
    ...differing.map((subject) => enqueue(ctx, { topic: shopTopics.agreeWithStripe, subject })),
  ];
  await commit(ctx.store, waits ? [pauseChanges(ctx, "agree")] : resumeWrites());
  return { ...report, differ: differing.length, waits };
}

async function checkPage(ctx: Ctx, gateway: CheckoutGateway, ids: string[], tally: Tally): Promise<void> {
  const before = await heldOf(ctx, ids);
  const limit = pLimit(atOnce);
  const results = await Promise.allSettled(ids.map((id) => limit(() => checkSubscription(ctx, gateway, id))));
  for (const result of results) {
    if (result.status === "fulfilled") {
      const check = result.value;
      if (!check || changesNothing(check.wanted)) continue;
      tally.differing.push(check.facts.id);
      tally.hasRefunds ||= check.wanted.refunds.length > 0;
      continue;
    }
    const { reason } = result;
    if (isStripeAway(reason)) throw reason;
    ctx.log.warn("a subscription could not be settled", { reason: reasonOf(reason) });
    tally.failed += 1;
  }
  tally.asked += ids.length;
  for (const [id, { status }] of await heldOf(ctx, ids)) {
    const known = before.get(id);
    if (!known) tally.taken += 1;
    else if (known.status !== status) tally.changed += 1;
  }
}

async function heldOf({ store }: Ctx, ids: string[]): Promise<Map<string, Subscription>> {
  if (ids.length === 0) return new Map();
  const rows = await store.db.select().from(subscriptions).where(inArray(subscriptions.stripeId, ids));
  return new Map(rows.map((row) => [row.stripeId, row]));
}
