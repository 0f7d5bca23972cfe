import type { Write } from "@/core/commit";
import { spans } from "./buckets";

/*
 * The writes that compute the sums of one UTC day again. They are plain SQL, as the triggers are that keep the sums.
 */

type Stretch = { from: number; until: number };

const write = (text: string, { from, until }: Stretch): Write => ({
  toSQL: () => ({
    sql: text.replaceAll(":from", String(from)).replaceAll(":until", String(until)),
    params: [],
  }),
});

const summed = ["gross", "off", "refunded", "disputed", "payments", "orders", "checkouts"];
const sums = summed.join(", ");
const quarter = spans.quarter;
const today = (column: string) => `${column} >= :from AND ${column} < :until`;

/** Each row of a fact, with what it is of. */
const saleFacts = `
  SELECT livemode, currency, offer, NULL AS code, created_at AS at, 0 AS gross, 0 AS off, 0 AS refunded, 0 AS disputed, 0 AS payments, 0 AS orders, 1 AS checkouts
    FROM payments WHERE ${today("created_at")}
  UNION ALL SELECT livemode, currency, offer, promotion_code, paid_at, coalesce(paid_amount, amount), off_amount, 0, 0, 1, 1, 0
    FROM payments WHERE sold_at IS NOT NULL AND ${today("paid_at")}
  UNION ALL SELECT p.livemode, r.currency, p.offer, p.promotion_code, r.at, 0, 0, r.amount, 0, 0, 0, 0
    FROM stripe_refunds r CROSS JOIN payments p ON p.id = r.payment_id WHERE r.status = 'succeeded' AND ${today("r.at")} AND p.sold_at IS NOT NULL
  UNION ALL SELECT p.livemode, d.currency, p.offer, p.promotion_code, d.taken_at, 0, 0, 0, d.amount, 0, 0, 0
    FROM disputes d CROSS JOIN payments p ON p.id = d.payment_id WHERE ${today("d.taken_at")} AND p.sold_at IS NOT NULL
  UNION ALL SELECT p.livemode, d.currency, p.offer, p.promotion_code, d.returned_at, 0, 0, 0, -d.amount, 0, 0, 0
    FROM disputes d CROSS JOIN payments p ON p.id = d.payment_id WHERE ${today("d.returned_at")} AND p.sold_at IS NOT NULL`;

/** What each fact is about: everything, its offer and its code. */
const abouts = "(SELECT 0 AS kind UNION ALL SELECT 1 UNION ALL SELECT 2)";
const about = "CASE kind WHEN 0 THEN '' WHEN 1 THEN 'offer:' || coalesce(offer, '') ELSE 'code:' || code END";

const saleKey = "livemode, currency, about, span, at";

/** Without `exact`, checkouts are at least those that rows tell; others were deleted since they were counted. */
export const rebuildSales = (stretch: Stretch, { exact }: { exact: boolean }): Write[] =>
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
    ...[spans.hour, spans.day].flatMap((span) =>
      widened("sales_sums", "livemode, currency, about", summed, span),
    ),
  ].map((text) => write(text, stretch));

const licenceKey = "livemode, about, span, at";

export const rebuildLicences = (stretch: Stretch): Write[] =>
  [
    clear("licence_sums", ["change"]),
    `INSERT INTO licence_sums (${licenceKey}, change)
     SELECT coalesce(l.livemode, 2), CASE kind WHEN 0 THEN '' ELSE 'offer:' || l.offer END, ${quarter}, l.at - l.at % ${quarter}, sum(l.change)
     FROM (SELECT livemode, offer, active_from AS at, 1 AS change FROM licences WHERE ${today("active_from")}
       UNION ALL SELECT livemode, offer, active_until, -1 FROM licences WHERE ${today("active_until")}) l
     CROSS JOIN ${abouts} WHERE kind = 0 OR (kind = 1 AND l.offer IS NOT NULL) GROUP BY 1, 2, 4
     ON CONFLICT (${licenceKey}) DO UPDATE SET change = excluded.change`,
    ...[spans.hour, spans.day].flatMap((span) =>
      widened("licence_sums", "livemode, about", ["change"], span),
    ),
  ].map((text) => write(text, stretch));

/** At least the accounts that are still there. */
export const rebuildAccounts = (stretch: Stretch): Write[] =>
  [
    `INSERT INTO account_sums (span, at, created)
     SELECT ${quarter}, created_at - created_at % ${quarter}, count(*) FROM accounts WHERE ${today("created_at")} GROUP BY 2
     ON CONFLICT (span, at) DO UPDATE SET created = max(created, excluded.created)`,
    ...[spans.hour, spans.day].flatMap((span) => widened("account_sums", "", ["created"], span)),
  ].map((text) => write(text, stretch));

const clear = (table: string, columns: string[], span = quarter) =>
  `UPDATE ${table} SET ${columns.map((name) => `${name} = 0`).join(", ")} WHERE span = ${span} AND ${today("at")}`;

/** Hours and days add up the quarter-hours. */
function widened(table: string, keys: string, columns: string[], span: number): string[] {
  const key = keys === "" ? "" : `${keys}, `;
  return [
    clear(table, columns, span),
    `INSERT INTO ${table} (${key}span, at, ${columns.join(", ")})
     SELECT ${key}${span}, at - at % ${span} AS begins, ${columns.map((name) => `sum(${name})`).join(", ")}
     FROM ${table} WHERE span = ${quarter} AND ${today("at")} GROUP BY ${key}begins
     ON CONFLICT (${key}span, at) DO UPDATE SET ${columns.map((name) => `${name} = excluded.${name}`).join(", ")}`,
  ];
}
