import type { World } from "../world";
import type { Price } from "./rows";

export const day = 24 * 60 * 60;

/** The world at a moment, in Unix seconds: what is done in it bears that time. */
export const at = (world: World, moment: number): World => ({ ...world, now: () => moment * 1000 });

/** The world as a customer has it: in their mode, and at the time of their test clock, if they have one. */
export function worldOf(world: World, customer: string): World {
  const row = world.ledger.customers.get(customer);
  if (!row || row.deleted) return world;
  const clock = world.ledger.clocks.get(row.test_clock ?? "");
  return { ...(clock ? at(world, clock.frozen_time) : world), live: row.livemode ?? false };
}

type Interval = Pick<NonNullable<Price["recurring"]>, "interval" | "interval_count">;

/** The interval of a recurring price. */
export function intervalOf({ id, recurring }: Pick<Price, "id" | "recurring">): Interval {
  if (recurring === null) throw new Error(`${id} is not recurring`);
  return recurring;
}

const monthsIn: Record<string, number> = { month: 1, year: 12 };
const daysIn: Record<string, number> = { day: 1, week: 7 };

/** `count` intervals after a moment. A month that lacks the day ends on its last one. */
export function after(moment: number, recurring: Interval, count = 1): number {
  const times = (recurring.interval_count ?? 1) * count;
  const months = (monthsIn[recurring.interval ?? ""] ?? 0) * times;
  if (months === 0) return moment + (daysIn[recurring.interval ?? ""] ?? 0) * times * day;
  const from = new Date(moment * 1000);
  const to = new Date(from);
  to.setUTCDate(1);
  to.setUTCMonth(to.getUTCMonth() + months);
  const last = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate();
  to.setUTCDate(Math.min(from.getUTCDate(), last));
  return Math.floor(to.getTime() / 1000);
}

/** The end of the period that begins at a moment, counted from the anchor so that the 31st stays the 31st. */
export function periodEnd(anchor: number, recurring: Interval, start: number): number {
  for (let count = 1; ; count += 1) {
    const end = after(anchor, recurring, count);
    if (end > start) return end;
  }
}

/** How long a price's interval is, roughly, to compare two. */
export const lengthOf = (price: Price): number => after(0, intervalOf(price));
