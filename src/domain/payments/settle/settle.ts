import { and, eq, isNull, sql } from "drizzle-orm";
import { addressAtStripe } from "@/contract/addresses";
import { commit, mustHaveChanged, type Write } from "@/core/commit";
import { retryOnConflict } from "@/core/conflict";
import type { Ctx } from "@/core/context";
import { failpoint } from "@/core/failpoints";
import { notice } from "@/core/notice";
import { preparedRead } from "@/core/prepared-read";
import { preparedWrite, placeholderFor } from "@/core/prepared-write";
import type { Charge, CheckoutFacts, CheckoutGateway, Dispute, EventSubject } from "../checkout/checkout";
import { newerEditions, putEditionKey, readEditions } from "../../licences/key-editions";
import { licencesOfPayment } from "../../licences/sold";
import { billOf } from "../../bills/bill";
import type { Holding } from "../../licences/holding";
import { buyersAccountOf, markedAccount } from "../checkout/buyers-account";
import { consequences, type Settlement, timeWrites } from "./consequences";
import { addedTax, addsUp, type Asked, decide, type KnownFacts } from "./decide";
import { disputeStatuses } from "./disputes";
import { sealFits } from "../checkout/order";
import { markFits } from "../checkout/order-mark";
import {
  buyerAt,
  columnsOf,
  lacksTerms,
  type Order,
  type OrderMark,
  termsOf,
  unreadColumns,
} from "../checkout/order-terms";
import { type Payment, payments } from "../../schema/payments";
import { serialQueue } from "./serial-queue";

/**
 * Brings a payment and its licence to what Stripe holds now. The webhook, the result page and the sweep all call
 * this, in any order, any number of times, at once. Resolves to the payment, or to null if the session isn't this
 * shop's. Throws `CheckoutUnreachable` if Stripe is away.
 *
 * A session has one settlement at a time. Callers that arrive meanwhile share the next one, which asks Stripe again,
 * so an older answer can't overwrite a newer one and a crowd costs two calls.
 */
export const settle = (
  ctx: Ctx,
  gateway: CheckoutGateway,
  sessionId: string,
  also = { warnings: false },
): Promise<Payment | null> =>
  queue(ctx.store, sessionId, also, (wanted) =>
    retryOnConflict(() => settleNow(ctx, gateway, sessionId, wanted)),
  );

const queue = serialQueue<Payment | null>();

/** Settles what an event is about; null if that isn't a session of this shop. */
export async function settleSubject(ctx: Ctx, gateway: CheckoutGateway, subject: EventSubject) {
  const sessionId = await sessionOf(ctx, gateway, subject);
  return sessionId ? settle(ctx, gateway, sessionId, { warnings: "warning" in subject }) : null;
}

async function settleNow(
  ctx: Ctx,
  gateway: CheckoutGateway,
  sessionId: string,
  also: { warnings: boolean },
): Promise<Payment | null> {
  // Our row is read before Stripe is asked: if another process settles in between, even without a change, this
  // commit's guard fails, so an older answer from Stripe never overwrites a newer one.
  const held = await paymentOfSession(ctx, sessionId);
  const facts = await gateway.read(sessionId, also);
  failpoint("settle.read");
  if (!facts) return held ?? null;
  const again = () => settleNow(ctx, gateway, sessionId, also);
  if (!held) return (await importSession(ctx, facts)) ? again() : null;
  if (lacksTerms(held) && facts.order?.id === held.id && sealFits(ctx, facts.order)) {
    await fillIn(ctx, held, facts.order);
    return again();
  }
  const buyer = facts.paid ? await buyersAccountOf(ctx, held) : null;
  const replaced = await replacedMeanwhile(ctx, held, facts);
  const change = changeOf(ctx, held, facts, { buyer, replaced }) ?? unchanged(ctx, held, facts);
  if (!change) return held;
  const time = change.settlement ? await timeWrites(ctx, change.settlement) : [];
  await commit(ctx.store, [...change.writes, ...time]);
  failpoint("settle.stored");
  return change.after;
}

export async function paymentOfSession(ctx: Ctx, sessionId: string): Promise<Payment | undefined> {
  return (await bySession(ctx.store).all({ sessionId }))[0];
}

const bySession = preparedRead((db) =>
  db
    .select()
    .from(payments)
    .where(eq(payments.sessionId, sql.placeholder("sessionId")))
    .prepare(),
);

/** Looks in our own table first: most events are about known payments. */
async function sessionOf(ctx: Ctx, gateway: CheckoutGateway, subject: EventSubject): Promise<string | null> {
  if ("sessionId" in subject) return subject.sessionId;
  const [known] = await ctx.store.db
    .select({ sessionId: payments.sessionId })
    .from(payments)
    .where(eq(payments.intentId, subject.intentId));
  return known?.sessionId ?? gateway.sessionOf(subject.intentId);
}

