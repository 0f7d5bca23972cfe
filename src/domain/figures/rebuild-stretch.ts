import type { Write } from "@/core/database/commit";
import { spans } from "./buckets";

/*
 * The writes that compute sums again: the quarter-hours and hours of a stretch of whole hours, then its UTC day. Plain
 * SQL, like the triggers that keep the sums.
 */

type Stretch = { from: number; until: number };

const write = (text: string, { from, until }: Stretch): Write => ({
  toSQL: () => ({
    sql: text.replaceAll(":from", String(from)).replaceAll(":until", String(until)),
    params: [],
  }),
});

/** The quarter-hours and hours of a stretch of whole hours. */
export const rebuildStretch = (stretch: Stretch, how: { exact: boolean }): Write[] => [
  ...rebuildSales(stretch, how),
  ...rebuildLicences(stretch),
  ...rebuildRecurring(stretch),
  ...rebuildAccounts(stretch),
];

/** A UTC day whose hours are right. */
export const rebuildDay = (stretch: Stretch): Write[] =>
  [
    ...wider.sales(spans.day),
    ...wider.licences(spans.day),
    ...wider.recurring(spans.day),
    ...wider.accounts(spans.day),
  ].map((text) => write(text, stretch));

const summed = ["gross", "off", "refunded", "disputed", "payments", "orders", "checkouts"];
const sums = summed.join(", ");
const quarter = spans.quarter;
const isWithin = (column: string) => `${column} >= :from AND ${column} < :until`;

/** A renewal's row has an invoice in the place of its session. */
const isCheckout = "session_id NOT GLOB 'in_*'";

/** Each row of a fact, with its offer and code. */
const saleFacts = `
  SELECT livemode, currency, offer, NULL AS code, created_at AS at, 0 AS gross, 0 AS off, 0 AS refunded, 0 AS disputed, 0 AS payments, 0 AS orders, 1 AS checkouts
    FROM payments WHERE ${isWithin("created_at")} AND ${isCheckout}
  UNION ALL SELECT livemode, currency, offer, promotion_code, paid_at, coalesce(paid_amount, amount), off_amount, 0, 0, 1, ${isCheckout}, 0
    FROM payments WHERE sold_at IS NOT NULL AND ${isWithin("paid_at")}
  UNION ALL SELECT p.livemode, r.currency, p.offer, p.promotion_code, r.at, 0, 0, r.amount, 0, 0, 0, 0
    FROM stripe_refunds r CROSS JOIN payments p ON p.id = r.payment_id WHERE r.status = 'succeeded' AND ${isWithin("r.at")} AND p.sold_at IS NOT NULL
  UNION ALL SELECT p.livemode, d.currency, p.offer, p.promotion_code, d.taken_at, 0, 0, 0, d.amount, 0, 0, 0
    FROM disputes d CROSS JOIN payments p ON p.id = d.payment_id WHERE ${isWithin("d.taken_at")} AND p.sold_at IS NOT NULL
  UNION ALL SELECT p.livemode, d.currency, p.offer, p.promotion_code, d.returned_at, 0, 0, 0, -d.amount, 0, 0, 0
    FROM disputes d CROSS JOIN payments p ON p.id = d.payment_id WHERE ${isWithin("d.returned_at")} AND p.sold_at IS NOT NULL`;

/** What each fact is about: everything, its offer and its code. */
const abouts = "(SELECT 0 AS kind UNION ALL SELECT 1 UNION ALL SELECT 2)";
const about = "CASE kind WHEN 0 THEN '' WHEN 1 THEN 'offer:' || coalesce(offer, '') ELSE 'code:' || code END";

const saleKey = "livemode, currency, about, span, at";

/** Without `exact`, counts at least the checkouts that still have rows; others were deleted after they were counted. */
const rebuildSales = (stretch: Stretch, { exact }: { exact: boolean }): Write[] =>
  [
    clear(
      "sales_sums",
      summed.filter((name) => exact || name !== "checkouts"),
    ),
    `INSERT INTO sales_sums (${saleKey}, ${sums})
   SELECT livemode, currency, ${about}, ${quarter}, at - at % ${quarter}, ${summed.map((name) => `sum(${name})`).join(", ")}
   FROM (${saleFacts}) CROSS JOIN ${abouts} WHERE kind < 2 OR code IS NOT NULL GROUP BY 1, 2, 3, 5
   ON CONFLICT (${saleKey}) DO UPDATE SET ${summed
     .map((name) =>
       name === "checkouts" ? `${name} = max(${name}, excluded.${name})` : `${name} = excluded.${name}`,
     )
     .join(", ")}`,
    ...wider.sales(spans.hour),
  ].map((text) => write(text, stretch));

