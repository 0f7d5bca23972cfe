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
  expired_card: {
    code: "expired_card",
    decline_code: "expired_card",
    message: "Your card has expired.",
  },
  incorrect_cvc: {
    code: "incorrect_cvc",
    decline_code: "incorrect_cvc",
    message: "Your card's security code is incorrect.",
  },
  processing_error: {
    code: "processing_error",
    decline_code: "processing_error",
    message: "An error occurred while processing your card. Try again in a little bit.",
  },
  debit_not_authorized: {
    code: "debit_not_authorized",
    decline_code: "debit_not_authorized",
    message: "The customer's bank refused the debit.",
  },
} as const;

export type Decline = (typeof declines)[keyof typeof declines];