/**
 * Adopts a completed session that this shop created but doesn't know, as after restoring a backup. The seal proves
 * that it is ours and what was agreed; of an order that this release can't read, the mark proves that it is ours. A
 * second session with the order of a known payment was made by somebody else: staff are told, and nothing is sold.
 */
async function importSession(ctx: Ctx, facts: CheckoutFacts): Promise<boolean> {
  const order = facts.order && sealFits(ctx, facts.order) ? facts.order : null;
  const mark = facts.mark && markFits(ctx, facts.mark) ? facts.mark : null;
  const ours = order ?? mark;
  if (facts.status !== "complete" || !ours) return false;
  const { id } = ours;
  const [namesake] = await ctx.store.db
    .select({ sessionId: payments.sessionId })
    .from(payments)
    .where(eq(payments.id, id));
  if (namesake && namesake.sessionId !== facts.sessionId) {
    const what = `the session ${facts.sessionId} carries the order of another`;
    await commit(ctx.store, notice(ctx, `${id}:copied`, { kind: "copied session", what }));
    return false;
  }
  await commit(ctx.store, [
    ctx.store.db
      .insert(payments)
      .values({
        ...(await orderColumns(ctx, facts, ours)),
        keyEditions: readEditions(ctx, facts.sessionId, facts.writtenEditions),
        sessionId: facts.sessionId,
        state: "open",
        livemode: facts.livemode,
        createdAt: facts.createdAt,
      })
      .onConflictDoNothing(),
  ]);
  return true;
}

const orderColumns = async (ctx: Ctx, facts: CheckoutFacts, ours: Order | OrderMark) =>
  "seal" in ours
    ? { ...columnsOf(ours), seal: ours.seal, accountId: await markedAccount(ctx, ours) }
    : unreadColumns(ours, facts);

/** Stores the terms of an order that the release which adopted it couldn't read. */
async function fillIn(ctx: Ctx, { id, version }: Payment, order: Order): Promise<void> {
  const terms = { ...columnsOf(order), seal: order.seal, accountId: await markedAccount(ctx, order) };
  await commit(ctx.store, [
    ctx.store.db
      .update(payments)
      .set({ ...terms, version: version + 1 })
      .where(and(eq(payments.id, id), eq(payments.version, version), isNull(payments.soldAt))),
  ]);
}

type Replaced = { keyEditions: number[]; writes: Write[] };

/**
 * The keys that were replaced after a backup was made, if this database was restored from it: those that it has went to
 * somebody else.
 */
async function replacedMeanwhile(ctx: Ctx, held: Payment, facts: CheckoutFacts): Promise<Replaced | null> {
  const kept = readEditions(ctx, held.sessionId, facts.writtenEditions);
  const keyEditions = newerEditions(held.keyEditions, kept);
  if (!keyEditions) return null;
  const sold = await licencesOfPayment(ctx, held.id);
  const replaced = sold.filter(({ paymentIndex: at }) => keyEditions[at] !== (held.keyEditions?.[at] ?? 0));
  const order = { sessionId: held.sessionId, keyEditions };
  return { keyEditions, writes: replaced.flatMap((licence) => putEditionKey(ctx, order, licence)) };
}

type Change = { writes: Write[]; after: Payment; settlement: Settlement | null };

/** The writes that bring us to what Stripe holds; null if nothing differs. */
function changeOf(
  ctx: Ctx,
  held: Payment,
  read: CheckoutFacts,
  { buyer, replaced }: { buyer: Holding | null; replaced: Replaced | null },
): Change | null {
  const facts = filledIn(ctx, read, held);
  const sold = held.soldAt !== null;
  const decision = decide(facts, {
    terms: askedOf(held),
    seal: held.seal,
    livemode: held.livemode,
    sold,
  });
  const { paymentStatus, ...decided } = decision;
  // a payment that was begun before a code took everything off has come to nothing
  const isFree = !sold && facts.paid && facts.intent === null;
  const wanted: Partial<Settled> = {
    ...decided,
    invoiceUrl: facts.invoice?.url ?? held.invoiceUrl,
    fraudWarnedAt: held.fraudWarnedAt ?? (facts.warned ? ctx.now() : null),
    intentId: facts.intent?.id ?? (isFree ? null : held.intentId),
    method: facts.charge?.method ?? (isFree ? null : held.method),
    // an address erased after the sale is not stored again
    ...(sold || facts.email === null ? {} : buyerAt(addressAtStripe(facts.email))),
    ...(sold || !facts.paid ? {} : paidAs(ctx, held, facts)),
    ...(replaced && { keyEditions: replaced.keyEditions }),
    soldAt: held.soldAt ?? (paymentStatus === null ? null : ctx.now()),
  };
  if (sameAs(held, wanted)) return null;
  const after = { ...held, ...wanted, version: held.version + 1, looks: held.looks + 1 };
  const settlement = { before: held, after, decision, buyer };
  const writes = [
    update(ctx.store, { ...after, held: held.version, looked: held.looks }),
    mustHaveChanged("conflict"),
    ...(replaced?.writes ?? []),
    ...consequences(ctx, settlement),
  ];
  return { writes, after, settlement };
}

