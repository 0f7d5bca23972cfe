import { minute } from "@/contract/vocabulary/time";
import { GuildForbids, GuildUnavailable } from "@/domain/discord/guild";
import type { RoleAction } from "@/domain/discord/roles";
import type { Complaint } from "./level-role";

const firstPauseMilliseconds = 30_000;
const longestPauseMilliseconds = 15 * minute;
/** The most members remembered as refused individually. */
const mostSetAside = 1_000;

/** Discord refused something that only a person can fix; the bot makes no call until it knows the cause. */
class CircuitOpen extends GuildUnavailable {
  override name = "CircuitOpen";
}

/** Codes about the token, the server or two-factor. */
const aboutServer = new Set(["401", "10004", "50001", "60003"]);
const isAboutServer = (code: string) => aboutServer.has(code);
/** Codes that never concern a single member: also an unknown role. */
const aboutEverybody = new Set([...aboutServer, "10011"]);

/** `recovered`: a change tried after a pause has succeeded. */
type Listeners = { opened(code: string): void; recovered(): void };

/**
 * Which member a call is about, null for all; whether it changes anything; and which of Discord's codes concern this
 * circuit, by default all.
 */
type About = { userId: string | null; changes: boolean; concerns?: (code: string) => boolean };
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
    /** Whether an examination found the cause, and it lasts. */
    isExplained: () => open !== null && open.explained,
    /** The code of an unexplained refusal that keeps the circuit open. */
    unexplained: () => (open && !open.explained ? open.code : null),
    /** The refused member and the code, if it is only one. */
    alone: () => (!open && suspects.size === 1 ? [...suspects][0] : undefined),
    async pass<T>(
      { userId, changes, concerns = () => true }: About,
      call: (signal: AbortSignal) => Promise<T>,
    ): Promise<T> {
      if (isOpen() || (open && changes && trial)) throw new CircuitOpen("waiting for a person");
      const cut = new AbortController();
      underWay.add(cut);
      if (changes) trial = true;
      try {
        const result = await call(cut.signal);
        if (changes && result) succeeded();
        return result;
      } catch (error) {
        if (error instanceof GuildForbids && concerns(error.code)) refused(userId, error.code);
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

/** What an examination found about the server and its roles. */
type Examined = {
  complaints: readonly Complaint[];
  /** The roles that levels give. */
  levelRoles: readonly string[];
  /** A person may have changed something since the last refusal. */
  anew: boolean;
};

export type Circuits = ReturnType<typeof createCircuits>;

/**
 * A circuit for the server and one for each role, so that a role that Discord refuses holds up no other. The bot makes
 * no call while the server's circuit is open, or those of all roles that levels give.
 * @param firstRoleId the role of the settings
 */
export function createCircuits(now: () => number, firstRoleId: string, on: Listeners) {
  const server = createCircuit(now, on);
  const roles = new Map<string, Circuit>();
  let given: readonly string[] = [firstRoleId];
  /** Null before the first examination. */
  let stopped: Complaint[] | null = null;

  const of = (roleId: string): Circuit => {
    const circuit = roles.get(roleId) ?? createCircuit(now, on);
    roles.set(roleId, circuit);
    return circuit;
  };
  const all = () => [server, ...roles.values()];
  const isOpen = () => server.isOpen() || (given.length > 0 && given.every((id) => of(id).isOpen()));

  return {
    isOpen,
    isDue: () => all().some((one) => one.isDue()),
    unexplained: () => all().flatMap((one) => one.unexplained() ?? [])[0] ?? null,
    alone: () => all().flatMap((one) => (one.alone() ? [one.alone()] : []))[0],
    /** Whether it is known which roles have a fault. */
    areExamined: () => stopped !== null,
    /** Whether the bot does this with a role: not while it has a fault. */
    may: (action: RoleAction, roleId: string): boolean =>
      !roles.get(roleId)?.isExplained() &&
      !stopped?.some(({ role }) => role?.id === roleId && role.stops.includes(action)),
    call<T>(userId: string | null, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
      if (isOpen()) throw new CircuitOpen("waiting for a person");
      return server.pass({ userId, changes: false }, call);
    },
    change<T>(userId: string, roleId: string, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const about = { userId, changes: true };
      return server.pass({ ...about, concerns: isAboutServer }, (outer) =>
        of(roleId).pass({ ...about, concerns: (code) => !isAboutServer(code) }, (inner) =>
          call(AbortSignal.any([outer, inner])),
        ),
      );
    },
    /** Opens what has a cause, and closes what has none any more. Returns whether an earlier cause is gone. */
    examined({ complaints, levelRoles, anew }: Examined): boolean {
      given = [...new Set(levelRoles)];
      const causes = complaints.filter(({ blocking }) => blocking);
      const ofServer = causes.find(({ role }) => role === undefined);
      const ofRole = (id: string) => causes.find(({ role }) => role?.id === id) ?? ofServer;
      const settle = (circuit: Circuit, cause: Complaint | undefined): boolean => {
        if (!cause) return circuit.foundNothing(anew);
        circuit.found(cause.code);
        return false;
      };
      const before = stopped ?? [];
      const found = complaints.filter(({ role }) => role !== undefined);
      stopped = found;
      const isOver = before.some(({ code, role }) =>
        found.every((one) => one.code !== code || one.role?.id !== role?.id),
      );
      const closed = [...new Set([...given, ...roles.keys()])].map((id) => settle(of(id), ofRole(id)));
      return [settle(server, ofServer), ...closed, isOver].some(Boolean);
    },
  };
}
