import { and, asc, eq, gte, lt, notInArray, sql } from "drizzle-orm";
import { payoutKinds } from "@/contract/vocabulary/balance-words";
import { minute } from "@/contract/vocabulary/time";
import { decimalText } from "@/contract/vocabulary/money";
import type { SalesOfMonth } from "@/contract/wire/desk/sales";
import type { By } from "@/core/base/actor";
import { type CsvCell, csvHeading, csvLine } from "@/core/base/csv-line";
import { record } from "@/core/database/audit";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { everyPage, newerThan } from "@/core/database/pages";
import { billOf } from "../bills/bill";
import { dayIn, startOfDay, type TimeSpan } from "../figures/buckets";
import { movementColumns } from "../payments/books/came-back";
import { type BooksProgress, booksProgress } from "../payments/books/progress";
import { authorize, expectConfirmed } from "../permissions";
import { type BalanceMovement, balanceMovements, isUnreadPayout } from "../schema/books";
import { disputes, stripeRefunds } from "../schema/money-back";
import { isPaidOutside, type Payment, payments } from "../schema/payments";

/** What a row is made of: a movement of Stripe's balance, or money that came outside Stripe. */
type Sale = { movement: BalanceMovement; payment: Payment | null } | { movement: null; payment: Payment };

/** A month of the shop's zone. */
function timeSpanOf({ timeZone }: Ctx, month: string): TimeSpan {
  const first = Temporal.PlainDate.from(`${month}-01`);
  return { from: startOfDay(first, timeZone), until: startOfDay(first.add({ months: 1 }), timeZone) };
}

/** All rows of a month, oldest first, Stripe's before the others. Other requests are served between two pages. */
async function* salesIn(ctx: Ctx, span: TimeSpan): AsyncGenerator<Sale[]> {
  yield* everyPage(
    (after, most) => movementsIn(ctx, span, { after, most }),
    ({ movement: { at, id } }) => ({ at, id }),
  );
  yield* everyPage(
    (after, most) => paidOutsideIn(ctx, span, { after, most }),
    ({ payment: { paidAt, id } }) => ({ at: paidAt ?? new Date(0), id }),
  );
}

type Page = { after: Parameters<typeof newerThan>[0]; most: number };

function movementsIn(ctx: Ctx, { from, until }: TimeSpan, { after, most }: Page) {
  const { at, id, kind, source } = balanceMovements;
  // its charge, its refund, or its dispute
  const paymentId = sql`coalesce(
    (SELECT charged.id FROM ${payments} AS charged WHERE charged.charge_id = ${source}),
    (SELECT ${stripeRefunds.paymentId} FROM ${stripeRefunds} WHERE ${stripeRefunds.id} = ${source}),
    (SELECT ${disputes.paymentId} FROM ${disputes} WHERE ${disputes.id} = ${source} LIMIT 1))`;
  return ctx.store.db
    .select({ movement: movementColumns(ctx), payment: payments })
    .from(balanceMovements)
    .leftJoin(payments, eq(payments.id, paymentId))
    .where(
      and(
        eq(balanceMovements.livemode, ctx.livemode),
        gte(at, new Date(from)),
        lt(at, new Date(until)),
        notInArray(kind, payoutKinds),
        newerThan(after, at, id),
      ),
    )
    .orderBy(asc(at), asc(id))
    .limit(most);
}

async function paidOutsideIn(
  { store: { db }, livemode }: Ctx,
  { from, until }: TimeSpan,
  { after, most }: Page,
) {
  const rows = await db
    .select()
    .from(payments)
    .where(
      and(
        isPaidOutside,
        eq(payments.livemode, livemode),
        gte(payments.paidAt, new Date(from)),
        lt(payments.paidAt, new Date(until)),
        newerThan(after, payments.paidAt, payments.id),
      ),
    )
    .orderBy(asc(payments.paidAt), asc(payments.id))
    .limit(most);
  return rows.map((payment) => ({ movement: null, payment }));
}

