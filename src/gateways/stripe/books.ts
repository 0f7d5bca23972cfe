import type Stripe from "stripe";
import type {
  BooksGateway,
  BuyerFacts,
  BuyerFound,
  BuyerList,
  Movement,
  PaidCard,
} from "@/domain/payments/port/books-gateway";
import { translated, unlessMissing } from "./errors";

const pageSize = 100;
const pageFrom = (from: string | null) => ({ limit: pageSize, ...(from ? { starting_after: from } : {}) });

/** Stripe's balance transactions and payouts, and what it holds of buyers. */
export const stripeBooks = (stripe: Stripe): BooksGateway => ({
  movements: ({ since, from }) =>
    translated(() => {
      const created = { gte: Math.floor(since.getTime() / 1000) };
      return page(stripe.balanceTransactions.list({ ...pageFrom(from), created }), (one) => [
        movementIn(one),
      ]);
    }),
  payout: (id) => translated(() => payout(stripe, id)),
  paidOutBy: (id, from) =>
    translated(() =>
      page(stripe.balanceTransactions.list({ ...pageFrom(from), payout: id }), (one) => [one.id]),
    ),
  buyers: (list, from) => translated(() => buyerPages[list](stripe, pageFrom(from))),
});

async function page<Entry extends { id: string }, Row>(
  asked: Promise<Stripe.ApiList<Entry>>,
  rowsOf: (entry: Entry) => Row[],
): Promise<{ rows: Row[]; next: string | null }> {
  const { data, has_more: more } = await asked;
  return { rows: data.flatMap(rowsOf), next: more ? (data.at(-1)?.id ?? null) : null };
}

/** Not expanded, since that needs a permission for each kind of source. Descriptions of sales may name the buyer. */
const movementIn = (one: Stripe.BalanceTransaction): Movement => {
  const source = typeof one.source === "string" ? one.source : (one.source?.id ?? null);
  return {
    id: one.id,
    at: new Date(one.created * 1000),
    kind: one.reporting_category,
    source,
    description: source === null ? one.description : null,
    amount: one.amount,
    fee: one.fee,
    currency: one.currency,
  };
};

/** https://docs.stripe.com/payouts/reconciliation */
async function payout(stripe: Stripe, id: string) {
  const held = await stripe.payouts.retrieve(id).catch(unlessMissing);
  if (!held) return null;
  const { automatic, reconciliation_status: state } = held;
  const lists =
    !automatic || state === "not_applicable" ? "nothing" : state === "completed" ? "all" : "later";
  return { arrivesAt: new Date(held.arrival_date * 1000), lists } as const;
}

type Page = { limit: number; starting_after?: string };

const buyerPages = {
  charges: (stripe, from) =>
    page(stripe.charges.list(from), (charge): BuyerFound[] => {
      const intent = charge.payment_intent;
      const intentId = typeof intent === "string" ? intent : intent?.id;
      if (!intentId) return [];
      // a debit that failed moved the balance; what paid instead is newer, so it was listed before
      const failed = charge.status === "failed";
      const buyer = { country: failed ? null : countryOf(charge), taxId: null };
      const card = failed ? null : cardOf(charge);
      return [{ of: { intentId }, buyer, charge: { id: charge.id, card } }];
    }),
  sessions: (stripe, from) =>
    page(
      stripe.checkout.sessions.list({ ...from, status: "complete", expand: ["data.invoice"] }),
      (session): BuyerFound[] => {
        const invoice = typeof session.invoice === "string" ? null : session.invoice;
        const { address, tax_ids: ids } = session.customer_details ?? {};
        const buyer = buyerOf(address, ids);
        return [{ of: { sessionId: session.id }, buyer, invoiceNumber: invoice?.number ?? null }];
      },
    ),
  invoices: (stripe, from) =>
    page(stripe.invoices.list({ ...from, status: "paid" }), (invoice): BuyerFound[] => {
      const buyer = buyerOf(invoice.customer_address, invoice.customer_tax_ids);
      return invoice.id ? [{ of: { sessionId: invoice.id }, buyer, invoiceNumber: invoice.number }] : [];
    }),
} satisfies Record<
  BuyerList,
  (stripe: Stripe, from: Page) => Promise<{ rows: BuyerFound[]; next: string | null }>
>;

type TaxIds = readonly { type: string; value: string | null }[] | null | undefined;

/** The first tax id; a buyer of a business gives one. */
export function buyerOf(
  address: Pick<Stripe.Address, "country"> | null | undefined,
  ids: TaxIds,
): BuyerFacts {
  const [id] = ids ?? [];
  return {
    country: address?.country ?? null,
    taxId: id?.value ? { kind: id.type, value: id.value } : null,
  };
}

/** Where the card or account is billed. */
export const countryOf = ({ billing_details: billed }: Stripe.Charge): string | null =>
  billed.address?.country ?? null;

export function cardOf({ payment_method_details: details }: Stripe.Charge): PaidCard | null {
  const card = details?.card;
  return card?.last4 ? { brand: card.brand ?? "card", last4: card.last4 } : null;
}
