import { and, eq, sql } from "drizzle-orm";
import type { Write } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { actorId, theShop } from "@/core/base/actor";
import { disputes, type DisputeTaking, type StripeRefund, stripeRefunds } from "../../schema/money-back";
import type { Payment } from "../../schema/payments";
import { type Refund, refunds } from "../../schema/refunds";
import type { CheckoutFacts, DisputeHeld } from "../port/stripe";
import { failedAtStripe, logRefund, redrawCardOf } from "../refunds/refunds";
import { hasMoney } from "../port/disputes";

/**
 * The writes that bring the rows of a payment's refunds and disputes to what Stripe holds; none for an ordinary
 * payment, which costs no query either. For the commit of the
 * settlement, whose guard they rely on.
 */
export async function moneyBackWrites(ctx: Ctx, held: Payment, facts: CheckoutFacts): Promise<Write[]> {
  const { refunds: listed, disputes: opened } = facts;
  const mayHaveRefunds = held.refundedAmount > 0 || listed.length > 0;
  const hadDispute = held.disputeStatus !== null || opened.length > 0;
  const now = ctx.now();
  const { db } = ctx.store;
  const [ofRefunds, ofDisputes] = await Promise.all([
    mayHaveRefunds ? db.select().from(stripeRefunds).where(eq(stripeRefunds.paymentId, held.id)) : [],
    hadDispute ? db.select().from(disputes).where(eq(disputes.paymentId, held.id)) : [],
  ]);
  const refunds = mayHaveRefunds ? wantedRefunds(held, ofRefunds, listed) : [];
  const takings = hadDispute ? opened.flatMap((one) => takingsOf(held, one, ofDisputes, now)) : [];
  return [
    ...(mayHaveRefunds ? refundWrites(ctx, ofRefunds, refunds) : []),
    ...(await failedRefundWrites(ctx, held, refunds, listed)),
    ...(hadDispute ? takingWrites(ctx, ofDisputes, takings) : []),
  ];
}

function refundWrites({ store: { db } }: Ctx, held: StripeRefund[], wanted: StripeRefund[]): Write[] {
  const gone = held.filter(({ id }) => !wanted.some((one) => one.id === id));
  const changed = wanted.filter((one) => !held.some((row) => isSame(row, one)));
  return [
    ...gone.map(({ id }) => db.delete(stripeRefunds).where(eq(stripeRefunds.id, id))),
    ...changed.map((one) =>
      db.insert(stripeRefunds).values(one).onConflictDoUpdate({ target: stripeRefunds.id, set: one }),
    ),
  ];
}

function takingWrites({ store: { db } }: Ctx, held: DisputeTaking[], wanted: DisputeTaking[]): Write[] {
  const gone = held.filter((row) => !wanted.some(({ id, taking }) => row.id === id && row.taking === taking));
  const changed = wanted.filter((one) => !held.some((row) => isSame(row, one)));
  return [
    ...gone.map(({ id, taking }) =>
      db.delete(disputes).where(sql`${disputes.id} = ${id} AND ${disputes.taking} = ${taking}`),
    ),
    ...changed.map((one) =>
      db
        .insert(disputes)
        .values(one)
        .onConflictDoUpdate({ target: [disputes.id, disputes.taking], set: one }),
    ),
  ];
}

const isSame = <Row extends object>(row: Row, other: Row) => Bun.deepEquals(row, other);

/**
 * The writes that make staff's refunds stand as failed once they failed at Stripe, and that add a failed one which was
 * made in Stripe's dashboard, so that staff see it.
 */
async function failedRefundWrites(
  ctx: Ctx,
  payment: Payment,
  held: StripeRefund[],
  listed: CheckoutFacts["refunds"],
): Promise<Write[]> {
  const ended = held.filter(({ status }) => status === "failed" || status === "canceled");
  if (ended.length === 0) return [];
  const asked = await ctx.store.db.select().from(refunds).where(eq(refunds.paymentId, payment.id));
  return ended.flatMap((one) => {
    const request = listed.find(({ id }) => id === one.id)?.request;
    // one that is still being sent to Stripe fails there
    const known = asked.find(({ stripeId }) => stripeId === one.id) ?? asked.find(isFor(request));
    if (known) return known.state === "made" ? failKnownRefund(ctx, payment, known, one) : [];
    return one.status === "failed" ? addFailedRefund(ctx, payment, one) : [];
  });
}