/** What was agreed, as far as this release can know it. */
function askedOf(held: Payment): Asked["terms"] {
  const terms = termsOf(held);
  if (!terms) return "newer";
  return lacksTerms(held) && held.soldAt === null ? "altered" : terms;
}

/**
 * Notes that Stripe was looked at, so that another process whose look began earlier does not store it later: a refund
 * that failed meanwhile leaves no trace in what we hold. A process that is alone has one settlement at a time, and an
 * open session has been nothing else before.
 */
function unchanged(ctx: Ctx, held: Payment, facts: CheckoutFacts): Change | null {
  if (ctx.store.sole || facts.status === "open") return null;
  const after = { ...held, looks: held.looks + 1 };
  const writes = [
    ctx.store.db
      .update(payments)
      .set({ looks: after.looks })
      .where(
        and(eq(payments.id, held.id), eq(payments.version, held.version), eq(payments.looks, held.looks)),
      ),
    mustHaveChanged("conflict"),
  ];
  return { writes, after, settlement: null };
}

/** Assumes that what the key may not read is unchanged, and that what is new happened now. */
function filledIn(ctx: Ctx, facts: CheckoutFacts, held: Payment): KnownFacts {
  const { charge, disputes, intent, invoice } = facts;
  const known = charge === "unread" ? intent && chargeHeld(held, intent.createdAt) : charge;
  return {
    ...facts,
    invoice: invoice === "unread" ? null : invoice,
    charge: known && { ...known, refundedAt: known.refundedAt ?? held.refundedAt ?? ctx.now() },
    disputes: disputes === "unread" ? disputesHeld(ctx, held) : disputes,
  };
}

/** A status that only a newer release knows takes the licence until that release says otherwise. */
function disputesHeld(ctx: Ctx, held: Payment): Dispute[] {
  if (held.disputeStatus === null) return [];
  return [
    {
      status: disputeStatuses.find((known) => known === held.disputeStatus) ?? "under_review",
      at: held.disputedAt ?? ctx.now(),
      reason: held.disputeReason,
      amount: held.disputeAmount,
      currency: held.disputeCurrency,
      answerBy: held.disputeAnswerBy,
    },
  ];
}

function chargeHeld(held: Payment, begun: Date): Charge {
  const { method, paidAt, refundedAmount, refundedAt } = held;
  const refunded = refundedAmount > 0 && refundedAmount >= billOf(held).paid;
  return { method, paidAt: paidAt ?? begun, amountRefunded: refundedAmount, refunded, refundedAt };
}

/** What a settlement may change. */
const settledColumns = [
  "state",
  "failureReason",
  "disputeStatus",
  "disputedAt",
  "disputeReason",
  "disputeAmount",
  "disputeCurrency",
  "disputeAnswerBy",
  "refundedAt",
  "paidAmount",
  "offAmount",
  "taxAmount",
  "taxIncluded",
  "invoiceUrl",
  "refundedAmount",
  "mismatch",
  "fraudWarnedAt",
  "intentId",
  "method",
  "email",
  "unusualEmailKey",
  "keyEditions",
  "paidAt",
  "soldAt",
] as const;
type Settled = Pick<Payment, (typeof settledColumns)[number]>;

const update = preparedWrite((db) =>
  db
    .update(payments)
    .set(
      Object.fromEntries(
        [...settledColumns, "version" as const, "looks" as const].map((name) => [
          name,
          placeholderFor(payments[name], name),
        ]),
      ),
    )
    .where(
      and(
        eq(payments.id, sql.placeholder("id")),
        eq(payments.version, sql.placeholder("held")),
        eq(payments.looks, sql.placeholder("looked")),
      ),
    ),
);

/** What was paid and when. A total that doesn't add up leaves discount and tax unknown. */
const paidAs = (ctx: Ctx, held: Payment, facts: KnownFacts): Partial<Settled> => ({
  paidAmount: facts.intent?.received ?? 0,
  ...(addsUp(facts) && {
    offAmount: facts.off,
    taxAmount: addedTax(facts),
    taxIncluded: facts.taxes - addedTax(facts),
  }),
  paidAt: held.paidAt ?? paidAtOf(held, facts) ?? ctx.now(),
});

/**
 * When the money arrived, if the charge says so. A delayed payment's charge is as old as the order. Of a free order
 * nothing was charged, and a charge that failed before says nothing.
 */
const paidAtOf = ({ state }: Payment, { intent, charge }: KnownFacts) =>
  state !== "processing" && intent?.received ? charge?.paidAt : null;

const sameAs = (held: Payment, wanted: Partial<Settled>) =>
  Object.entries(wanted).every(([name, value]) => {
    const now = held[name as keyof Payment];
    return now instanceof Date && value instanceof Date ? now.getTime() === value.getTime() : now === value;
  });
