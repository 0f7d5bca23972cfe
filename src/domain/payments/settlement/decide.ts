import { trialTakenBefore } from "../../offers/trials-taken";
import type { PaymentStatus } from "../../schema/licences";
import type { CheckoutFacts, Dispute } from "../port/stripe";
import { outcomeOfDisputes } from "../port/disputes";
import type { Payment, PaymentState } from "../../schema/payments";

type Terms = Pick<Payment, "unitAmount" | "currency" | "every" | "trialDays" | "quantity">;

/**
 * What was agreed when the session was created, and whether it ever gave a licence. `newer`: a newer release wrote the
 * order, and this one can't read it. `altered`: the order at Stripe is not what this shop wrote.
 */
export type OrderFacts = {
  terms: Terms | "newer" | "altered";
  livemode: boolean;
  sold: boolean;
  /** It begins a trial, and the buyer had one before. */
  trialTaken: boolean;
  /** Its code is limited, and other orders hold all its uses. */
  codeSpent: boolean;
  /** It is the first payment of a subscription that had already ended, or of an account with a lifetime. */
  unwanted: boolean;
};

/** The failure reason of money that came too late. Payments keep it, so its words stay. */
// oxlint-disable-next-line words/shown-words
export const unwantedMoney = "There was nothing to pay for any more, so the payment is given back.";

/** What Stripe holds. */
export type KnownFacts = Omit<
  CheckoutFacts,
  "refunds" | "disputes" | "code" | "order" | "writtenKeyVersions"
> & { disputes: Dispute[] };

export type Decision = {
  state: PaymentState;
  failureReason: string | null;
  /** The payment's status on its licence; null if nothing was paid and there is no licence. */
  paymentStatus: PaymentStatus | null;
  disputeStatus: string | null;
  refundedAmount: number;
  /**
   * When the payment was refunded in full, and when the earliest dispute that still counts took the money; null if not.
   */
  refundedAt: Date | null;
  disputedAt: Date | null;
  /** That of the dispute with the next deadline, or else of the gravest. */
  disputeReason: string | null;
  disputeAmount: number | null;
  disputeCurrency: string | null;
  disputeAnswerBy: Date | null;
  /** Which facts differ from what was agreed, if any; a mismatch sells nothing. */
  mismatch: string | null;
};

/**
 * The rule of settling: the state of a payment and its licence, given what Stripe holds now. It knows nothing about
 * events, so they may come late, twice, out of order or not at all.
 */
export function decide(facts: KnownFacts, asked: OrderFacts): Decision {
  const { paymentStatus: disputed, ...ofDisputes } = outcomeOfDisputes(facts.disputes);
  const settled = {
    ...ofDisputes,
    refundedAmount: facts.charge?.amountRefunded ?? 0,
    refundedAt: facts.charge?.refunded ? facts.charge.refundedAt : null,
    failureReason: null,
    paymentStatus: null,
    mismatch: null,
  };
  // edits at Stripe after the sale take nothing back; only refunds and disputes do
  if (asked.sold) return { ...settled, ...paid(disputed, facts.charge?.refunded ?? false) };
  if (facts.status === "open") return { ...settled, state: "open" };
  if (facts.status === "expired") {
    return { ...settled, state: "expired", failureReason: "The checkout expired before it was paid." };
  }
  if (!facts.paid) return { ...settled, ...unpaid(facts) };
  if (asked.terms === "newer")
    return { ...settled, ...deferredDecision(disputed, facts.charge?.refunded ?? false) };
  const mismatch = differences(facts, { ...asked, terms: asked.terms });
  if (mismatch) {
    const failureReason = "The payment does not match the order.";
    return { ...settled, state: "failed", failureReason, mismatch };
  }
  if (asked.codeSpent && facts.total === 0) {
    const failureReason = "The promotion code was used up before.";
    return { ...settled, state: "failed", failureReason, mismatch: "a used up code" };
  }
  if (asked.trialTaken) return { ...settled, state: "failed", failureReason: trialTakenBefore };
  if (asked.unwanted) return { ...settled, state: "failed", failureReason: unwantedMoney };
  return { ...settled, ...paid(disputed, facts.charge?.refunded ?? false) };
}

