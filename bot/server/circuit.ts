import { GuildForbids, GuildUnavailable } from "@/domain/community/guild";

const firstPauseMilliseconds = 30_000;
const longestPauseMilliseconds = 15 * 60_000;
/** No more members than this are remembered as refused for reasons of their own. */
const mostApart = 1_000;

/** Discord said no to something that only a person can change; it is not asked again until that was looked at. */
class CircuitOpen extends GuildUnavailable {
  override name = "CircuitOpen";
}

/** Refusals that are never about one member: the token, the server, the role, two-factor. */
const ofEverybody = new Set(["401", "10004", "10011", "50001", "60003"]);

/** `recovered`: a change was tried after a pause, and succeeded. */
type Listeners = { opened(code: string): void; recovered(): void };

/** What a call is about: one member, or null for all of them; and whether it changes anything. */
type About = { userId: string | null; changes: boolean };
type Open = { code: string; until: number; explained: boolean; trying: boolean };

export type Circuit = ReturnType<typeof createCircuit>;

/**
 * Stops hammering: a refusal opens it, and an examination follows. Where that finds the cause, nothing is sent
 * until an examination finds it gone. Where it finds none, the refusal of a single member is taken for that
 * member's own matter and the others go on. Everything else keeps the circuit open for a pause, after which
 * one change at a time is tried: a success closes it, a refusal doubles the pause.
 */
export function createCircuit(now: () => number, on: Listeners) {
  let open: Open | null = null;
  let pause = 0;
  let trial = false;
  /** Members refused since a change last succeeded, with Discord's code. */
  const suspects = new Map<string, string>();
  /** Members who were refused while others were not. */
  const apart = new Set<string>();
  const underWay = new Set<AbortController>();

  const isOpen = () => open !== null && !open.trying;
  const trip = (code: string, explained: boolean) => {
    pause = pause === 0 ? firstPauseMilliseconds : Math.min(pause * 2, longestPauseMilliseconds);
    open = { code, until: now() + pause, explained, trying: false };
    // what still waits for a bucket would be refused as well
    for (const call of underWay) call.abort();
  };
  const close = () => {
    open = null;
    pause = 0;
  };
  const succeeded = () => {
    if (apart.size > mostApart) apart.clear();
    for (const userId of suspects.keys()) apart.add(userId);
    suspects.clear();
    if (!open?.trying) return;
    close();
    on.recovered();
  };
  const refused = (userId: string | null, code: string) => {
    const own = userId !== null && !ofEverybody.has(code);
    const isKnown = own && (apart.has(userId) || (!open && suspects.has(userId)));
    if (isKnown) return;
    if (own) suspects.set(userId, code);
    if (isOpen()) return;
    trip(code, false);
    on.opened(code);
  };

  return {
    /** Whether nothing may be asked. */
    isOpen,
    /** Whether it is time to examine the cause. */
    isDue: () => open !== null && isOpen() && now() >= open.until,
    /** The code of a refusal that holds everybody up and that no examination explained. */
    unexplained: () => (open && !open.explained ? open.code : null),
    /** The member who alone was refused, and with which code. */
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
    /** An examination found this cause. */
    found(code: string): void {
      if (open && now() < open.until) open = { ...open, code, explained: true, trying: false };
      else trip(code, true);
    },
    /**
     * An examination found nothing wrong; `anew`: a person may have changed something since the refusal.
     * True where a cause that was found before is gone.
     */
    foundNothing(anew: boolean): boolean {
      if (open?.explained) {
        close();
        suspects.clear();
        return true;
      }
      if (!open) return false;
      if (anew || now() >= open.until) open.trying = true;
      else if (suspects.size === 1 && pause === firstPauseMilliseconds && !ofEverybody.has(open.code))
        close();
      return false;
    },
  };
}
