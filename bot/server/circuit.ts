import { GuildForbids, GuildUnavailable } from "@/domain/community/guild";

const firstPauseMilliseconds = 30_000;
const longestPauseMilliseconds = 15 * 60_000;

/** Discord said no to something that only a person can change; it is not asked again until that was looked at. */
class CircuitOpen extends GuildUnavailable {
  override name = "CircuitOpen";
}

export type Circuit = ReturnType<typeof createCircuit>;

/**
 * Stops hammering: after a refusal nothing more is sent until an examination finds the cause gone. The
 * pause between examinations doubles. `opened` is called once for each time it opens.
 */
export function createCircuit(now: () => number, opened: (code: string) => void) {
  let open: { until: number; pause: number } | null = null;
  return {
    isOpen: () => open !== null,
    /** Whether it is time to examine the cause. */
    isDue: () => open !== null && now() >= open.until,
    async pass<T>(call: () => Promise<T>): Promise<T> {
      if (open) throw new CircuitOpen("waiting for a person");
      try {
        return await call();
      } catch (error) {
        if (error instanceof GuildForbids) this.trip(error.code);
        throw error;
      }
    },
    trip(code: string): void {
      const first = open === null;
      const pause = open ? Math.min(open.pause * 2, longestPauseMilliseconds) : firstPauseMilliseconds;
      open = { until: now() + pause, pause };
      if (first) opened(code);
    },
    close(): void {
      open = null;
    },
  };
}