/** The sums of a month, and what is missing in them. Refuses with `confirm`. */
export async function addUpSales(ctx: Ctx, month: string, by: By): Promise<SalesOfMonth> {
  authorize(by, "sales.export");
  expectConfirmed(ctx, by, "sales.export");
  const span = timeSpanOf(ctx, month);
  const sums = new Map<string, SalesOfMonth["sums"][number]>();
  const outside = new Map<string, SalesOfMonth["outside"][number]>();
  let rows = 0;
  for await (const page of salesIn(ctx, span)) {
    rows += page.length;
    for (const { movement, payment } of page) {
      if (movement === null) {
        const { currency, outsideAmount } = payment;
        const sum = outside.get(currency) ?? { currency, count: 0, amount: 0 };
        outside.set(currency, { ...sum, count: sum.count + 1, amount: sum.amount + outsideAmount });
        continue;
      }
      const { currency, kind, amount, fee } = movement;
      const name = `${currency} ${kind}`;
      const sum = sums.get(name) ?? { currency, kind, count: 0, amount: 0, fee: 0, net: 0 };
      sums.set(name, {
        ...sum,
        count: sum.count + 1,
        amount: sum.amount + amount,
        fee: sum.fee + fee,
        net: sum.net + amount - fee,
      });
    }
  }
  const progress = await booksProgress(ctx);
  const { readUntil, payoutsRefused } = progress;
  const lacksPayouts = !payoutsRefused && (await hasUnreadPayouts(ctx, span));
  await commit(ctx.store, [
    record(ctx, { ...by, action: "sales.exported", subject: month, detail: { month, rows } }),
  ]);
  return {
    month,
    rows,
    sums: [...sums.values()],
    outside: [...outside.values()],
    read_until: readUntil,
    payouts: !payoutsRefused,
    notes: [
      ...(ctx.now().getTime() < span.until ? ["The month isn't over."] : []),
      ...missing(ctx, span, progress),
      ...(lacksPayouts ? [payoutsLater] : []),
      ...(payoutsRefused ? [payoutsUnread] : []),
    ],
  };
}

const payoutsUnread =
  "The Stripe key may not read payouts, so their columns are empty. Grant it “Payouts: Read” in Stripe's dashboard.";

const payoutsLater = "Not all payouts are read yet, so some of these columns are empty. Try again later.";

/** Whether a payout is not read yet that may have paid out what moved in that time. */
async function hasUnreadPayouts({ store: { db }, livemode }: Ctx, { from }: TimeSpan): Promise<boolean> {
  const { id, at } = balanceMovements;
  const [unread] = await db
    .select({ id })
    .from(balanceMovements)
    .where(and(eq(balanceMovements.livemode, livemode), isUnreadPayout, gte(at, new Date(from))))
    .limit(1);
  return unread !== undefined;
}

/** What Stripe lists a moment later counts as read. */
function missing({ now, timeZone }: Ctx, { until }: TimeSpan, progress: BooksProgress): string[] {
  const { readUntil, filling, balanceRefused } = progress;
  if (balanceRefused) return [balanceUnread];
  if (readUntil === null)
    return ["The shop hasn't read all of Stripe's books yet, so rows are missing. Try again later."];
  const unfilled = filling === null ? [] : [unfilledPayments];
  const wanted = Math.min(until, now().getTime() - toleratedMilliseconds);
  if (Date.parse(readUntil) >= wanted) return unfilled;
  return [
    `Stripe couldn't be read. What it booked since ${dayIn(timeZone, new Date(readUntil))} is missing. Try again later.`,
    ...unfilled,
  ];
}
const balanceUnread =
  "The Stripe key may not read the balance, so rows are missing. Grant it “Balance: Read” in Stripe's dashboard.";
const unfilledPayments =
  "The shop hasn't read all that Stripe holds of earlier payments yet, so some rows lack their payment. Try again later.";
const toleratedMilliseconds = minute;

/** The lines of a month's file; once all were taken, the log tells how many. Refuses with `confirm`. */
export function salesFile(ctx: Ctx, month: string, by: Pick<By, "actor">): AsyncGenerator<string> {
  authorize(by, "sales.export");
  expectConfirmed(ctx, by, "sales.export");
  return salesLines(ctx, month, by);
}