/** A completed checkout without money: a delayed payment that is on its way or has failed. */
function unpaid(facts: KnownFacts): Pick<Decision, "state" | "failureReason"> {
  if (facts.ended) return { state: "failed", failureReason: "It was canceled before the payment arrived." };
  if (facts.intent?.onItsWay) {
    return { state: "processing", failureReason: "The payment is still being processed." };
  }
  return { state: "failed", failureReason: facts.intent?.failure ?? "The payment failed." };
}

/** Paid, but this release can't read for what: waits for the newer release, and gives no licence until then. */
function deferredDecision(...[disputed, refunded]: Parameters<typeof paid>): ReturnType<typeof paid> {
  const became = { ...paid(disputed, refunded), paymentStatus: null };
  if (became.state !== "succeeded") return became;
  return { ...became, state: "processing", failureReason: "We're looking at the order." };
}

function paid(
  disputed: "good" | "disputed" | "revoked",
  refunded: boolean,
): Pick<Decision, "state" | "failureReason" | "paymentStatus"> {
  if (disputed === "revoked") {
    return {
      state: "disputed",
      failureReason: "The payment was disputed and lost.",
      paymentStatus: "revoked",
    };
  }
  if (disputed === "disputed") {
    return { state: "disputed", failureReason: "The payment is disputed.", paymentStatus: "disputed" };
  }
  if (refunded) {
    return { state: "refunded", failureReason: "The payment was refunded.", paymentStatus: "refunded" };
  }
  return { state: "succeeded", failureReason: null, paymentStatus: "good" };
}

type Readable = { terms: Terms | "altered"; livemode: boolean };

function differences(facts: KnownFacts, { terms, livemode }: Readable): string | null {
  // Stripe makes renewals, with switches, credits and manual changes: what it calls paid is paid
  if (facts.mode === "renewal") return null;
  if (terms === "altered") return "order";
  const first = terms.trialDays === null ? terms.unitAmount : 0;
  const wrong = {
    amount: facts.subtotal !== first * terms.quantity,
    quantity: facts.quantity !== terms.quantity,
    currency: facts.currency !== terms.currency,
    mode: facts.mode !== (terms.every === null ? "payment" : "subscription"),
    price: terms.every !== null && !isSoldAt(facts.recurring, terms),
    livemode: facts.livemode !== livemode,
    total: !addsUp(facts),
    // a code may leave nothing to pay; Stripe then makes no payment intent
    // of a subscription, Stripe says that its invoice is paid, be it elsewhere
    money: terms.every === null && (facts.intent?.received ?? 0) !== facts.total,
    "several keys for nothing": terms.quantity > 1 && facts.total === 0,
  };
  const names = Object.entries(wrong).flatMap(([name, differs]) => (differs ? [name] : []));
  return names.length > 0 ? names.join(", ") : null;
}

/** Whether a subscription costs what was agreed, as often, after the same trial: its first invoice may ask for nothing. */
const isSoldAt = (recurring: CheckoutFacts["recurring"], { unitAmount, every, trialDays }: Terms): boolean =>
  recurring?.amount === unitAmount &&
  recurring.every === every &&
  (trialDays === null || recurring.firstDays === trialDays);

/** The tax on top of the price. Stripe reports it only together with the tax within the price. */
export const addedTax = ({ subtotal, off, total }: Pick<CheckoutFacts, "subtotal" | "off" | "total">) =>
  total - (subtotal - off);

/** Whether price, discount and tax make the total, which is negative if a switch left credit. */
export function addsUp(facts: KnownFacts): boolean {
  const sign = facts.taxes < 0 ? -1 : 1;
  return sign * addedTax(facts) >= 0 && sign * addedTax(facts) <= sign * facts.taxes;
}
