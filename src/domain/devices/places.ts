import { deviceResetDays } from "@/contract/vocabulary/devices";
import { day } from "@/contract/vocabulary/time";
import type { Device } from "../schema/devices";

/*
 * The rules of places, as pure functions. An account has as many places as the largest number among its active
 * licences. Each kept computer has one, also while there are fewer; a place can be freed by its owner every 30 days.
 */

const cooldownMilliseconds = deviceResetDays * day;

/** What of a computer its place depends on. */
export type Slot = Pick<
  Device,
  "id" | "accountId" | "place" | "lastSeenAt" | "deactivatedAt" | "offlineUntil" | "doubted"
>;

/** A computer with what holds of its place. */
export type KeptDevice<D extends Slot = Device> = D & {
  /** When the owner last freed its place; null: never. */
  freedAt: Date | null;
  /** Whether it has one of the places that there are now. */
  active: boolean;
  /** From when its owner may remove it; null: now. */
  removableAt: Date | null;
};

export type Places<D extends Slot = Device> = {
  accountId: string;
  /** How many there are. */
  places: number;
  /** Every computer kept, the last seen first. */
  devices: KeptDevice<D>[];
  /** When places were last freed by their owner, by number. */
  freed: ReadonlyMap<number, Date>;
};

type Rows<D> = {
  accountId: string;
  places: number;
  devices: D[];
  freed: ReadonlyMap<number, Date>;
};

/** What holds of an account's places now. */
export function judgePlaces<D extends Slot>(
  { devices, places, freed, accountId }: Rows<D>,
  now: Date,
): Places<D> {
  const ranked = devices.toSorted((one, other) => comesBefore(one, other, now));
  const judged = ranked.map((device, rank) => {
    const freedAt = freed.get(device.place) ?? null;
    const active = rank < places;
    return { ...device, freedAt, active, removableAt: removableAt({ ...device, freedAt, active }, now) };
  });
  const lastSeenFirst = judged.toSorted(
    (one, other) => later(one.lastSeenAt, other.lastSeenAt) || (one.id > other.id ? -1 : 1),
  );
  return { accountId, places, freed, devices: lastSeenFirst };
}

/** Which computers stay active when there are fewer places: those with a running offline file, then those last seen. */
function comesBefore(one: Slot, other: Slot, now: Date): number {
  const file = Number(hasFile(other, now)) - Number(hasFile(one, now));
  return file || later(one.lastSeenAt, other.lastSeenAt) || (one.id < other.id ? -1 : 1);
}

const later = (one: Date, other: Date) => other.getTime() - one.getTime();

/**
 * Whether one of several computers will still have a place when there are only so many: those come first whose offline
 * file runs on at that time, and after them the lowest numbers, so that it makes no difference who asked last.
 */
export function keepsPlace(kept: Slot[], id: string, { places, at }: { places: number; at: Date }): boolean {
  const ranked = kept.toSorted(
    (one, other) => Number(hasFile(other, at)) - Number(hasFile(one, at)) || one.place - other.place,
  );
  return ranked.findIndex((device) => device.id === id) < places;
}

/** Whether an offline file still runs on it: until it ends, only staff free the place. */
const hasFile = ({ offlineUntil }: Slot, now: Date): boolean => offlineUntil !== null && offlineUntil > now;

function removableAt(
  {
    offlineUntil,
    freedAt,
    active,
    doubted,
  }: Pick<KeptDevice, "offlineUntil" | "freedAt" | "active" | "doubted">,
  now: Date,
): Date | null {
  if (doubted) return null;
  const cooled = active && freedAt ? freedAt.getTime() + cooldownMilliseconds : 0;
  const at = Math.max(cooled, offlineUntil?.getTime() ?? 0);
  return at > now.getTime() ? new Date(at) : null;
}

/** Where a new computer goes: to a place, maybe a deactivated computer's, or nowhere before `availableAt` (null: now). */
export type Choice =
  { place: number; replaces: KeptDevice<Slot> | null } | { place: null; availableAt: Date | null };

/**
 * Chooses the place of a new computer: one that was never freed, then the one freed longest ago; on a full account, a
 * deactivated computer's that may be freed, in the same order.
 */
export function choosePlace(now: Places<Slot>): Choice {
  const free = freePlace(now);
  if (free !== null) return { place: free, replaces: null };
  const holding = now.devices.filter(({ active }) => active);
  const [replaces] = holding
    .filter(({ deactivatedAt, removableAt: at }) => deactivatedAt !== null && at === null)
    .toSorted((one, other) => since(one.freedAt) - since(other.freedAt) || one.place - other.place);
  return replaces ? { place: replaces.place, replaces } : { place: null, availableAt: firstFree(now) };
}

/** When the first of an account's places may be freed; null: now. */
export const firstFree = ({ devices }: Pick<Places<Slot>, "devices">): Date | null =>
  earliest(devices.filter(({ active }) => active).map(({ removableAt: at }) => at));

/**
 * The number of a free place. After there were more places, more numbers may be empty than there are places: those
 * count that were freed last, so that nobody gets around the 30 days with the others.
 */
function freePlace({ places, devices, freed }: Places<Slot>): number | null {
  const left = places - devices.length;
  if (left <= 0) return null;
  const held = new Set(devices.map(({ place }) => place));
  const empty = [...freed]
    .filter(([number]) => !held.has(number))
    .toSorted(([one, at], [other, before]) => later(at, before) || one - other);
  if (empty.length >= left) return empty[left - 1]?.[0] ?? null;
  for (let number = 1; ; number += 1) if (!held.has(number) && !freed.has(number)) return number;
}

const since = (freedAt: Date | null) => freedAt?.getTime() ?? 0;

/** The earliest of several times; null, which is now, if any is or if there are none. */
export function earliest(times: (Date | null)[]): Date | null {
  if (times.includes(null)) return null;
  return times.reduce((first, at) => (first && at && first <= at ? first : at), null);
}
