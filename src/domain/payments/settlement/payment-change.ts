import { and, eq, sql } from "drizzle-orm";
import { addressAtStripe } from "@/contract/vocabulary/addresses";
import { theShop } from "@/core/base/actor";
import { mustHaveChanged, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { placeholderFor, preparedWrite } from "@/core/database/prepared";
import type { AccountLicences } from "../../licences/entitlement/account-licences";
import { newerVersions, putVersionedKey, readVersions } from "../../licences/keys/key-versions";
import { licencesOfPayment } from "../../licences/entitlement/sold";
import { isRenewal, type Payment, payments } from "../../schema/payments";
import type { CheckoutFacts, PaymentRefund } from "../port/stripe";
import { buyerColumns, isOrderOf, isReadable } from "../port/order-terms";
import { codeUseWrites } from "./code-limit";
import { consequences, type Settlement } from "./consequences";
import { trialColumns } from "./trials";
import { addedTax, addsUp, type OrderFacts, decide, type KnownFacts } from "./decide";

type ReplacedKeys = { keyEditions: number[]; writes: Write[] };

/**
 * The keys that were replaced after the backup was made, if this database was restored from one: the keys in the
 * database went to somebody else.
 */
export async function keysReplacedMeanwhile(
  ctx: Ctx,
  held: Payment,
  facts: CheckoutFacts,
): Promise<ReplacedKeys | null> {
  const kept = readVersions(ctx, held.sessionId, facts.writtenKeyVersions);
  const keyEditions = newerVersions(held.keyEditions, kept);
  if (!keyEditions) return null;
  const sold = await licencesOfPayment(ctx, held.id);
  const replaced = sold.filter(({ paymentIndex: at }) => keyEditions[at] !== (held.keyEditions?.[at] ?? 0));
  const order = { sessionId: held.sessionId, keyEditions };
  const by = { actor: theShop, reason: "It was replaced after the backup was made." };
  return { keyEditions, writes: replaced.flatMap((licence) => putVersionedKey(ctx, order, licence, by)) };
}

/** What else a settlement writes: the payment's refunds and disputes where they differ from our rows. */
type SettlementExtras = {
  buyer: AccountLicences | null;
  trialTaken: boolean;
  codeSpent: boolean;
  unwanted: boolean;
  replaced: ReplacedKeys | null;
  moneyBack: Write[];
};

type Change = { writes: Write[]; after: Payment; settlement: Settlement | null };

/** The writes that bring our rows to what Stripe holds; null if nothing differs. */
export function paymentChangeOf(
  ctx: Ctx,
  held: Payment,
  read: CheckoutFacts,
  { buyer, trialTaken, codeSpent, unwanted, replaced, moneyBack }: SettlementExtras,
): Change | null {
  const facts = filledIn(ctx, read, held);
  const sold = held.soldAt !== null;
  const decision = decide(facts, {
    terms: agreedTerms(held, read.order),
    livemode: held.livemode,
    sold,
    trialTaken,
    codeSpent,
    unwanted,
  });
  const { paymentStatus, ...decided } = decision;
  const isErased = isOfErasedBuyer(held, { sells: !sold && paymentStatus !== null });
  // a payment begun before a code took everything off was never made
  const isFree = !sold && facts.paid && facts.intent === null;
  const wanted: Partial<SettledColumns> = {
    ...decided,
    invoiceUrl: facts.invoice?.url ?? held.invoiceUrl,
    ...taxFactsAs(held, facts, isErased),
    fraudWarnedAt: held.fraudWarnedAt ?? (facts.warned ? ctx.now() : null),
    intentId: facts.intent?.id ?? (isFree ? null : held.intentId),
    method: facts.charge?.method ?? (isFree ? null : held.method),
    // do not store again an address that was erased
    ...(sold || isErased || facts.email === null ? {} : buyerColumns(addressAtStripe(facts.email))),
    ...(sold || facts.status !== "complete"
      ? {}
      : { ...priceAs(facts), promotionCode: read.code?.name ?? null, promotionId: read.code?.id ?? null }),
    ...(sold || !facts.paid ? {} : paidAs(ctx, held, facts)),
    // what an invoice asks is Stripe's, as after a switch
    ...(sold || facts.mode !== "renewal" ? {} : { unitAmount: facts.subtotal }),
    ...(sold ? {} : trialColumns(read)),
    subscription: held.subscription ?? facts.subscription,
    periodEndsAt: facts.periodEndsAt ?? held.periodEndsAt,
    refundKeeps: newestKeeps(read.refunds),
    ...(replaced && { keyEditions: replaced.keyEditions }),
    soldAt: held.soldAt ?? (paymentStatus === null ? null : ctx.now()),
  };
  const isSame = sameAs(held, wanted);
  if (isSame && moneyBack.length === 0) return null;
  const after = { ...held, ...wanted, version: held.version + 1, looks: held.looks + 1 };
  const writes = [
    update(ctx.store, { ...after, heldVersion: held.version, heldLooks: held.looks }),
    mustHaveChanged("conflict"),
    ...moneyBack,
  ];
  // such as when a pending refund succeeded
  if (isSame) return { writes, after, settlement: null };
  const settlement = { before: held, after, decision, buyer };
  writes.push(
    ...(replaced?.writes ?? []),
    ...consequences(ctx, settlement),
    ...codeUseWrites(ctx, settlement, { code: read.code, isSpent: codeSpent }),
  );
  return { writes, after, settlement };
}

/** What was agreed, as far as this release can read it. */
function agreedTerms(held: Payment, order: CheckoutFacts["order"]): OrderFacts["terms"] {
  if (!isReadable(held)) return "newer";
  return isOrderOf(held, order) ? held : "altered";
}

/**
 * Records that we read the session, so that another process whose read began earlier does not store its answer later: a
 * refund that failed meanwhile leaves no trace in what we hold. Not needed in a single process, which settles a session
 * once at a time, nor for an open session, which has had no other state.
 */
export function recordCheck(ctx: Ctx, held: Payment, facts: CheckoutFacts): Change | null {
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

/** A full refund whose time Stripe doesn't say was made when we first saw it. */
const filledIn = (ctx: Ctx, { charge, ...facts }: CheckoutFacts, held: Payment): KnownFacts => ({
  ...facts,
  charge: charge && { ...charge, refundedAt: charge.refundedAt ?? held.refundedAt ?? ctx.now() },
});

/** Whether staff made the newest refund that stands without ending anything. */
const newestKeeps = (refunds: PaymentRefund[]): boolean =>
  refunds
    .filter(({ status }) => status !== "failed" && status !== "canceled")
    .toSorted((one, other) => other.at.getTime() - one.at.getTime())[0]?.keeps ?? false;

/** The columns that a settlement may change. */
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
  "promotionCode",
  "promotionId",
  "invoiceUrl",
  "invoiceNumber",
  "buyerCountry",
  "taxId",
  "taxIdKind",
  "cardBrand",
  "cardLast4",
  "chargeId",
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
  "subscription",
  "periodEndsAt",
  "creditAmount",
  "outsideAmount",
  "trialAt",
  "trialCard",
  "unitAmount",
  "refundKeeps",
] as const;
type SettledColumns = Pick<Payment, (typeof settledColumns)[number]>;

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
        eq(payments.version, sql.placeholder("heldVersion")),
        eq(payments.looks, sql.placeholder("heldLooks")),
      ),
    ),
);

