/** So that a flood of addresses can't fill the memory; the oldest is forgotten first. */
const mostBegun = 20_000;
const hourMilliseconds = 60 * 60_000;
/** How often over a file may be asked for in pieces before it counts as another download. */
const mostTimesOver = 10;

const keyOf = (who: string, file: { sha256: string }) => `${who}:${file.sha256}`;

/**
 * Remembers which downloads were begun, and so counted, within the hour: the pieces by which the same
 * client resumes one, or fetches it over several connections, don't count again.
 */
export function createBegunDownloads(now: () => Date) {
  const begun = new Map<string, { left: number; endsAt: number }>();
  return {
    /** Spends `bytes` of a download that was begun; false when there is none, or it is used up. */
    goesOn(who: string, file: { sha256: string }, bytes: number): boolean {
      const known = begun.get(keyOf(who, file));
      if (!known || known.endsAt <= now().getTime() || known.left < bytes) return false;
      known.left -= bytes;
      return true;
    },
    begin(who: string, file: { sha256: string; size: number }): void {
      const key = keyOf(who, file);
      begun.delete(key);
      begun.set(key, { left: file.size * mostTimesOver, endsAt: now().getTime() + hourMilliseconds });
      if (begun.size > mostBegun) begun.delete(begun.keys().next().value ?? key);
    },
  };
}
