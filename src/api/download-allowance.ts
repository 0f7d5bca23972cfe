import { hour } from "@/contract/vocabulary/time";

/** Bounds memory under a flood of addresses; the oldest entry goes first. */
const mostRemembered = 20_000;
/** How many times a file's size a client may request in pieces before that counts as another download. */
const mostTimesOver = 10;

const keyOf = (who: string, file: { sha256: string }) => `${who}:${file.sha256}`;

/**
 * Remembers the downloads that started in the last hour and were counted, so that resuming one, or fetching it over
 * several connections, doesn't count again.
 */
export function createDownloadAllowance(now: () => Date) {
  const begun = new Map<string, { left: number; endsAt: number }>();
  return {
    /** Spends `bytes` of a started download; false if there is none or its allowance is used up. */
    goesOn(who: string, file: { sha256: string }, bytes: number): boolean {
      const known = begun.get(keyOf(who, file));
      if (!known || known.endsAt <= now().getTime() || known.left < bytes) return false;
      known.left -= bytes;
      return true;
    },
    begin(who: string, file: { sha256: string; size: number }): void {
      const key = keyOf(who, file);
      begun.delete(key);
      begun.set(key, { left: file.size * mostTimesOver, endsAt: now().getTime() + hour });
      if (begun.size > mostRemembered) begun.delete(begun.keys().next().value ?? key);
    },
  };
}
