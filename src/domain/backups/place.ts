/** Where backups are stored. Refuses with `unavailable` and a sentence if it can't be reached or written. */
export type BackupPlace = {
  /** As the operator writes it. */
  name: string;
  /** Stores a backup completely or not at all. */
  put(name: string, pieces: AsyncIterable<Uint8Array>): Promise<void>;
  /** The names of all backups, oldest first. */
  list(): Promise<KeptBackup[]>;
  remove(name: string): Promise<void>;
  /** Downloads a backup to a new local file; false if there is none of that name. */
  bring(name: string, to: string): Promise<boolean>;
};

export type KeptBackup = { name: string; bytes: number };

/** Clocks of machines that share a place may differ by this much. */
const clockToleranceMilliseconds = 5 * 60_000;

/** Whether a time can only come from a wrong clock. */
export const isFuture = (at: Date, now: Date): boolean =>
  at.getTime() > now.getTime() + clockToleranceMilliseconds;

/**
 * Separates backups, oldest first, from those that a wrong clock dated in the future. If all of them are, it is this
 * machine's clock that is wrong, and all are believed.
 */
export function believed(all: KeptBackup[], now: Date): { backups: KeptBackup[]; future: KeptBackup[] } {
  const { future = [], backups = [] } = Object.groupBy(all, ({ name }) =>
    isFuture(madeAt(name) ?? now, now) ? "future" : "backups",
  );
  return backups.length > 0 ? { backups, future } : { backups: future, future: [] };
}

export const backupName = (made: Date) => `shop-${made.toISOString().replace(/[:.]/g, "-")}.backup`;

/** When a backup was made, from its name; null if the file is not a backup. */
export function madeAt(name: string): Date | null {
  const [, day, hour, minute, second, part] =
    /^shop-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z\.backup$/.exec(name) ?? [];
  return day ? new Date(`${day}T${hour}:${minute}:${second}.${part}Z`) : null;
}
