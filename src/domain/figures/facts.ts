import { type SQL, type SQLChunk, sql } from "drizzle-orm";
import { yieldToEventLoop } from "@/core/base/yield";
import type { Ctx } from "@/core/database/context";
import { preparedRead } from "@/core/database/prepared";

export const measures = [
  "gross",
  "off",
  "refunded",
  "disputed",
  "payments",
  "orders",
  "checkouts",
  "licences",
  "yearly",
  "running",
  "accounts",
] as const;

type Measure = (typeof measures)[number];
/** See `figureSums`. */
export type Sums = Record<Measure, number>;
export type SumsAbout = { livemode: number; currency: string; about: string } & Sums;

export const zeroSums = Object.fromEntries(measures.map((name) => [name, 0])) as Sums;

export const addSums = (one: Sums, other: Sums): Sums =>
  Object.fromEntries(measures.map((name) => [name, one[name] + other[name]])) as Sums;

/** About how many facts a statement reads; that takes about 5 ms. */
const mostFacts = 1_000;

/** The figures of a stretch of time, from its facts; requests are served between two parts of it. */
export async function figuresOf({ store }: Ctx, from: number, until: number): Promise<SumsAbout[]> {
  const sums = new Map<string, SumsAbout>();
  for (let at = from; at < until;) {
    const [next] = await timeOfNth(store).all({ from: at, until, nth: mostFacts });
    // a part has at least one moment, with all its facts
    const end = next ? Math.max(next.at, at + 1) : until;
    const rows = await sumsBetween(store).all({ from: at, until: end });
    for (const { livemode, currency, offer, level, code, ...row } of rows) {
      const abouts = [
        "",
        ...(offer === null ? [] : [`offer:${offer}`]),
        ...(level === null ? [] : [`level:${level}`]),
        ...(code === null ? [] : [`code:${code}`]),
      ];
      for (const about of abouts) {
        const key = JSON.stringify([livemode, currency, about]);
        sums.set(key, { livemode, currency, about, ...addSums(sums.get(key) ?? zeroSums, row) });
      }
    }
    at = end;
    await yieldToEventLoop();
  }
  return [...sums.values()];
}

/** When the first fact happened, if that was before a moment. */
export async function firstFact({ store }: Ctx, before: number): Promise<number | null> {
  const [first] = await timeOfNth(store).all({ from: 0, until: before, nth: 0 });
  return first?.at ?? null;
}

/** A column for each measure, of the sum of what it names. */
export const sumColumns = (column: (name: Measure) => SQLChunk) =>
  Object.fromEntries(measures.map((name) => [name, sql<number>`sum(${column(name)})`])) as Record<
    Measure,
    SQL<number>
  >;

type FactSource = {
  table: SQL;
  /** When it counts: an index has the column. */
  at: SQL;
  which?: SQL;
  /** How the rows are counted; by default by `livemode` in no currency. */
  livemode?: SQL;
  currency?: SQL;
  offer?: SQL;
  level?: SQL;
  code?: SQL;
  counts: Partial<Record<Measure, SQL>>;
};

/** A renewal's row has an invoice in the place of its session. */
const isCheckout = sql`session_id NOT GLOB 'in_*'`;
const ofPayment = sql`CROSS JOIN payments p ON p.id = payment_id AND p.sold_at IS NOT NULL`;
const payment = {
  table: sql`payments`,
  currency: sql`currency`,
  offer: sql`coalesce(offer, '')`,
  level: sql`level`,
};
const moneyBack = {
  livemode: sql`p.livemode`,
  currency: sql`f.currency`,
  offer: sql`coalesce(p.offer, '')`,
  level: sql`p.level`,
  code: sql`p.promotion_code`,
};
const dispute = { ...moneyBack, table: sql`disputes f ${ofPayment}` };
const licence = {
  table: sql`licences`,
  livemode: sql`coalesce(livemode, 2)`,
  offer: sql`offer`,
  level: sql`type`,
};
const run = { table: sql`subscription_runs`, currency: sql`currency`, offer: sql`offer`, level: sql`level` };

const factSources: FactSource[] = [
  { ...payment, at: sql`created_at`, which: isCheckout, counts: { checkouts: sql`1` } },
  {
    ...payment,
    at: sql`paid_at`,
    which: sql`sold_at IS NOT NULL`,
    code: sql`promotion_code`,
    counts: {
      gross: sql`coalesce(paid_amount, amount)`,
      off: sql`off_amount`,
      payments: sql`1`,
      orders: isCheckout,
    },
  },
  {
    ...moneyBack,
    table: sql`stripe_refunds f ${ofPayment}`,
    at: sql`f.at`,
    which: sql`f.status = 'succeeded'`,
    counts: { refunded: sql`f.amount` },
  },
  { ...dispute, at: sql`f.taken_at`, counts: { disputed: sql`f.amount` } },
  { ...dispute, at: sql`f.returned_at`, counts: { disputed: sql`-f.amount` } },
  { ...licence, at: sql`active_from`, counts: { licences: sql`1` } },
  { ...licence, at: sql`active_until`, counts: { licences: sql`-1` } },
  { ...run, at: sql`"from"`, counts: { yearly: sql`yearly`, running: sql`1` } },
  { ...run, at: sql`"until"`, counts: { yearly: sql`-yearly`, running: sql`-1` } },
  { table: sql`accounts`, at: sql`created_at`, livemode: sql`2`, counts: { accounts: sql`1` } },
  {
    table: sql`deleted_counts`,
    at: sql`at`,
    currency: sql`currency`,
    offer: sql`CASE WHEN livemode < 2 THEN offer END`,
    counts: { checkouts: sql`checkouts`, accounts: sql`accounts` },
  },
];

function columnsOf({ livemode, currency, offer, level, code, counts }: FactSource): SQL {
  const counted = measures.map((name) => sql`${counts[name] ?? sql`0`} AS ${sql.identifier(name)}`);
  return sql`${livemode ?? sql`livemode`} AS livemode, ${currency ?? sql`''`} AS currency, ${offer ?? sql`NULL`} AS offer, ${level ?? sql`NULL`} AS level, ${code ?? sql`NULL`} AS code, ${sql.join(counted, sql`, `)}`;
}

const unionOf = (columns: (source: FactSource) => SQL): SQL =>
  sql.join(
    factSources.map((source) => {
      const { table, at, which = sql`true` } = source;
      return sql`SELECT ${columns(source)} FROM ${table} WHERE ${at} >= ${sql.placeholder("from")} AND ${at} < ${sql.placeholder("until")} AND ${which}`;
    }),
    sql` UNION ALL `,
  );

/** The indexes are merged, as far as they are read. */
const timeOfNth = preparedRead((db) =>
  db
    .select({ at: sql<number>`at` })
    .from(sql`(${unionOf(({ at }) => sql`${at} AS at`)})`)
    .orderBy(sql`at`)
    .limit(1)
    .offset(sql.placeholder("nth"))
    .prepare(),
);

const sumsBetween = preparedRead((db) =>
  db
    .select({
      livemode: sql<number>`livemode`,
      currency: sql<string>`currency`,
      offer: sql<string | null>`offer`,
      level: sql<string | null>`level`,
      code: sql<string | null>`code`,
      ...sumColumns((name) => sql.identifier(name)),
    })
    .from(sql`(${unionOf(columnsOf)})`)
    .groupBy(sql`1, 2, 3, 4, 5`)
    .prepare(),
);
