import { brand } from "@/brand/brand";
import { unusualKey } from "@/contract/addresses";
import type { Interval } from "@/contract/intervals";
import { interval } from "@/contract/offers";
import type { Payment } from "../../schema/payments";

/**
 * What a buyer agreed to. `terms` below is the only list: the seal, Stripe's metadata (written and read), the
 * comparison before a sale and the import of an unknown session all use it. A term missing from it doesn't compile.
 */
export type OrderTerms = {
  id: string;
  /** The price of one licence, minor units. */
  amount: number;
  currency: string;
  offer: string;
  product: string;
  /** How long each licence runs; null is a lifetime. */
  days: number | null;
  /** On how many computers at a time each is used. */
  devices: number;
  /** How often the price is paid, by a subscription; null is once. */
  every: Interval | null;
  /** The days before a subscription's first payment; null is none. */
  trialDays: number | null;
  quantity: number;
  /** Where a gift's key is mailed. */
  gift: string | null;
};

/** The edition of the seal: which terms it covers, and how. A newer release may write others. */
export type SealVersion = 1;

/** The terms as stored at Stripe. The seal proves that this shop wrote them, even after the database was lost. */
export type Order = OrderTerms & {
  sealVersion: SealVersion;
  seal: string;
  /** Proves that this shop wrote the order, whatever its edition: see `orderMark`. */
  mark: string;
  /** The account that the buyer was signed in to, with its own proof: see `buyers-account.ts`. */
  buyer?: string;
};

/** What every release can read of an order. */
export type OrderMark = { id: string; edition: number; mark: string };

/** Sealed terms, with or without their seal. */
export type Sealed = OrderTerms & { sealVersion: SealVersion };

type ColumnFor<T> = { [C in keyof Payment]: Payment[C] extends T | null ? C : never }[keyof Payment];
type Term<T> = {
  /** The payment's column. */
  column: ColumnFor<T>;
  /** The name in Stripe's metadata. */
  metadata: string;
  /** Undefined if this shop can't have written it. */
  read(written: string): T | undefined;
};

const text = (written: string) => written || undefined;
const wholeNumber = (written: string) => (/^\d{1,15}$/.test(written) ? Number(written) : undefined);
const intervalIn = (written: string) => interval.safeParse(written).data;
/** Stripe keeps no empty values, so null is left out. */
const optional =
  <T>(read: (written: string) => T | undefined) =>
  (written: string): T | null | undefined =>
    written === "" ? null : read(written);

/** In the order that the seal uses. */
const terms = {
  id: { column: "id", metadata: "order", read: text },
  amount: { column: "unitAmount", metadata: "amount", read: wholeNumber },
  currency: { column: "currency", metadata: "currency", read: text },
  offer: { column: "offer", metadata: "offer", read: text },
  product: { column: "product", metadata: "product", read: text },
  days: { column: "days", metadata: "days", read: optional(wholeNumber) },
  quantity: { column: "quantity", metadata: "quantity", read: wholeNumber },
  gift: { column: "giftEmail", metadata: "gift", read: optional(text) },
  devices: { column: "devices", metadata: "devices", read: wholeNumber },
  every: { column: "every", metadata: "every", read: optional(intervalIn) },
  trialDays: { column: "trialDays", metadata: "trial_days", read: optional(wholeNumber) },
} as const satisfies { [Name in keyof OrderTerms]: Term<OrderTerms[Name]> };

type Columns = Pick<Payment, (typeof terms)[keyof OrderTerms]["column"] | "sealVersion">;
type Name = keyof OrderTerms;

/**
 * The terms of each edition. Buyers may still pay checkouts that the release before opened, under its seal. A change of
 * what is sold needs a new edition: a release that doesn't know the edition keeps the order and sells nothing.
 */
const namesOf = { 1: Object.keys(terms) as Name[] } satisfies Record<SealVersion, Name[]>;
/** The edition that orders are sealed in. */
export const currentSeal: SealVersion = 1;
/** The editions that this release can read. */
export const knownSeals = Object.keys(namesOf).map(Number) as SealVersion[];

