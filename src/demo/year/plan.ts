import { day, inSeconds } from "@/contract/vocabulary/time";
import { chanceFrom } from "./chance";
import { daysOfYear, type PastOrder, planOrders, quarterSold } from "./orders";
import type { PastCustomer } from "./people";
import { type PastTicket, planTickets } from "./tickets";

/** What began in a week, each oldest first; `customers` registered with its orders' keys. */
export type Week = { orders: PastOrder[]; customers: PastCustomer[]; tickets: PastTicket[] };

/** Times are Unix seconds. */
export type Year = {
  end: number;
  /** All orders, oldest first. */
  orders: PastOrder[];
  /** When the second offer was on sale. */
  quarter: { from: number; until: number };
  weeks: Week[];
};

const seed = 20_260_301;
const week = inSeconds(7 * day);

/** A year of sales and tickets that ends then; the same end gives the same year. */
export function planYear(end: number): Year {
  const chance = chanceFrom(seed);
  const { orders, customers } = planOrders(chance, end);
  const tickets = planTickets(chance, customers, end);
  const begin = end - daysOfYear * inSeconds(day);
  const weeks = Array.from({ length: daysOfYear / 7 }, (_, at): Week => {
    const isIn = (time: number) => Math.min(Math.floor((time - begin) / week), daysOfYear / 7 - 1) === at;
    const ordered = orders.filter(({ createdAt }) => isIn(createdAt));
    return {
      orders: ordered,
      customers: ordered.flatMap(({ owner, buyer }) => (owner && owner !== buyer ? [owner] : [])),
      tickets: tickets.filter(({ openedAt }) => isIn(openedAt)),
    };
  });
  return { end, orders, quarter: quarterSold(end), weeks };
}
