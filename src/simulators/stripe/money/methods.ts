import { word } from "../../base/words";
import type { Charge, Intent, Session } from "../ledger";

/** A payment method, with only the details that Stripe keeps of a card, never its number. */
export type Method = {
  type: string;
  details: NonNullable<Charge["payment_method_details"]>;
  /** What the buyer still has to do before any money moves. */
  action?: NonNullable<Intent["next_action"]>;
};

/** A card; its fingerprint is the same wherever it is used. */
export function card(last4: string): Method {
  const brand = last4 === "4444" ? "mastercard" : "visa";
  const fingerprint = word(`card:${last4}`, 16);
  return { type: "card", details: { type: "card", card: { brand, fingerprint, last4 } } };
}

export function methodsFor(currency: string): string[] {
  if (currency === "usd") return ["card", "us_bank_account"];
  return currency === "eur" ? ["card", "sepa_debit"] : ["card"];
}

/** The session's delayed payment method, if any, which completes the session unpaid and settles later. */
export function debitOf({ payment_method_types: types }: Session): Method | null {
  const type = types.find((one) => one !== "card");
  return type === undefined ? null : { type, details: { type } };
}

/** The ways to pay that leave a session complete and unpaid until the buyer has done something elsewhere. */
export const laterWays = ["voucher", "transfer", "deposits"] as const;
export type LaterWay = (typeof laterWays)[number];

/** https://docs.stripe.com/api/payment_intents/object#payment_intent_object-next_action */
export function laterMethod(way: LaterWay, url: string): Method {
  if (way === "voucher")
    return {
      type: "boleto",
      details: { type: "boleto" },
      action: {
        type: "boleto_display_details",
        boleto_display_details: {
          hosted_voucher_url: url,
          number: "01010101010101010101010101010101010101010101010",
        },
      },
    };
  if (way === "transfer")
    return {
      type: "customer_balance",
      details: { type: "customer_balance" },
      action: {
        type: "display_bank_transfer_instructions",
        display_bank_transfer_instructions: { hosted_instructions_url: url, type: "us_bank_transfer" },
      },
    };
  return {
    type: "us_bank_account",
    details: { type: "us_bank_account" },
    action: {
      type: "verify_with_microdeposits",
      verify_with_microdeposits: { hosted_verification_url: url, microdeposit_type: "amounts" },
    },
  };
}

/** The method of each action that is not the cardholder's own confirmation. */
const typesOfActions = new Map([
  ["boleto_display_details", "boleto"],
  ["display_bank_transfer_instructions", "customer_balance"],
  ["verify_with_microdeposits", "us_bank_account"],
]);

/** The method that an unpaid voucher, transfer or pair of small deposits will pay with, or null. */
export function awaitedMethod({ status, next_action: action }: Intent): Method | null {
  const type = status === "requires_action" ? typesOfActions.get(action?.type ?? "") : undefined;
  return type === undefined ? null : { type, details: { type } };
}

/** Whether money is on its way: `settle` may end it. */
export const isOnItsWay = (intent: Intent | undefined): boolean =>
  intent !== undefined && (intent.status === "processing" || awaitedMethod(intent) !== null);

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
  attempt_expired: {
    code: "payment_intent_payment_attempt_expired",
    message: "The latest payment attempt for the PaymentIntent has expired.",
  },
} as const;

export type Decline = (typeof declines)[keyof typeof declines];