const forEachTerm = <V>(names: readonly Name[], valueOf: (name: Name) => [key: string, value: V]) =>
  Object.fromEntries(names.map(valueOf));

/** The text that the seal is computed from. */
export const sealedText = (order: Sealed): string =>
  JSON.stringify([order.sealVersion, ...namesOf[order.sealVersion].map((name) => order[name])]);

/** The metadata of the session and its payment intent. */
export const metadataOf = ({ seal, ...order }: Order): Record<string, string> => ({
  ...forEachTerm(
    namesOf[order.sealVersion].filter((name) => order[name] !== null),
    (name) => [terms[name].metadata, String(order[name])],
  ),
  seal_version: String(order.sealVersion),
  seal,
  mark: order.mark,
  ...(order.buyer ? { buyer: order.buyer } : {}),
});

/** The order in a session's metadata; null if missing, incomplete, or of an edition that this release doesn't know. */
export function orderIn(metadata: Record<string, string> | null): Order | null {
  const { seal, mark, buyer, seal_version: edition = "" } = metadata ?? {};
  const sealVersion = versionIn(edition);
  if (!metadata || !seal || !mark || !sealVersion) return null;
  const read = forEachTerm(namesOf[sealVersion], (name) => [
    name,
    terms[name].read(metadata[terms[name].metadata] ?? ""),
  ]);
  if (Object.values(read).includes(undefined)) return null;
  // `read` has every name of its edition, with the type that its `read` returns
  return { ...(read as OrderTerms), sealVersion, seal, mark, ...(buyer ? { buyer } : {}) };
}

/** The mark in a session's metadata, of any edition; null without a mark. */
export function markIn(metadata: Record<string, string> | null): OrderMark | null {
  const { order: id, mark, seal_version: edition = "" } = metadata ?? {};
  if (!id || !mark || !/^[1-9]\d{0,5}$/.test(edition)) return null;
  return { id, edition: Number(edition), mark };
}

const versionIn = (written: string): SealVersion | null =>
  knownSeals.find((known) => String(known) === written) ?? null;

/** The buyer's address as columns of a payment; below, a receiver's. */
export const buyerAt = (email: string) => ({ email, unusualEmailKey: unusualKey(email) });
export const receiverAt = (giftEmail: string | null) => ({
  giftEmail,
  unusualGiftKey: unusualKey(giftEmail),
});

/** The terms as columns of a payment. */
export const columnsOf = (order: Sealed): Columns & Pick<Payment, "unusualGiftKey"> => ({
  ...(forEachTerm(namesOf[currentSeal], (name) => [terms[name].column, order[name]]) as Columns),
  ...receiverAt(order.gift),
  sealVersion: order.sealVersion,
});

/** The terms of a stored payment; null if a newer release wrote them. */
export function termsOf(payment: Columns): Sealed | null {
  const sealVersion = versionIn(String(payment.sealVersion));
  if (!sealVersion) return null;
  const stored = forEachTerm(namesOf[sealVersion], (name) => [name, payment[terms[name].column]]);
  return { ...(stored as OrderTerms), sealVersion };
}

/** Whether this release can read the terms, and so knows whose keys they are. */
export const isReadable = (payment: Columns): boolean => termsOf(payment) !== null;

/** The offer bought, and its name at the time; for an order that this release can't read, what little it knows. */
export const offerOf = ({
  offer,
  product,
}: Pick<Payment, "offer" | "product">): Pick<OrderTerms, "offer" | "product"> => ({
  offer: offer ?? "unknown",
  product: product ?? brand.premium.name,
});

/** Whether the payment was stored although its order could not be read: every order names an offer. */
export const lacksTerms = ({ offer }: Pick<Payment, "offer">): boolean => offer === null;

/** Whether two orders agree in every term that their edition seals. */
export const sameTerms = (one: Sealed, other: Sealed): boolean =>
  one.sealVersion === other.sealVersion &&
  namesOf[one.sealVersion].every((name) => one[name] === other[name]);
