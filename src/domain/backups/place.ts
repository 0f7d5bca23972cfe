import { minute } from "@/contract/vocabulary/time";
import type { ShopMark } from "@/core/backup/sealed-file";

/** Where backups are stored. Refuses with `unavailable` and a sentence if it can't be reached or written. */
export type BackupPlace = {
  /** As the operator writes the place. */
  name: string;
  /** Stores a backup completely or not at all. */
  put(name: string, pieces: AsyncIterable<Uint8Array>): Promise<void>;
  /** All backups, of whichever shop, in the order of {@link inBackupOrder}. */
  list(): Promise<KeptBackup[]>;
  remove(name: string): Promise<void>;
  /** Downloads a backup to a new local file; false if no backup has that name. */
  download(name: string, to: string): Promise<boolean>;
};

/** Everything but the size comes from the file, or from its name if the file can't be read. */
export type KeptBackup = {
  name: string;
  bytes: number;
  made: Date;
  /** Null for files that can't be read, as is the number. */
  shop: ShopMark | null;
  number: number | null;
};

/**
 * Oldest first. A shop's backups are in the order of their numbers: if a wrong clock dated a backup later than the next
 * one, the next one's date counts for both.
 */
export function inBackupOrder(all: KeptBackup[]): KeptBackup[] {
  const next = new Map<string, number>();
  const age = new Map<KeptBackup, number>();
  for (const one of all.toSorted((a, b) => (b.number ?? 0) - (a.number ?? 0))) {
    const { shop, number } = one;
    const isCounted = shop !== null && number !== null;
    const made = Math.min(one.made.getTime(), isCounted ? (next.get(shop.id) ?? Infinity) : Infinity);
    if (isCounted) next.set(shop.id, made);
    age.set(one, made);
  }
  const ageOf = (one: KeptBackup) => age.get(one) ?? 0;
  return all.toSorted(
    (a, b) => ageOf(a) - ageOf(b) || (a.number ?? 0) - (b.number ?? 0) || (a.name < b.name ? -1 : 1),
  );
}

/** Clocks of machines that share a place may differ by this much. */
const clockToleranceMilliseconds = 5 * minute;

/** Whether a time can only come from a wrong clock. */
export const isFuture = (at: Date, now: Date): boolean =>
  at.getTime() > now.getTime() + clockToleranceMilliseconds;

/**
 * Separates backups that a wrong clock dated in the future and that have no number to show their age. If all are such,
 * this machine's clock is wrong, and all are believed.
 */
export function splitByClock(all: KeptBackup[], now: Date): { backups: KeptBackup[]; future: KeptBackup[] } {
  const { future = [], backups = [] } = Object.groupBy(all, ({ made, number }) =>
    number === null && isFuture(made, now) ? "future" : "backups",
  );
  return backups.length > 0 ? { backups, future } : { backups: future, future: [] };
}

export const backupName = (made: Date) => `shop-${made.toISOString().replace(/[:.]/g, "-")}.backup`;

/** When a backup was made, by its name; null if the name is no backup's. */
export function madeAt(name: string): Date | null {
  const [, date, hours, minutes, seconds, part] =
    /^shop-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z\.backup$/.exec(name) ?? [];
  return date ? new Date(`${date}T${hours}:${minutes}:${seconds}.${part}Z`) : null;
}
