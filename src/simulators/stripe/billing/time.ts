import type { World } from "../world";
import type { Price } from "./rows";

export const day = 24 * 60 * 60;

/** The world at a moment, in Unix seconds, which changes made in it have as their time. */
export const at = (world: World, moment: number): World => ({ ...world, now: () => moment * 1000 });

/** The world in a customer's mode, and at the time of their test clock, if they have one. */
export function worldForCustomer(world: World, customer: string): World {
  const row = world.ledger.customers.get(customer);
  if (!row || row.deleted) return world;
  const clock = world.ledger.clocks.get(row.test_clock ?? "");
  return { ...(clock ? at(world, clock.frozen_time) : world), live: row.livemode ?? false };
}

export const intervals = ["day", "week", "month", "year"] as const;
export type Interval = (typeof intervals)[number];

export function intervalOf({ id, recurring }: Pick<Price, "id" | "recurring">): Interval {
  const interval = intervals.find((one) => one === recurring?.interval);
  if (interval === undefined) throw new Error(`${id} has no interval: ${recurring?.interval}`);
  return interval;
}

const monthsIn: Partial<Record<Interval, number>> = { month: 1, year: 12 };

/** `count` intervals after a moment, in Unix seconds. In a month without that day, it is the last day. */
export function after(moment: number, interval: Interval, count = 1): number {
  const months = (monthsIn[interval] ?? 0) * count;
  if (months === 0) return moment + (interval === "week" ? 7 : 1) * count * day;
  const from = new Date(moment * 1000);
  const to = new Date(from);
  to.setUTCDate(1);
  to.setUTCMonth(to.getUTCMonth() + months);
  const last = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate();
  to.setUTCDate(Math.min(from.getUTCDate(), last));
  return Math.floor(to.getTime() / 1000);
}

/** The end of the period that begins at a moment, counted from the anchor so that the 31st stays the 31st. */
export function periodEnd(anchor: number, interval: Interval, start: number): number {
  for (let count = 1; ; count += 1) {
    const end = after(anchor, interval, count);
    // a moment beyond what Date can hold is not a number, and would never be reached
    if (!(end > anchor)) throw new RangeError(`No period of a ${interval} follows ${anchor}.`);
    if (end > start) return end;
  }
}

/** How long a price's interval is, roughly, to compare two. */
export const lengthOf = (price: Price): number => after(0, intervalOf(price));
