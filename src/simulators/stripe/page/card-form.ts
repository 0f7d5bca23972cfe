import { z } from "zod";
import { type Decline, type Method, card, declines } from "../money/methods";

export type Outcome = "pays" | "asks" | "is disputed" | "is warned about" | Decline;
export type TestCard = { number: string; meaning: string; does: Outcome };

/** Some of https://docs.stripe.com/testing#cards, for the page's list. */
export const testCards: TestCard[] = [
  { number: "4242 4242 4242 4242", meaning: "Pays", does: "pays" },
  { number: "4000 0000 0000 0002", meaning: "Is declined", does: declines.generic_decline },
  { number: "4000 0000 0000 9995", meaning: "Has no funds", does: declines.insufficient_funds },
  { number: "4000 0000 0000 0259", meaning: "Pays, then is disputed", does: "is disputed" },
  { number: "4000 0000 0000 5423", meaning: "Pays with a fraud warning", does: "is warned about" },
  { number: "4000 0025 0000 3155", meaning: "Asks the buyer to confirm, once", does: "asks" },
];

/** More of them, which differ when a subscription is renewed. */
const cardsForRenewals: TestCard[] = [
  { number: "5555 5555 5555 4444", meaning: "Works, as a second card", does: "pays" },
  { number: "4000 0000 0000 0341", meaning: "Is saved, and then declined", does: "pays" },
  { number: "4000 0027 6000 3184", meaning: "Asks to confirm each time", does: "asks" },
];

export const allCards = [...testCards, ...cardsForRenewals];

const field = z.string().max(200).catch("");

/** The buyer's input. */
export const typedForm = z.object({
  method: z.enum(["card", "bank"]).catch("card"),
  email: field,
  name: field,
  number: field,
  expiry: field,
  cvc: field,
  /** The last digits of a card for which the bank asked, and what its holder answered. */
  asked: field,
  answer: field,
});
export type CardInput = z.output<typeof typedForm>;

/** What the bank's page sends back of a card: its last digits, never its number. */
export const challengeOf = ({ name, number }: CardInput) => ({ name, asked: number.trim().slice(-4) });

/** Error messages, by field name. */
export type Complaints = Partial<Record<keyof CardInput, string>>;

type CardRead = { ok: true; method: Method; does: Outcome } | { ok: false; complaints: Complaints };

/** Checks a card like Stripe's page, with its error messages. */
export function readCard(typed: CardInput, now: Date): CardRead {
  if (typed.asked !== "") return answeredCard(typed);
  const number = typed.number.replace(/[\s-]/g, "");
  const test = allCards.find((one) => one.number.replaceAll(" ", "") === number);
  const complaints = complain({
    number: test === undefined ? numberComplaint(number) : undefined,
    expiry: expiryComplaint(typed.expiry, now),
    cvc: /^\d{3,4}$/.test(typed.cvc.trim()) ? undefined : "Your card's security code is incomplete.",
    name: typed.name.trim() === "" ? "Enter the name on the card." : undefined,
  });
  if (test === undefined || Object.keys(complaints).length > 0) return { ok: false, complaints };
  return { ok: true, method: card(number.slice(-4)), does: test.does };
}

/** What the cardholder answered on their bank's page. */
function answeredCard({ asked, answer }: CardInput): CardRead {
  const test = allCards.find(({ number, does }) => does === "asks" && number.endsWith(asked));
  if (test === undefined || answer !== "confirm") return { ok: false, complaints: { number: notConfirmed } };
  return { ok: true, method: card(test.number.slice(-4)), does: "pays" };
}

const notConfirmed =
  "We are unable to authenticate your payment method. Please choose a different payment method and try again.";

export function emailComplaint(email: string): string | undefined {
  if (email.trim() === "") return "Enter your email address.";
  return z.email().safeParse(email.trim()).success ? undefined : "Your email address is incomplete.";
}

/** Only the fields that have an error message. */
export function complain(complaints: { [field in keyof CardInput]?: string | undefined }): Complaints {
  return Object.fromEntries(Object.entries(complaints).filter(([, sentence]) => sentence !== undefined));
}

function numberComplaint(number: string): string {
  if (!/^\d{13,19}$/.test(number)) return "Your card number is incomplete.";
  return "Your card was declined. Your request was in test mode, but used a non test card.";
}

function expiryComplaint(text: string, now: Date): string | undefined {
  const [, month, year] = /^\s*(0?[1-9]|1[0-2])\s*\/?\s*(?:20)?(\d\d)\s*$/.exec(text) ?? [];
  if (month === undefined) return "Your card's expiration date is incomplete.";
  // a card is valid until the end of its month
  const isOver = Date.UTC(2000 + Number(year), Number(month)) <= now.getTime();
  return isOver ? "Your card's expiration date is in the past." : undefined;
}
