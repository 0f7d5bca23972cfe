/** Where backups are kept. Refuses with `unavailable` and a sentence when it can't be reached or written. */
export type BackupPlace = {
  /** As the operator would write it. */
  name: string;
  /** Appears there whole or not at all. */
  put(name: string, pieces: AsyncIterable<Uint8Array>): Promise<void>;
  /** All that bear a backup's name, oldest first. */
  list(): Promise<KeptBackup[]>;
  remove(name: string): Promise<void>;
  /** Writes one to a new file of this machine; false where there is none of that name. */
  bring(name: string, to: string): Promise<boolean>;
};

export type KeptBackup = { name: string; bytes: number };

export const backupName = (made: Date) => `shop-${made.toISOString().replace(/[:.]/g, "-")}.backup`;

/** When a backup was made by its name, or null for a file that is none. */
export function madeAt(name: string): Date | null {
  const [, day, hour, minute, second, part] =
    /^shop-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z\.backup$/.exec(name) ?? [];
  return day ? new Date(`${day}T${hour}:${minute}:${second}.${part}Z`) : null;
}
