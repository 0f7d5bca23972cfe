import { day, inSeconds } from "@/contract/vocabulary/time";
import { idAt, stripeId } from "./ids";

/** A customer of the past year; times are Unix seconds. */
export type PastCustomer = { id: string; username: string; email: string; joinedAt: number };

/** What the shop sold in the year: its own offer, one that it retired since, and one of a second level. */
export type PastOffer = "premium" | "quarter" | "studio";

/** A checkout of the past year; times are Unix seconds. */
export type PastOrder = {
  number: number;
  session: string;
  /** Null if nothing was paid with. */
  intent: string | null;
  offer: PastOffer;
  quantity: number;
  hasCode: boolean;
  giftTo: string | null;
  createdAt: number;
  /** When it was paid, failed or expired. */
  endedAt: number;
  outcome: "paid" | "failed" | "expired";
  email: string;
  /** The customer who was signed in. */
  buyer: PastCustomer | null;
  /** Who redeemed its first key. */
  owner: PastCustomer | null;
  redeemedAt: number;
  refund: { id: string; at: number; isPart: boolean; reason: string } | null;
  dispute: { id: string; at: number; closed: { at: number; status: "won" | "lost" } | null } | null;
};

/** A ticket of the past months; times are Unix seconds. */
export type PastTicket = {
  /** From 0, in order of time. */
  number: number;
  customer: PastCustomer;
  topic: string;
  question: string;
  openedAt: number;
  /** Null as long as it waits for staff. */
  closed: {
    answer: string;
    answeredAt: number;
    by: "olga" | "sam";
    at: number;
    reason: string;
    stars: number | null;
    comment: string | null;
  } | null;
};

/** What began in a week, each oldest first; `customers` registered with its orders' keys. */
export type Week = { orders: PastOrder[]; customers: PastCustomer[]; tickets: PastTicket[] };

/** Times are Unix seconds. */
export type Year = {
  end: number;
  /** All orders, oldest first. */
  orders: PastOrder[];
  /** When the second offer was on sale. */
  quarter: { from: number; until: number };
  /** When the second level went on sale. */
  studioFrom: number;
  weeks: Week[];
};

/** How long after a payment the shop learned of it. */
export const soldAfterSeconds = 2;

const weeksOfYear = 52;
const retiredBeforeEnd = 92 * inSeconds(day);
const studioBeforeEnd = 120 * inSeconds(day);
const week = inSeconds(7 * day);

/**
 * The year of sales and tickets of `orders.tsv` and `tickets.tsv`, moved so that it ends then. `ago` counts seconds before
 * the end, and every other moment those since the one to its left: the checkout, its end, and of a ticket the question.
 * @param hasDebits whether the currency has delayed payments: only those fail
 */
export async function planYear(end: number, hasDebits: boolean): Promise<Year> {
  const customers = new Map<string, PastCustomer>();
  const all = (await rowsOf("orders")).map((row, number) => orderOf(row, { number, end, customers }));
  const orders = all.filter(({ outcome }) => hasDebits || outcome !== "failed");
  const tickets = (await rowsOf("tickets")).map((row, number) => ticketOf(row, { number, end, customers }));
  const begin = end - weeksOfYear * week;
  const weekOf = (time: number) => Math.min(Math.floor((time - begin) / week), weeksOfYear - 1);
  const weeks = Array.from({ length: weeksOfYear }, (_, at): Week => {
    const ordered = orders.filter(({ createdAt }) => weekOf(createdAt) === at);
    return {
      orders: ordered,
      customers: ordered.flatMap(({ owner, buyer }) => (owner && owner !== buyer ? [owner] : [])),
      tickets: tickets.filter(({ openedAt }) => weekOf(openedAt) === at),
    };
  });
  const quarter = { from: begin, until: end - retiredBeforeEnd };
  return { end, orders, quarter, studioFrom: end - studioBeforeEnd, weeks };
}

type Row = Record<string, string | undefined>;
type Given = { number: number; end: number; customers: Map<string, PastCustomer> };

async function rowsOf(name: "orders" | "tickets"): Promise<Row[]> {
  const text = await Bun.file(new URL(`${name}.tsv`, import.meta.url)).text();
  const [names = [], ...rows] = text
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));
  return rows.map((cells) => Object.fromEntries(names.map((column, at) => [column, cells[at] || undefined])));
}

function orderOf(row: Row, { number, end, customers }: Given): PastOrder {
  const { outcome, offer, email = "", gift, redeemed, refunded, disputed, closed } = row;
  const createdAt = end - Number(row["ago"]);
  const endedAt = createdAt + Number(row["ended"]);
  const redeemedAt = redeemed ? endedAt + Number(redeemed) : 0;
  const disputedAt = endedAt + Number(disputed);
  const buyer = customers.get(email) ?? null;
  const owner = redeemed ? (buyer ?? customerOf(gift ?? email, redeemedAt)) : null;
  if (owner) customers.set(owner.email, owner);
  return {
    number,
    session: stripeId("cs_test_a1", number, 56),
    intent: outcome === "expired" ? null : stripeId("pi_3", number),
    offer: offer as PastOffer,
    quantity: Number(row["quantity"]),
    hasCode: row["code"] !== undefined,
    giftTo: gift ?? null,
    createdAt,
    endedAt,
    outcome: outcome as PastOrder["outcome"],
    email,
    buyer,
    owner,
    redeemedAt,
    refund: refunded
      ? {
          id: stripeId("re_3", number),
          at: endedAt + Number(refunded),
          isPart: row["refund"] === "part",
          reason: row["reason"] ?? "",
        }
      : null,
    dispute: disputed
      ? {
          id: stripeId("du_1", number),
          at: disputedAt,
          closed: closed
            ? { at: disputedAt + Number(closed), status: row["verdict"] as "won" | "lost" }
            : null,
        }
      : null,
  };
}

function ticketOf(row: Row, { number, end, customers }: Given): PastTicket {
  const customer = customers.get(row["email"] ?? "");
  if (!customer) throw new Error(`nobody of the year has ${row["email"]}`);
  const openedAt = end - Number(row["ago"]);
  const answeredAt = openedAt + Number(row["answered"]);
  return {
    number,
    customer,
    topic: row["topic"] ?? "",
    question: row["question"] ?? "",
    openedAt,
    closed: row["answered"]
      ? {
          answer: row["answer"] ?? "",
          answeredAt,
          by: row["by"] as "olga" | "sam",
          at: answeredAt + Number(row["closed"]),
          reason: row["reason"] ?? "",
          stars: row["stars"] ? Number(row["stars"]) : null,
          comment: row["comment"] ?? null,
        }
      : null,
  };
}

/** The account that the owner of an address registers. */
const customerOf = (email: string, joinedAt: number): PastCustomer => ({
  id: idAt(joinedAt, email),
  username: email.slice(0, email.indexOf("@")),
  email,
  joinedAt,
});
