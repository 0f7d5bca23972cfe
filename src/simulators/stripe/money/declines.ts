/** Why a bank refuses, in Stripe's words: https://docs.stripe.com/declines/codes. */
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
