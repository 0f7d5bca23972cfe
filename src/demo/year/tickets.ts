import { day, hour, inSeconds, minute } from "@/contract/vocabulary/time";
import type { Chance } from "./chance";
import { closings, comments, type Conversation, conversations, unanswered } from "./conversations";
import type { PastCustomer } from "./people";

/** A ticket of the past months; times are Unix seconds. */
export type PastTicket = {
  /** From 0, in order of time. */
  number: number;
  customer: PastCustomer;
  conversation: Omit<Conversation, "answer">;
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

const count = 150;
/** The shop deletes older ones. */
const days = 174;
const [aDay, anHour, aMinute] = [inSeconds(day), inSeconds(hour), inSeconds(minute)];

/** The tickets before `end`, oldest first; the newest wait for staff. */
export function planTickets(chance: Chance, customers: PastCustomer[], end: number): PastTicket[] {
  const times = Array.from({ length: count }, () =>
    Math.floor(end - 3 * aDay - days * aDay * (1 - Math.sqrt(chance.next()))),
  ).toSorted((one, other) => one - other);
  const closed = times.flatMap((openedAt): PastTicket[] => {
    const customer = customerBefore(chance, customers, openedAt);
    const conversation = chance.pick(conversations);
    const ticket = { customer, conversation, openedAt, closed: planClosing(chance, conversation, openedAt) };
    return customer ? [{ ...ticket, customer, number: 0 }] : [];
  });
  const open = unanswered.flatMap((conversation, at): PastTicket[] => {
    const openedAt = end - (40 - 9 * at) * anHour;
    const customer = customerBefore(chance, customers, openedAt);
    return customer ? [{ number: 0, customer, conversation, openedAt, closed: null }] : [];
  });
  return [...closed, ...open].map((ticket, number) => ({ ...ticket, number }));
}

/** Somebody who had joined by then. */
function customerBefore(chance: Chance, customers: PastCustomer[], at: number): PastCustomer | undefined {
  const joined = customers.findLastIndex(({ joinedAt }) => joinedAt < at) + 1;
  return customers[Math.floor(chance.next() * joined)];
}

function planClosing(chance: Chance, { answer }: Conversation, openedAt: number): PastTicket["closed"] {
  const answeredAt = openedAt + Math.floor(4 * aMinute + chance.next() ** 3 * 20 * anHour);
  const isRated = chance.is(0.6);
  return {
    answer,
    answeredAt,
    by: chance.is(0.75) ? "sam" : "olga",
    at: answeredAt + chance.between(5 * aMinute, 30 * anHour),
    reason: chance.pick(closings),
    stars: isRated ? chance.pick([5, 5, 5, 4, 4, 3, 2]) : null,
    comment: isRated && chance.is(0.4) ? chance.pick(comments) : null,
  };
}
