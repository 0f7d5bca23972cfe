import { and, asc, desc, eq, inArray, isNotNull, lt, sql } from "drizzle-orm";
import { day } from "@/contract/vocabulary/time";
import { commit, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { holdLease } from "@/core/jobs/lease";
import { olderThan, type Place } from "@/core/database/pages";
import { openDisputeStatuses, paymentEvidence, payments, type PaymentState } from "../../schema/payments";
import type { Agreed } from "../port/order-terms";

type Browser = { address: string; userAgent: string };

type Purchased = { paymentId: string; at: Date; agreed: Agreed; browser?: Browser | undefined };

/** Records what the shop knows of a purchase, for the commit that stores it. */
export const purchaseEvidence = (ctx: Ctx, { paymentId, at, agreed, browser }: Purchased): Write =>
  ctx.store.db
    .insert(paymentEvidence)
    .values({
      paymentId,
      ...agreed,
      termsAcceptedAt: at,
      buyerSealed: browser
        ? ctx.secrets.seal(JSON.stringify(buyerEvidence(browser)), evidenceContext(paymentId))
        : null,
    })
    .onConflictDoNothing();

/** The buyer's network address and browser; null if not kept. */
export function unsealBuyer(ctx: Ctx, paymentId: string, sealed: string | null): Browser | null {
  return sealed ? (JSON.parse(ctx.secrets.open(sealed, evidenceContext(paymentId))) as Browser) : null;
}

/** A page of the evidence about an account's own purchases, for its owner, newest purchase first. */
export async function purchasesOf(
  ctx: Ctx,
  accountId: string,
  { after, most }: { after: Place | null; most: number },
) {
  const rows = await ctx.store.db
    .select({ createdAt: payments.createdAt, kept: paymentEvidence })
    .from(payments)
    .innerJoin(paymentEvidence, eq(paymentEvidence.paymentId, payments.id))
    .where(and(eq(payments.accountId, accountId), olderThan(after, payments.createdAt, payments.id)))
    .orderBy(desc(payments.createdAt), desc(payments.id))
    .limit(most);
  return rows.map(({ createdAt, kept: { paymentId, termsEdition, termsAcceptedAt, buyerSealed } }) => {
    const buyer = unsealBuyer(ctx, paymentId, buyerSealed);
    return {
      createdAt,
      paymentId,
      termsEdition,
      termsAcceptedAt,
      address: buyer?.address ?? null,
      userAgent: buyer?.userAgent ?? null,
    };
  });
}

/** The longest that a cardholder may dispute: 120 days from delivery, which may begin up to 420 days late. */
const disputableDays = 540;
/** Nobody can dispute an unpaid checkout. */
const unpaidDays = 30;

/** The shop serves requests between two pages. */
const pageSize = 500;

/**
 * Deletes the address and browser of every purchase that can no longer be disputed; the rest of the evidence identifies
 * nobody and stays. Works once a day, however often it is called.
 */
export async function forgetBuyers(ctx: Ctx): Promise<void> {
  const today = { name: "forget-buyers", holder: crypto.randomUUID(), milliseconds: day };
  if (!(await holdLease(ctx, today))) return;
  for (let last: Purchase | undefined; ;) {
    const page = await keptPurchases(ctx, last);
    const settled = page.filter((purchase) => isBeyondDispute(purchase, ctx.now()));
    if (settled.length > 0) {
      const ids = settled.map(({ paymentId }) => paymentId);
      const evidence = ctx.store.db.update(paymentEvidence).set({ buyerSealed: null });
      await commit(ctx.store, [evidence.where(inArray(paymentEvidence.paymentId, ids))]);
    }
    last = page.at(-1);
    if (page.length < pageSize) return;
    await Bun.sleep(0);
  }
}

type Purchase = { paymentId: string; at: Date; state: PaymentState; disputeStatus: string | null };

/** A page of purchases whose buyers are still known, oldest first, from the day after which one may be forgotten. */
function keptPurchases(ctx: Ctx, after: Purchase | undefined): Promise<Purchase[]> {
  const { paymentId, termsAcceptedAt: at, buyerSealed } = paymentEvidence;
  return ctx.store.db
    .select({ paymentId, at, state: payments.state, disputeStatus: payments.disputeStatus })
    .from(paymentEvidence)
    .innerJoin(payments, eq(payments.id, paymentId))
    .where(
      and(
        isNotNull(buyerSealed),
        lt(at, daysBefore(ctx.now(), unpaidDays)),
        after && sql`(${at}, ${paymentId}) > (${after.at.getTime()}, ${after.paymentId})`,
      ),
    )
    .orderBy(asc(at), asc(paymentId))
    .limit(pageSize);
}

function isBeyondDispute({ at, state, disputeStatus }: Purchase, now: Date): boolean {
  // `keptPurchases` returns only those that are old enough
  if (["open", "failed", "expired"].includes(state)) return true;
  return at < daysBefore(now, disputableDays) && !openDisputeStatuses.includes(disputeStatus ?? "");
}

const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * day);

const buyerEvidence = ({ address, userAgent }: Browser) => ({ address, userAgent });
/** Binds sealed buyer data to the payment. */
export const evidenceContext = (paymentId: string) => `evidence:${paymentId}`;