/** Discount and tax of a completed checkout, paid or not; unknown if the total doesn't add up. */
const priceAs = (facts: KnownFacts): Partial<SettledColumns> =>
  addsUp(facts)
    ? {
        offAmount: facts.off,
        taxAmount: addedTax(facts),
        taxIncluded: facts.taxes - addedTax(facts),
        creditAmount: facts.credit,
      }
    : {};

/**
 * A completed order knows its buyer's address until they are erased, and a renewal has that of the order from its
 * beginning. What was erased before it was paid is sold to somebody, who gets the key.
 */
const isOfErasedBuyer = (held: Payment, { sells }: { sells: boolean }): boolean =>
  held.email === null && (held.soldAt !== null || isRenewal(held) || (held.state === "processing" && !sells));

/** What a tax adviser asks for. A card is not stored again once its buyer was erased. */
function taxFactsAs(
  held: Payment,
  { buyer, charge, invoice }: KnownFacts,
  isErased: boolean,
): Partial<SettledColumns> {
  const isSold = held.soldAt !== null;
  // until it is sold, it may yet be paid with another card, by somebody elsewhere
  const card = isErased || (isSold && held.cardLast4 !== null) ? null : charge?.card;
  const kept = isSold ? held : { buyerCountry: null, taxId: null, taxIdKind: null };
  return {
    invoiceNumber: invoice?.number ?? held.invoiceNumber,
    buyerCountry: kept.buyerCountry ?? buyer.country,
    taxId: kept.taxId ?? buyer.taxId?.value ?? null,
    taxIdKind: kept.taxIdKind ?? buyer.taxId?.kind ?? null,
    chargeId: charge?.id ?? held.chargeId,
    ...(card && { cardBrand: card.brand, cardLast4: card.last4 }),
  };
}

/** What was paid and when. */
const paidAs = (ctx: Ctx, held: Payment, facts: KnownFacts): Partial<SettledColumns> => ({
  paidAmount: facts.intent?.received ?? 0,
  outsideAmount: outsideOf(facts),
  paidAt: held.paidAt ?? facts.paidAt ?? arrivedAt(ctx, held, facts),
});

/** Of money whose arrival Stripe doesn't say: what was on its way has come just now, everything else with its charge. */
const arrivedAt = (ctx: Ctx, held: Payment, { chargedAt }: KnownFacts): Date =>
  held.state === "processing" ? ctx.now() : (chargedAt ?? ctx.now());

/** What of a paid invoice no payment paid. */
const outsideOf = ({ subscription, total, credit, intent }: KnownFacts): number =>
  subscription === null ? 0 : Math.max(total - credit - (intent?.received ?? 0), 0);

const sameAs = (held: Payment, wanted: Partial<SettledColumns>) =>
  Object.entries(wanted).every(([name, value]) => Bun.deepEquals(held[name as keyof Payment], value));
