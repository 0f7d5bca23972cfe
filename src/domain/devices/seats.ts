import { deviceResetDays } from "@/contract/vocabulary/devices";
import { day } from "@/contract/vocabulary/time";
import type { Device } from "../schema/devices";

/*
 * The rules of seats, as pure functions. An account has as many seats as the largest number among its active licences.
 * In 30 days its owner removes as many computers from them as there are seats.
 */

const removalWindow = deviceResetDays * day;

/** Since when removals count. */
export const removalsSince = (now: Date): Date => new Date(now.getTime() - removalWindow);

/** What of a computer its seat depends on. */
export type Slot = Pick<
  Device,
  | "id"
  | "accountId"
  | "firstSeenAt"
  | "lastSeenAt"
  | "deactivatedAt"
  | "offlineUntil"
  | "offlineSince"
  | "doubted"
>;

/** A computer with what holds of its seat. */
export type KeptDevice<D extends Slot = Device> = D & {
  /** Whether it has one of the present seats. */
  active: boolean;
  /** From when its owner may remove it; null: now. */
  removableAt: Date | null;
};

export type Seats<D extends Slot = Device> = {
  accountId: string;
  /** How many there are. */
  seats: number;
  /** Every computer kept, the last seen first. */
  devices: KeptDevice<D>[];
  /** Those of the last 30 days, the earliest first. */
  removals: Removal[];
};

/** An owner's removal of a computer, and how many with a seat were added before that one. */
export type Removal = { at: Date; rank: number };

type Rows<D> = Pick<Seats, "accountId" | "seats" | "removals"> & { devices: D[] };

/** What holds of an account's seats now. */
export function computeSeats<D extends Slot>({ devices, ...account }: Rows<D>, now: Date): Seats<D> {
  const nextRemoval = nextRemovalAt(account);
  const ranked = devices.toSorted((one, other) => comesBefore(one, other, now));
  const computed = ranked.map((device, rank) => {
    const active = rank < account.seats;
    const waits = active && nextRemoval ? nextRemoval.getTime() : 0;
    const at = device.doubted ? 0 : Math.max(waits, device.offlineUntil?.getTime() ?? 0);
    return { ...device, active, removableAt: at > now.getTime() ? new Date(at) : null };
  });
  const lastSeenFirst = computed.toSorted(
    (one, other) => later(one.lastSeenAt, other.lastSeenAt) || (one.id > other.id ? -1 : 1),
  );
  return { ...account, devices: lastSeenFirst };
}

/** When the next computer may be removed from a seat; null: now. */
function nextRemovalAt({ removals, seats }: Pick<Seats, "removals" | "seats">): Date | null {
  const frees = removals[removals.length - seats];
  return frees ? new Date(frees.at.getTime() + removalWindow) : null;
}

/** Which computers stay active when there are fewer seats: those with a running offline file, then those last seen. */
function comesBefore(one: Slot, other: Slot, now: Date): number {
  const file = Number(hasFile(other, now)) - Number(hasFile(one, now));
  return file || later(one.lastSeenAt, other.lastSeenAt) || (one.id < other.id ? -1 : 1);
}

const later = (one: Date, other: Date) => other.getTime() - one.getTime();

/**
 * How many of an account's computers come before one at a time, where there is not enough for all: those whose offline
 * file still runs then, the one that has had a file longest first, then those added first. So the order of their calls
 * makes no difference, and a new file takes nothing from one that runs.
 */
export function rankOf(kept: readonly Slot[], id: string, at: Date): number {
  const own = kept.find((device) => device.id === id);
  const filedAt = (one: Slot) => (hasFile(one, at) ? (one.offlineSince?.getTime() ?? 0) : Infinity);
  const isBefore = (other: Slot, one: Slot) => (filedAt(other) - filedAt(one) || addedFirst(other, one)) < 0;
  return own ? kept.filter((other) => other.id !== id && isBefore(other, own)).length : 0;
}

const addedFirst = (one: Slot, other: Slot) =>
  later(other.firstSeenAt, one.firstSeenAt) || (one.id < other.id ? -1 : 1);

/**
 * The removals that count of computers that are removed together. Their ranks are those without files: until a short file
 * began elsewhere, a removed computer may have had what another one then has.
 */
export const removalsOf = (
  { devices }: Seats<Slot>,
  removed: readonly KeptDevice<Slot>[],
  at: Date,
): Removal[] =>
  removed.filter(countsAsRemoval).map((one) => {
    const earlier = devices.filter((other) => other.active && addedFirst(other, one) < 0);
    return { at, rank: earlier.length };
  });

/**
 * On how many computers a licence gives its level. One for fewer computers than the account has seats moves as often in
 * 30 days as it is for computers: each further removal of a computer that had it leaves it to one less.
 */
export function reachOf(devices: number, { seats, removals }: Pick<Seats, "seats" | "removals">): number {
  if (devices >= seats) return devices;
  const left = (moves: number) => Math.min(devices, 2 * devices - moves);
  return left(removals.reduce((moves, { rank }) => (rank < left(moves) ? moves + 1 : moves), 0));
}

/** Whether an offline file still runs on it: until it ends, only staff free the seat. */
export const hasFile = ({ offlineUntil }: Slot, now: Date): boolean =>
  offlineUntil !== null && offlineUntil > now;

/** Whether its removal counts: not without a seat, which would free none, nor if a thief may have added it. */
const countsAsRemoval = ({ active, doubted }: Pick<KeptDevice, "active" | "doubted">) => active && !doubted;

/** The computers that may be removed together now. If more count than there are removals left, those last seen stay. */
export function removableTogether<D extends Slot>({ devices, seats, removals }: Seats<D>): KeptDevice<D>[] {
  let left = Math.max(seats - removals.length, 0);
  return devices
    .toReversed()
    .filter((device) => device.removableAt === null && (!countsAsRemoval(device) || left-- > 0));
}

/** A new computer gets a seat, perhaps a deactivated computer's, or none before `availableAt` (null: now). */
export type Choice =
  { hasSeat: true; replaces: KeptDevice<Slot> | null } | { hasSeat: false; availableAt: Date | null };

/**
 * Chooses the seat of a new computer: a free one or, on a full account, that of the removable computer that was deactivated
 * longest ago.
 */
export function chooseSeat(now: Seats<Slot>): Choice {
  if (now.devices.length < now.seats) return { hasSeat: true, replaces: null };
  const [replaces] = now.devices
    .filter(({ active, deactivatedAt, removableAt: at }) => active && deactivatedAt !== null && at === null)
    .toSorted((one, other) => since(one) - since(other) || addedFirst(one, other));
  return replaces ? { hasSeat: true, replaces } : { hasSeat: false, availableAt: firstSeatFreeAt(now) };
}

const since = ({ deactivatedAt }: Slot) => deactivatedAt?.getTime() ?? 0;

/** When the first of an account's seats may be freed; null: now. */
export const firstSeatFreeAt = ({ devices }: Pick<Seats<Slot>, "devices">): Date | null =>
  earliest(devices.filter(({ active }) => active).map(({ removableAt: at }) => at));

/** The earliest of these times. Null means now: if any of them is null, or there are none. */
export function earliest(times: (Date | null)[]): Date | null {
  if (times.includes(null)) return null;
  return times.reduce((first, at) => (first && at && first <= at ? first : at), null);
}