async function* salesLines(ctx: Ctx, month: string, { actor }: Pick<By, "actor">): AsyncGenerator<string> {
  let rows = 0;
  let complete = false;
  try {
    const { payoutsRefused } = await booksProgress(ctx);
    yield csvHeading(
      columns.map(({ name }) => (payoutsRefused && name === "payout" ? `${name} (not readable)` : name)),
    );
    for await (const page of salesIn(ctx, timeSpanOf(ctx, month))) {
      rows += page.length;
      yield page.map((sale) => csvLine(columns.map(({ cell }) => cell(sale, ctx)))).join("");
    }
    complete = true;
  } finally {
    const detail = { list: "sales", filters: { month }, rows, complete };
    await commit(ctx.store, [record(ctx, { actor, action: "desk.exported", subject: "sales", detail })]);
  }
}

const day = ({ timeZone }: Ctx, at: Date | null | undefined): CsvCell => (at ? dayIn(timeZone, at) : null);

const money = (minor: number | undefined, currency: string | undefined): CsvCell =>
  minor === undefined || currency === undefined ? null : { decimal: decimalText(minor, currency) };

/** Of the sale, beside what paid it alone, so that a column's sum is the month's. */
const ofSale =
  (amountOf: (payment: Payment) => number) =>
  (sale: Sale): CsvCell =>
    sale.payment && isPaidBy(sale.payment, sale.movement)
      ? money(amountOf(sale.payment), sale.payment.currency)
      : null;

/** A debit that failed has paid nothing; of what was paid partly elsewhere, the charge is the sale. */
const isPaidBy = ({ paidAmount }: Payment, movement: Sale["movement"]): boolean =>
  (paidAmount ?? 0) > 0 ? movement?.kind === "charge" : movement === null;

type Column = { name: string; cell: (sale: Sale, ctx: Ctx) => CsvCell };
const of = (name: string, cell: Column["cell"]): Column => ({ name, cell });

const columns: Column[] = [
  of("date", ({ movement, payment }, ctx) => day(ctx, movement ? movement.at : payment?.paidAt)),
  of("kind", ({ movement }) => movement?.kind ?? "outside Stripe"),
  of("currency", ({ movement, payment }) => (movement?.currency ?? payment?.currency ?? "").toUpperCase()),
  of("amount", ({ movement }) => money(movement?.amount, movement?.currency)),
  of("stripe_fee", ({ movement }) => money(movement?.fee, movement?.currency)),
  of("net", ({ movement }) => movement && money(movement.amount - movement.fee, movement.currency)),
  of("outside_stripe", ({ movement, payment }) =>
    movement ? null : money(payment.outsideAmount, payment.currency),
  ),
  of("number", ({ payment }) => payment && (payment.invoiceNumber ?? payment.id)),
  of("paid_on", ({ payment }, ctx) => day(ctx, payment?.paidAt)),
  of("refunded_on", ({ payment }, ctx) => day(ctx, payment?.refundedAt)),
  of("offer", ({ payment }) => payment?.product ?? null),
  of("quantity", ({ payment }) => payment?.quantity ?? null),
  of("sale_currency", ({ payment }) => payment?.currency.toUpperCase() ?? null),
  of(
    "price",
    ofSale((payment) => billOf(payment).asked),
  ),
  of(
    "discount",
    ofSale(({ offAmount }) => offAmount),
  ),
  of(
    "credit",
    ofSale(({ creditAmount }) => creditAmount),
  ),
  of(
    "tax",
    ofSale(({ taxAmount, taxIncluded }) => taxAmount + taxIncluded),
  ),
  of("tax_kind", ({ payment }) => payment && taxKindOf(payment)),
  of("country", ({ payment }) => payment?.buyerCountry ?? null),
  of("tax_id", ({ payment }) => payment?.taxId ?? null),
  of("tax_id_kind", ({ payment }) => payment?.taxIdKind ?? null),
  of("payout", ({ movement }) => movement?.payoutId ?? null),
  of("payout_on", ({ movement }, ctx) => day(ctx, movement?.payoutAt)),
  of("description", ({ movement }) => movement?.description ?? null),
  of("payment", ({ payment }) => payment?.id ?? null),
  of("stripe_id", ({ movement }) => movement?.id ?? null),
  of("stripe_source", ({ movement }) => movement?.source ?? null),
];

function taxKindOf({ taxAmount, taxIncluded }: Payment): string | null {
  if (taxAmount > 0) return "added";
  return taxIncluded > 0 ? "included" : null;
}