const licenceKey = "livemode, about, span, at";

const rebuildLicences = (stretch: Stretch): Write[] =>
  [
    clear("licence_sums", ["change"]),
    `INSERT INTO licence_sums (${licenceKey}, change)
     SELECT coalesce(l.livemode, 2), CASE kind WHEN 0 THEN '' ELSE 'offer:' || l.offer END, ${quarter}, l.at - l.at % ${quarter}, sum(l.change)
     FROM (SELECT livemode, offer, active_from AS at, 1 AS change FROM licences WHERE ${isWithin("active_from")}
       UNION ALL SELECT livemode, offer, active_until, -1 FROM licences WHERE ${isWithin("active_until")}) l
     CROSS JOIN ${abouts} WHERE kind = 0 OR (kind = 1 AND l.offer IS NOT NULL) GROUP BY 1, 2, 4
     ON CONFLICT (${licenceKey}) DO UPDATE SET change = excluded.change`,
    ...wider.licences(spans.hour),
  ].map((text) => write(text, stretch));

const recurringKey = "livemode, currency, about, span, at";

const rebuildRecurring = (stretch: Stretch): Write[] =>
  [
    clear("recurring_sums", ["change", "running"]),
    `INSERT INTO recurring_sums (${recurringKey}, change, running)
     SELECT r.livemode, r.currency, CASE kind WHEN 0 THEN '' ELSE 'offer:' || r.offer END, ${quarter}, r.at - r.at % ${quarter}, sum(r.change), sum(r.running)
     FROM (SELECT livemode, currency, offer, "from" AS at, yearly AS change, 1 AS running FROM subscription_runs WHERE ${isWithin('"from"')}
       UNION ALL SELECT livemode, currency, offer, "until", -yearly, -1 FROM subscription_runs WHERE ${isWithin('"until"')}) r
     CROSS JOIN ${abouts} WHERE kind < 2 GROUP BY 1, 2, 3, 5
     ON CONFLICT (${recurringKey}) DO UPDATE SET change = excluded.change, running = excluded.running`,
    ...wider.recurring(spans.hour),
  ].map((text) => write(text, stretch));

/** Counts at least the accounts that still exist. */
const rebuildAccounts = (stretch: Stretch): Write[] =>
  [
    `INSERT INTO account_sums (span, at, created)
     SELECT ${quarter}, created_at - created_at % ${quarter}, count(*) FROM accounts WHERE ${isWithin("created_at")} GROUP BY 2
     ON CONFLICT (span, at) DO UPDATE SET created = max(created, excluded.created)`,
    ...wider.accounts(spans.hour),
  ].map((text) => write(text, stretch));

const clear = (table: string, columns: string[], span = quarter) =>
  `UPDATE ${table} SET ${columns.map((name) => `${name} = 0`).join(", ")} WHERE span = ${span} AND ${isWithin("at")}`;

/** An hour is the sum of its quarter-hours, and a day the sum of its hours. */
const wider = {
  sales: (span: number) => widened("sales_sums", "livemode, currency, about", summed, span),
  licences: (span: number) => widened("licence_sums", "livemode, about", ["change"], span),
  recurring: (span: number) =>
    widened("recurring_sums", "livemode, currency, about", ["change", "running"], span),
  accounts: (span: number) => widened("account_sums", "", ["created"], span),
};

function widened(table: string, keys: string, columns: string[], span: number): string[] {
  const key = keys === "" ? "" : `${keys}, `;
  const narrower = span === spans.day ? spans.hour : quarter;
  return [
    clear(table, columns, span),
    `INSERT INTO ${table} (${key}span, at, ${columns.join(", ")})
     SELECT ${key}${span}, at - at % ${span} AS begins, ${columns.map((name) => `sum(${name})`).join(", ")}
     FROM ${table} WHERE span = ${narrower} AND ${isWithin("at")} GROUP BY ${key}begins
     ON CONFLICT (${key}span, at) DO UPDATE SET ${columns.map((name) => `${name} = excluded.${name}`).join(", ")}`,
  ];
}
