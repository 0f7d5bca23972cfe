import type { PurchaseResult } from "@/contract/wire/payments";
import { Refused } from "../../api/client";
import { areAllRedeemed, areSeveral, spareKey } from "./keys";
import type { Outcome } from "./outcome";
import { isSlow } from "./pending";
import { refundArrives } from "./said";

export type NextAction =
  | "register"
  | "sign-in"
  | "use"
  | "licences"
  | "give"
  | "return"
  | "again"
  | "buy"
  | "card"
  | "support"
  | "find-order"
  | "retry";

export type Seen = {
  outcome: Outcome;
  payment: PurchaseResult | undefined;
  /** Why there is no answer. */
  problem: Error | null;
};
type Viewer = { signedIn: boolean; now: Date };

/** What the reader of a payment's page does next; the first is the page's primary action. */
export function nextActions({ outcome, payment, problem }: Seen, { signedIn, now }: Viewer): NextAction[] {
  if (!payment?.status) return [mayPass(problem, payment) ? "retry" : "find-order"];
  if (payment.checkout_url) return ["return"];
  if (payment.order_again) return ["again"];
  if (outcome === "verified") return signedIn ? afterPaying(payment) : afterPayingAsGuest(payment);
  if (outcome === "disputed") return ["support"];
  if (outcome === "pending") return isSlow(payment, now) ? ["support"] : [];
  if (outcome === "failed") return [afterFailing(payment)];
  return isRefundLate(payment, now) ? ["support"] : [];
}

/** An answer without a status, no answer, or one for later. */
function mayPass(problem: Error | null, payment: PurchaseResult | undefined): boolean {
  if (problem === null) return payment !== undefined;
  return !(problem instanceof Refused) || problem.status === 429 || problem.status >= 500;
}

function afterPaying(payment: PurchaseResult): NextAction[] {
  const { for_account: forAccount, gift } = payment;
  const spare = spareKey(payment);
  if (gift || forAccount === "added" || forAccount === "waiting") return ["licences"];
  if (forAccount === "redundant") return spare && !areSeveral(payment) ? ["give", "licences"] : ["licences"];
  if (spare) return ["use"];
  return payment.renewal || areAllRedeemed(payment) ? ["licences"] : ["find-order", "licences"];
}

function afterPayingAsGuest(payment: PurchaseResult): NextAction[] {
  // its key is the receiver's
  if (payment.gift) return [];
  if (spareKey(payment)) return ["register", "sign-in"];
  return payment.renewal || areAllRedeemed(payment)
    ? ["sign-in", "register"]
    : ["find-order", "register", "sign-in"];
}

function afterFailing({ renewal, bill }: PurchaseResult): NextAction {
  if (renewal) return "card";
  return bill?.paid > 0 ? "support" : "buy";
}

const isRefundLate = (payment: PurchaseResult, now: Date): boolean => (refundArrives(payment) ?? now) < now;
