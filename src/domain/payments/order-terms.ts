import type { payments } from "../schema/payments";

/**
 * What a buyer agreed to. `terms` below is the only list of them: the seal, Stripe's metadata (written and read), the
 * comparison before a sale and the adoption of an unknown session all use it. A term missing from it doesn't compile.
 */
export type OrderTerms = { id: string; amount: number; currency: string };

/** The terms as stored at Stripe. The seal proves that this shop wrote them, even if the database was lost. */
export type Order = OrderTerms & { seal: string };

type Payment = typeof payments.$inferSelect;
type ColumnFor<T> = { [C in keyof Payment]: Payment[C] extends T ? C : never }[keyof Payment];
type Term<T> = {
  /** The payment's column. */
  column: ColumnFor<T>;
  /** The name in Stripe's metadata. */
  metadata: string;
  /** Null if this shop can't have written it. */
  read(written: string): T | null;
};

const text = (written: string) => written;
const wholeNumber = (written: string) => (/^\d{1,15}$/.test(written) ? Number(written) : null);

/** In the order in which they are sealed. Open sessions at Stripe carry seals of exactly these three. */
const terms = {
  id: { column: "id", metadata: "order", read: text },
  amount: { column: "askedAmount", metadata: "amount", read: wholeNumber },
  currency: { column: "currency", metadata: "currency", read: text },
} as const satisfies { [Name in keyof OrderTerms]: Term<OrderTerms[Name]> };

type Columns = Pick<Payment, (typeof terms)[keyof OrderTerms]["column"]>;

const names = Object.keys(terms) as (keyof OrderTerms)[];
const forEachTerm = <V>(valueOf: (name: keyof OrderTerms) => [key: string, value: V]) =>
  Object.fromEntries(names.map(valueOf));

/** The text that the seal is computed from. */
export const sealedText = (order: OrderTerms): string => names.map((name) => order[name]).join(":");

/** The metadata of the session and its payment intent. */
export const metadataOf = ({ seal, ...order }: Order): Record<string, string> => ({
  ...forEachTerm((name) => [terms[name].metadata, String(order[name])]),
  seal,
});

/** The order in a session's metadata; null if it is missing or incomplete. */
export function orderIn(metadata: Record<string, string> | null): Order | null {
  const read = forEachTerm((name) => [name, terms[name].read(metadata?.[terms[name].metadata] ?? "")]);
  const seal = metadata?.["seal"];
  if (!seal || Object.values(read).some((value) => value === null || value === "")) return null;
  // it has every name of the list, with the type that its `read` returns
  return { ...(read as OrderTerms), seal };
}

/** The terms as columns of a payment. */
export const columnsOf = (order: OrderTerms): Columns =>
  forEachTerm((name) => [terms[name].column, order[name]]) as Columns;

/** The terms of a stored payment. */
export const termsOf = (payment: Columns): OrderTerms =>
  forEachTerm((name) => [name, payment[terms[name].column]]) as OrderTerms;

export const sameTerms = (one: OrderTerms, other: OrderTerms): boolean =>
  names.every((name) => one[name] === other[name]);
