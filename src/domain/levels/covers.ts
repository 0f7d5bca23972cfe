import { contains, type Ladder } from "./ladder";

/*
 * The rule of what a licence adds to others. Nothing here reads or writes.
 */

/** Later than any date: a subscription, which may go on as long as it is paid. */
export const untilCancelled = Number.MAX_SAFE_INTEGER;
/** Later than that: a lifetime. */
export const forever = Infinity;

/** A licence as the rule sees it. */
export type Reach = {
  level: string;
  /** On how many computers at a time. */
  devices: number;
  /** Its end in Unix milliseconds, {@link untilCancelled} or {@link forever}. */
  until: number;
};

/** Of licences of each level those that decide: no other of that level is for as many computers and ends no earlier. The longest first. */
export function foremost(held: readonly Reach[]): Reach[] {
  const most = new Map<string, number>();
  return held
    .toSorted((one, other) => other.until - one.until || other.devices - one.devices)
    .filter(({ level, devices }) => {
      const isMore = devices > (most.get(level) ?? 0);
      if (isMore) most.set(level, devices);
      return isMore;
    });
}

/**
 * The licence that leaves nothing to add for another; null if none does. Its level contains the other's, it ends no
 * earlier, and it is for as many computers. Of several, the one that lasts longest. A subscription covers only what has
 * an end: that there is one subscription at a time is another rule.
 * @param held an account's active licences
 * @param wanted its end as it would be once it is redeemed
 */
export const coveringOf = (ladder: Ladder, held: readonly Reach[], wanted: Reach): Reach | null =>
  held
    .filter(
      ({ level, devices, until }) =>
        contains(ladder, level, wanted.level) &&
        devices >= wanted.devices &&
        (until === untilCancelled ? until > wanted.until : until >= wanted.until),
    )
    .toSorted((one, other) => other.until - one.until || 0)[0] ?? null;

/** Whether a licence would add nothing to those that an account holds. See {@link coveringOf}. */
export const covers = (ladder: Ladder, held: readonly Reach[], wanted: Reach): boolean =>
  coveringOf(ladder, held, wanted) !== null;
