import { and, eq, inArray, isNotNull, isNull, lt, notInArray, or } from "drizzle-orm";
import { terms } from "@/brand/legal/terms";
import { commit, type Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { holdLease } from "@/core/lease";
import { openDisputeStatuses } from "./disputes";
import { paymentEvidence, payments } from "../schema/payments";

type Browser = { address: string; userAgent: string };

/** Records what is known when a checkout is opened, for the same commit. */
export const purchaseEvidence = (
  ctx: Ctx,
  { paymentId, at, browser }: { paymentId: string; at: Date; browser: Browser | undefined },
): Write =>
  ctx.store.db.insert(paymentEvidence).values({
    paymentId,
    termsEdition: terms.updated,
    termsAcceptedAt: at,
    buyerSealed: browser ? ctx.secrets.seal(JSON.stringify(kept(browser)), evidenceContext(paymentId)) : null,
  });

/** The buyer's network address and browser; null if they were not kept. */
export function openBuyer(ctx: Ctx, paymentId: string, sealed: string | null): Browser | null {
  return sealed ? (JSON.parse(ctx.secrets.open(sealed, evidenceContext(paymentId))) as Browser) : null;
}

/** The evidence kept about an account's own purchases, for its owner. */
export async function purchasesOf(ctx: Ctx, accountId: string) {
  const rows = await ctx.store.db
    .select({ kept: paymentEvidence })
    .from(paymentEvidence)
    .innerJoin(payments, eq(payments.id, paymentEvidence.paymentId))
    .where(eq(payments.accountId, accountId));
  return rows.map(({ kept: { paymentId, termsEdition, termsAcceptedAt, buyerSealed } }) => {
    const buyer = openBuyer(ctx, paymentId, buyerSealed);
    return {
      paymentId,
      termsEdition,
      termsAcceptedAt,
      address: buyer?.address ?? null,
      userAgent: buyer?.userAgent ?? null,
    };
  });
}

const dayMilliseconds = 86_400_000;
/** The longest a cardholder may take: 120 days from delivery, which may begin up to 420 days late. */
const disputableDays = 540;
/** A checkout that nobody paid can't be disputed. */
const unpaidDays = 30;

/**
 * Deletes the address and browser of every purchase that can no longer be disputed; the rest of the evidence
 * identifies nobody and stays. Does its work once a day, however often it is called.
 */
export async function forgetBuyers(ctx: Ctx): Promise<void> {
  const today = { name: "forget-buyers", holder: crypto.randomUUID(), milliseconds: dayMilliseconds };
  if (!(await holdLease(ctx, today))) return;
  const { db } = ctx.store;
  const before = (days: number) => new Date(ctx.now().getTime() - days * dayMilliseconds);
  const settled = db
    .select({ id: payments.id })
    .from(payments)
    .where(
      or(
        and(
          lt(payments.createdAt, before(disputableDays)),
          or(isNull(payments.disputeStatus), notInArray(payments.disputeStatus, openDisputeStatuses)),
        ),
        and(
          inArray(payments.state, ["open", "failed", "expired"]),
          lt(payments.createdAt, before(unpaidDays)),
        ),
      ),
    );
  await commit(ctx.store, [
    db
      .update(paymentEvidence)
      .set({ buyerSealed: null })
      .where(and(isNotNull(paymentEvidence.buyerSealed), inArray(paymentEvidence.paymentId, settled))),
  ]);
}

const kept = ({ address, userAgent }: Browser) => ({ address, userAgent });
/** Binds what is sealed of a buyer to the payment. */
export const evidenceContext = (paymentId: string) => `evidence:${paymentId}`;
