import { type Decline, declines } from "../money/declines";

export type TestCard = { brand: string; does: "pays" | "is disputed" | "is warned about" | Decline };

/** Some of https://docs.stripe.com/testing#cards. */
const cards: Record<string, TestCard> = {
  "4242424242424242": { brand: "visa", does: "pays" },
  "4000056655665556": { brand: "visa", does: "pays" },
  "5555555555554444": { brand: "mastercard", does: "pays" },
  "378282246310005": { brand: "amex", does: "pays" },
  "4000000000000002": { brand: "visa", does: declines.generic_decline },
  "4000000000009995": { brand: "visa", does: declines.insufficient_funds },
  "4000000000000069": { brand: "visa", does: declines.expired_card },
  "4000000000000127": { brand: "visa", does: declines.incorrect_cvc },
  "4000000000000119": { brand: "visa", does: declines.processing_error },
  "4000000000000259": { brand: "visa", does: "is disputed" },
  "4000000000005423": { brand: "visa", does: "is warned about" },
};

export function testCard(number: string): TestCard | undefined {
  return Object.hasOwn(cards, number) ? cards[number] : undefined;
}

/** The cards that the page lists. */
export const shownCards = [
  { number: "4242 4242 4242 4242", does: "Pays" },
  { number: "4000 0000 0000 0002", does: "Is declined" },
  { number: "4000 0000 0000 9995", does: "Has no funds" },
  { number: "4000 0000 0000 0259", does: "Pays, then is disputed" },
] as const;
