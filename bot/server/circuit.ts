import { minute } from "@/contract/vocabulary/time";
import { GuildForbids, GuildUnavailable } from "@/domain/discord/guild";

const firstPauseMilliseconds = 30_000;
const longestPauseMilliseconds = 15 * minute;
/** The most members remembered as refused individually. */
const mostSetAside = 1_000;

/** Discord refused something that only a person can fix; the bot makes no call until it knows the cause. */
class CircuitOpen extends GuildUnavailable {
  override name = "CircuitOpen";
}

/** Codes that never concern a single member: the token, the server, the role, two-factor. */
const aboutEverybody = new Set(["401", "10004", "10011", "50001", "60003"]);

/** `recovered`: a change tried after a pause has succeeded. */
type Listeners = { opened(code: string): void; recovered(): void };

/** Which member a call is about, null for all; and whether it changes anything. */
type About = { userId: string | null; changes: boolean };
type Open = { code: string; until: number; explained: boolean; trying: boolean };

export type Circuit = ReturnType<typeof createCircuit>;

/**
 * Keeps the bot from repeating calls that Discord refuses. A refusal opens the circuit, and an examination follows. If
 * that finds the cause, the bot sends nothing until a later one finds it gone. If it finds none and Discord refused
 * only one member, the circuit sets that member aside and the others go on. In all other cases the circuit stays open
 * for a pause, and then tries one change at a time: success closes it, a refusal doubles the pause.
 */
export function createCircuit(now: () => number, on: Listeners) {
  let open: Open | null = null;
  let pause = 0;
  let trial = false;
  /** Members refused since a change last succeeded, with Discord's code. */
  const suspects = new Map<string, string>();
  /** Members refused while changes to others succeeded. */
  const setAside = new Set<string>();
  const underWay = new Set<AbortController>();

  const isOpen = () => open !== null && !open.trying;
  const trip = (code: string, explained: boolean) => {
    pause = pause === 0 ? firstPauseMilliseconds : Math.min(pause * 2, longestPauseMilliseconds);
    open = { code, until: now() + pause, explained, trying: false };
    // Discord would also refuse the calls that still wait for a bucket
    for (const call of underWay) call.abort();
  };
  const close = () => {
    open = null;
    pause = 0;
  };
  const succeeded = () => {
    if (setAside.size > mostSetAside) setAside.clear();
    for (const userId of suspects.keys()) setAside.add(userId);
    suspects.clear();
    if (!open?.trying) return;
    close();
    on.recovered();
  };
  const refused = (userId: string | null, code: string) => {
    const own = userId !== null && !aboutEverybody.has(code);
    const isKnown = own && (setAside.has(userId) || (!open && suspects.has(userId)));
    if (isKnown) return;
    if (own) suspects.set(userId, code);
    if (isOpen()) return;
    trip(code, false);
    on.opened(code);
  };

  return {
    /** Whether no call may be made. */
    isOpen,
    /** Whether the next examination is due. */
    isDue: () => open !== null && isOpen() && now() >= open.until,
    /** The code of an unexplained refusal that keeps the circuit open. */
    unexplained: () => (open && !open.explained ? open.code : null),
    /** The refused member and the code, if it is only one. */
    alone: () => (!open && suspects.size === 1 ? [...suspects][0] : undefined),
    async pass<T>({ userId, changes }: About, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
      if (isOpen() || (open && changes && trial)) throw new CircuitOpen("waiting for a person");
      const cut = new AbortController();
      underWay.add(cut);
      if (changes) trial = true;
      try {
        const result = await call(cut.signal);
        if (changes && result) succeeded();
        return result;
      } catch (error) {
        if (error instanceof GuildForbids) refused(userId, error.code);
        throw error;
      } finally {
        underWay.delete(cut);
        if (changes) trial = false;
      }
    },
    /** Reports the cause that an examination found. */
    found(code: string): void {
      if (open && now() < open.until) open = { ...open, code, explained: true, trying: false };
      else trip(code, true);
    },
    /**
     * Reports that an examination found nothing wrong; `retryNow`: a person may have changed something since the refusal.
     * Returns whether an earlier cause is gone.
     */
    foundNothing(retryNow: boolean): boolean {
      if (open?.explained) {
        close();
        suspects.clear();
        return true;
      }
      if (!open) return false;
      if (retryNow || now() >= open.until) open.trying = true;
      else if (suspects.size === 1 && pause === firstPauseMilliseconds && !aboutEverybody.has(open.code))
        close();
      return false;
    },
  };
}
