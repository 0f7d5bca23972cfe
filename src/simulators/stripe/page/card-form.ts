import { type Decline, declines } from "../money/declines";
import { type Method, card } from "../money/methods";

export type Outcome = "pays" | "is disputed" | "is warned about" | Decline;
type TestCard = { number: string; meaning: string; does: Outcome };

/** Some of https://docs.stripe.com/testing#cards, as the page lists them. */
export const testCards: TestCard[] = [
  { number: "4242 4242 4242 4242", meaning: "Pays", does: "pays" },
  { number: "4000 0000 0000 0002", meaning: "Is declined", does: declines.generic_decline },
  { number: "4000 0000 0000 9995", meaning: "Has no funds", does: declines.insufficient_funds },
  { number: "4000 0000 0000 0259", meaning: "Pays, then is disputed", does: "is disputed" },
  { number: "4000 0000 0000 5423", meaning: "Pays with a fraud warning", does: "is warned about" },
];

/** What the buyer typed, by field name. */
export type Typed = {
  method: string;
  email: string;
  name: string;
  number: string;
  expiry: string;
  cvc: string;
};

/** Error messages, by field name. */
export type Complaints = Partial<Record<keyof Typed, string>>;

type CardRead = { ok: true; method: Method; does: Outcome } | { ok: false; complaints: Complaints };

/** Checks a card as Stripe's page does, with its error messages. */
export function readCard(typed: Typed, now: Date): CardRead {
  const number = typed.number.replace(/[\s-]/g, "");
  const expiry = readExpiry(typed.expiry);
  const complaints = complain({
    number: numberComplaint(number),
    expiry: expiryComplaint(expiry, now),
    cvc: /^\d{3,4}$/.test(typed.cvc.trim()) ? undefined : "Your card's security code is incomplete.",
    name: typed.name.trim() === "" ? "Enter the name on the card." : undefined,
  });
  const test = testCard(number);
  if (test === undefined || expiry === null || Object.keys(complaints).length > 0)
    return { ok: false, complaints };
  return { ok: true, method: card(number.slice(-4), expiry), does: test.does };
}

export function emailComplaint(email: string): string | undefined {
  if (email.trim() === "") return "Enter your email address.";
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email.trim()) ? undefined : "Your email address is incomplete.";
}

/** Only the fields that have an error message. */
export function complain(complaints: { [field in keyof Typed]?: string | undefined }): Complaints {
  return Object.fromEntries(Object.entries(complaints).filter(([, sentence]) => sentence !== undefined));
}

function numberComplaint(number: string): string | undefined {
  if (!/^\d{13,19}$/.test(number)) return "Your card number is incomplete.";
  if (!luhn(number)) return "Your card number is invalid.";
  if (testCard(number) === undefined)
    return "Your card was declined. Your request was in test mode, but used a non test card.";
  return undefined;
}

const testCard = (typed: string) => testCards.find(({ number }) => number.replaceAll(" ", "") === typed);

function readExpiry(text: string): { month: number; year: number } | null {
  const match = /^\s*(\d{1,2})\s*\/?\s*(\d{2}|\d{4})\s*$/.exec(text);
  const month = Number(match?.[1]);
  const year = Number(match?.[2]);
  if (match === null || month < 1 || month > 12) return null;
  return { month, year: year < 100 ? 2000 + year : year };
}

function expiryComplaint(expiry: { month: number; year: number } | null, now: Date): string | undefined {
  if (expiry === null) return "Your card's expiration date is incomplete.";
  if (expiry.year < now.getUTCFullYear()) return "Your card's expiration year is in the past.";
  const past = expiry.year === now.getUTCFullYear() && expiry.month < now.getUTCMonth() + 1;
  return past ? "Your card's expiration date is in the past." : undefined;
}

/** The check digit of ISO/IEC 7812. */
function luhn(number: string): boolean {
  const sum = Array.from(number)
    .toReversed()
    .reduce((total, digit, place) => {
      const doubled = Number(digit) * (place % 2 === 0 ? 1 : 2);
      return total + (doubled > 9 ? doubled - 9 : doubled);
    }, 0);
  return sum % 10 === 0;
}
