import { word } from "../../words";
import type { Charge, Session } from "../ledger";

/** A payment method, with only the details that Stripe keeps of a card, never its number. */
export type Method = { type: string; details: NonNullable<Charge["payment_method_details"]> };

/** A card; its fingerprint is the same wherever it is used. */
export function card(last4: string): Method {
  const brand = last4 === "4444" ? "mastercard" : "visa";
  const fingerprint = word(`card:${last4}`, 16);
  return { type: "card", details: { type: "card", card: { brand, fingerprint, last4 } } };
}

/** The payment methods for a currency. */
export function methodsFor(currency: string): string[] {
  if (currency === "usd") return ["card", "us_bank_account"];
  return currency === "eur" ? ["card", "sepa_debit"] : ["card"];
}

/** The session's delayed payment method, if any, which completes the session unpaid and settles later. */
export function debitOf({ payment_method_types: types }: Session): Method | null {
  const type = types.find((one) => one !== "card");
  return type === undefined ? null : { type, details: { type } };
}

/** A bank's reasons to decline, in Stripe's words: https://docs.stripe.com/declines/codes. */
export const declines = {
  generic_decline: {
    code: "card_declined",
    decline_code: "generic_decline",
    message: "Your card was declined.",
  },
  insufficient_funds: {
    code: "card_declined",
    decline_code: "insufficient_funds",
    message: "Your card has insufficient funds.",
  },
  debit_not_authorized: {
    code: "debit_not_authorized",
    decline_code: "debit_not_authorized",
    message: "The customer's bank refused the debit.",
  },
} as const;

export type Decline = (typeof declines)[keyof typeof declines];
