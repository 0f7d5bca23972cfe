import { day } from "@/contract/vocabulary/time";
import type { PaymentStatus } from "../../schema/licences";

/*
 * The rule of licence time. A licence's end follows from the current facts, never from the order in which the shop
 * learned of them. Nothing here reads or writes.
 */

/** Days that staff added to a redeemed licence. */
export type Extension = {
  id: string;
  days: number;
  addedAt: Date;
  /** The earliest beginning of days on a subscription's licence; null for every other licence. */
  beginsAt: Date | null;
};

/** What can end a licence early, and when. */
export type Causes = {
  paymentStatus: PaymentStatus;
  paymentFellAt: Date | null;
  suspendedAt: Date | null;
  revokedAt: Date | null;
};

/** The facts of a redeemed licence that its account's time depends on. */
export type HeldLicence = Causes & {
  id: string;
  /** The level that it was sold as: licences of one level run one after the other, beside those of others. */
  chain: string;
  /** The Stripe mode of the purchase; null if nobody bought the licence. */
  livemode: boolean | null;
  /** Null is a lifetime, unless it has a fixed end. */
  days: number | null;
  fixedEndsAt: Date | null;
  /** Until when a subscription is paid, with its grace. Not part of the chain. */
  paidUntil: Date | null;
  redeemedAt: Date;
  extensions: Extension[];
};

/** The latest end of a licence: days stored before they had a limit would exceed what a date can hold. */
const latestEnd = Date.UTC(9999, 11, 31);

/** When each licence of an account ends; null is a lifetime. */
export function endsOf(held: HeldLicence[], mode: { livemode: boolean }): Map<string, Date | null> {
  const chains = Map.groupBy(held, (licence) => licence.chain);
  return new Map([...chains.values()].flatMap((one) => [...endsOfLevel(one, mode)]));
}

/**
 * When the time of each chain is used up, in Unix milliseconds; without the chains that have none.
 * @param held an account's licences with their ends as `endsOf` computed them
 */
export function chainEnds(
  held: readonly (HeldLicence & { expiresAt: Date | null })[],
  { livemode }: { livemode: boolean },
): Map<string, number> {
  const ends = new Map<string, number>();
  for (const { chain: one, paidUntil, livemode: mode, expiresAt } of held) {
    if (paidUntil !== null || mode === !livemode) continue;
    ends.set(one, Math.max(ends.get(one) ?? 0, expiresAt?.getTime() ?? 0));
  }
  return ends;
}

/**
 * Licences bought in the other Stripe mode entitle nobody and so take no time: each mode has its own chain, and licences
 * that nobody bought count in the shop's own.
 */
function endsOfLevel(held: HeldLicence[], { livemode }: { livemode: boolean }): Map<string, Date | null> {
  const isOther = (licence: HeldLicence) => licence.livemode === !livemode;
  const given = held.filter((licence) => licence.livemode === null);
  const own = held.filter((licence) => !isOther(licence));
  const other = held.filter(isOther);
  const ends = chain(own);
  const otherEnds = other.length > 0 ? chain([...other, ...given]) : ends;
  return new Map(
    held.map((licence) => [licence.id, (isOther(licence) ? otherEnds : ends).get(licence.id) ?? null]),
  );
}

/** When a licence was ended early, by the earliest cause that still applies; null if none does. */
function fellAt(licence: Causes): Date | null {
  const { paymentStatus, paymentFellAt, suspendedAt, revokedAt } = licence;
  const causes = [paymentStatus === "good" ? null : paymentFellAt, suspendedAt, revokedAt];
  const times = causes.flatMap((at) => at?.getTime() ?? []);
  return times.length === 0 ? null : new Date(Math.min(...times));
}

/** Whether a licence was used up, rather than ended early. */
export function hasRunOut(licence: Causes & { expiresAt: Date | null }, now: Date): boolean {
  const { expiresAt } = licence;
  if (!expiresAt || expiresAt > now) return false;
  const fell = fellAt(licence);
  return !fell || expiresAt < fell;
}

/** A piece of time, in Unix milliseconds: the days of a redemption or of an extension. */
type Stretch = {
  licenceId: string;
  /** The licence's or extension's id, which orders stretches that began at the same moment. */
  id: string;
  isExtension: boolean;
  from: number;
  lasts: number;
  fixedEnd: number | null;
  fell: number;
};

/**
 * Each stretch begins at the later of its own beginning and the end of all before it, and lasts its days, or until its
 * licence fell. A licence that fell before its turn takes no time from those after it.
 */
function chain(held: HeldLicence[]): Map<string, Date> {
  const ends = new Map(held.flatMap(subscriptionEnd));
  let taken = 0;
  for (const { licenceId, from, lasts, fixedEnd, fell } of held.flatMap(stretchesOf).toSorted(inOrder)) {
    const end = Math.min(fixedEnd ?? Math.max(from, taken) + lasts, fell, latestEnd);
    taken = Math.max(taken, end);
    ends.set(licenceId, new Date(end));
  }
  return ends;
}

/** The later of the paid time and the days that staff added, since both run at the same time. */
function subscriptionEnd(licence: HeldLicence): [id: string, end: Date][] {
  const { id, paidUntil, extensions } = licence;
  if (paidUntil === null) return [];
  const given = extensions
    .toSorted((one, other) => one.addedAt.getTime() - other.addedAt.getTime() || (one.id < other.id ? -1 : 1))
    .reduce(
      (end, { days, addedAt, beginsAt }) => Math.max(end, (beginsAt ?? addedAt).getTime()) + days * day,
      0,
    );
  const fell = fellAt(licence)?.getTime() ?? Infinity;
  return [[id, new Date(Math.min(Math.max(paidUntil.getTime(), given), fell, latestEnd))]];
}

function stretchesOf(licence: HeldLicence): Stretch[] {
  const { id, days, fixedEndsAt, paidUntil, redeemedAt, extensions } = licence;
  if (paidUntil !== null || (days === null && fixedEndsAt === null)) return [];
  const fell = fellAt(licence)?.getTime() ?? Infinity;
  const common = { licenceId: id, fell };
  const from = redeemedAt.getTime();
  const redemption = { ...common, id, isExtension: false, from, lasts: (days ?? 0) * day };
  return [
    { ...redemption, fixedEnd: fixedEndsAt?.getTime() ?? null },
    ...extensions.map((one) => ({
      ...common,
      id: one.id,
      isExtension: true,
      from: Math.max(from, one.addedAt.getTime()),
      lasts: one.days * day,
      fixedEnd: null,
    })),
  ];
}

const inOrder = (a: Stretch, b: Stretch) =>
  a.from - b.from || Number(a.isExtension) - Number(b.isExtension) || (a.id < b.id ? -1 : 1);
