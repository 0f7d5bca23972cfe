import type { StateWords } from "./state-words";

/** Stripe's statuses of a dispute as staff read them. */
const statuses: Readonly<Record<string, StateWords>> = {
  needs_response: { word: "Needs an answer", tone: "bad" },
  under_review: { word: "The bank is deciding", tone: "warning" },
  won: { word: "Won", tone: "good" },
  lost: { word: "Lost", tone: "bad" },
  prevented: { word: "Prevented", tone: "good" },
  warning_needs_response: { word: "Needs an answer", tone: "warning" },
  warning_under_review: { word: "Answered", tone: "info" },
  warning_closed: { word: "Closed", tone: "neutral" },
  appeal_needs_response: { word: "Appeal needs an answer", tone: "bad" },
  appeal_under_review: { word: "The appeal is being decided", tone: "warning" },
};

export const disputeWords = (status: string): StateWords =>
  statuses[status] ?? { word: spaced(status), tone: "neutral" };

/** A bank's question about a payment, for which it has taken no money. */
export const isInquiry = (status: string): boolean => status.startsWith("warning_");

/** Why the bank says it was opened: https://docs.stripe.com/disputes/categories */
const reasons: Readonly<Record<string, string>> = {
  bank_cannot_process: "The bank couldn't process the payment.",
  check_returned: "The check was returned.",
  credit_not_processed: "The buyer says they were owed a refund and didn't get it.",
  customer_initiated: "The buyer asked their bank to take the payment back.",
  debit_not_authorized: "The buyer says they didn't authorize the debit.",
  duplicate: "The buyer says they were charged twice.",
  fraudulent: "The cardholder says they didn't make this payment.",
  general: "The bank named no particular reason.",
  incorrect_account_details: "The bank says the account details were wrong.",
  insufficient_funds: "The buyer's account had too little money.",
  noncompliant: "The bank says the payment broke the card network's rules.",
  product_not_received: "The buyer says they never received what they bought.",
  product_unacceptable: "The buyer says what they received is faulty or not as described.",
  subscription_canceled: "The buyer says they had canceled the subscription.",
  unrecognized: "The cardholder doesn't recognize the payment.",
};

export const disputeReason = (reason: string | null): string =>
  reason === null
    ? "The bank named no reason."
    : (reasons[reason] ?? `The bank's reason is “${spaced(reason)}”.`);

const spaced = (name: string) => {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};