const isFor = (request: string | null | undefined) => (asked: Refund) =>
  asked.request === request && asked.stripeId === null;

const refusedEntry = (ctx: Ctx, payment: Payment, refund: Pick<Refund, "id" | "amount">): Write =>
  logRefund(ctx, { actor: theShop, action: "payment.refund_refused" }, { payment, refund });

const failKnownRefund = (ctx: Ctx, payment: Payment, known: Refund, { id }: StripeRefund): Write[] => [
  ctx.store.db
    .update(refunds)
    .set(failedAtStripe(ctx, id))
    .where(and(eq(refunds.id, known.id), eq(refunds.state, "made"))),
  ...redrawCardOf(ctx, known),
  refusedEntry(ctx, payment, known),
];

function addFailedRefund(ctx: Ctx, payment: Payment, { id: stripeId, amount, at }: StripeRefund): Write[] {
  const refund = { id: newId(), amount };
  return [
    ctx.store.db.insert(refunds).values({
      ...refund,
      ...failedAtStripe(ctx, stripeId),
      paymentId: payment.id,
      request: stripeId,
      reason: "Made at Stripe",
      askedBy: actorId(theShop),
      createdAt: at,
      madeAt: at,
    }),
    refusedEntry(ctx, payment, refund),
  ];
}

type Owner = Pick<Payment, "id" | "currency">;
/** The rows that a payment's refunds should be. */
function wantedRefunds(
  payment: Owner,
  held: StripeRefund[],
  listed: CheckoutFacts["refunds"],
): StripeRefund[] {
  // of a charge without refunds Stripe lists none: those that it had have failed
  const failed = held.filter((row) => !listed.some(({ id }) => id === row.id));
  return [
    ...listed.map(({ id, amount, currency, status, at }) => ({
      id,
      paymentId: payment.id,
      amount,
      currency,
      status,
      at,
    })),
    ...failed.map((row) => ({ ...row, status: endedStatus(row) })),
  ];
}

const endedStatus = ({ status }: StripeRefund) => (status === "canceled" ? status : ("failed" as const));

/**
 * Each time that a dispute took the money, and when it gave it back. Where Stripe reports no such movement, the status
 * decides: a dispute that has the money took it when it was opened, and one that gave it back did so when we found out.
 */
function takingsOf(payment: Owner, dispute: DisputeHeld, held: DisputeTaking[], now: Date): DisputeTaking[] {
  const { id, amount, currency, status, at } = dispute;
  const takings = dispute.moves.reduce(applyMove, []);
  const last = takings.at(-1);
  const known = (taking: number) => held.find((row) => row.id === id && row.taking === taking);
  if (hasMoney(status) && (!last || last.returnedAt)) {
    const takenAt = last ? (known(takings.length)?.takenAt ?? now) : at;
    takings.push({ takenAt, returnedAt: null });
  }
  if (status === "won" && !last) takings.push({ takenAt: at, returnedAt: null });
  const open = takings.at(-1);
  if (!hasMoney(status) && open) open.returnedAt ??= known(takings.length - 1)?.returnedAt ?? now;
  return takings.map((taking, index) => ({
    id,
    taking: index,
    paymentId: payment.id,
    amount: amount ?? 0,
    currency: currency ?? payment.currency,
    status,
    ...taking,
  }));
}

type TakingTimes = Pick<DisputeTaking, "takenAt" | "returnedAt">;

function applyMove(takings: TakingTimes[], { at, taken }: DisputeHeld["moves"][number]): TakingTimes[] {
  const last = takings.at(-1);
  if (taken) return !last || last.returnedAt ? [...takings, { takenAt: at, returnedAt: null }] : takings;
  if (last && !last.returnedAt) last.returnedAt = at;
  return takings;
}
