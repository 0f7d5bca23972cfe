import type { Limit } from "@/contract/vocabulary/limits";
import { byAddress, type LimitUse, rateLimited } from "@/core/limits/limits";

/** The most windows that a limit keeps; bounds memory under a flood of addresses. */
const mostWindows = 20_000;
/** How many windows to drop at once: finding the first few of many costs more than removing them. */
const roomAtOnce = 200;
/** How many groups of windows there are, by how much of the limit they have used. */
const mostSteps = 300;

/**
 * Counts in memory, for limits that a restart may clear. `spend` throws when the limit is reached, and otherwise
 * returns a function that takes the attempt back. Each limit has its own memory, so a flood that fills one doesn't
 * affect the others.
 */
export function createMemoryLimits(now: () => Date) {
  const windows = new Map<string, ReturnType<typeof createWindows>>();
  function spendAll(limit: Limit, counted: LimitUse[]): () => void {
    const known = windows.get(limit.name) ?? createWindows();
    windows.set(limit.name, known);
    const at = now().getTime();
    const wait = Math.max(...counted.map((one) => known.wait(one, at)));
    if (wait > 0) throw rateLimited(wait);
    for (const one of counted) known.add(one, at, 1);
    return () => {
      for (const one of counted) known.add(one, at, -1);
    };
  }
  return {
    spend: (limit: Limit, who: string) => spendAll(limit, [{ limit, who }]),
    spendByAddress: (limit: Limit, address: string) => spendAll(limit, byAddress(limit, address)),
  };
}

type Window = { count: number; endsAt: number; step: number };

/**
 * The windows of one limit. If there are too many, drops expired ones first, then the least used, so a flood of new
 * addresses never resets an address that is close to the limit.
 */
function createWindows() {
  /** Ordered by start, and so by end. */
  const all = new Map<string, Window>();
  /** Keys by how much of the limit they used; oldest first within a step. */
  const steps = Array.from({ length: mostSteps + 1 }, () => new Set<string>());

  function forget(who: string) {
    steps[all.get(who)?.step ?? 0]?.delete(who);
    all.delete(who);
  }

  function makeRoom(at: number) {
    for (const [who, { endsAt }] of all) {
      if (endsAt > at) break;
      forget(who);
    }
    for (const step of steps) {
      for (const who of step) {
        if (all.size <= mostWindows - roomAtOnce) return;
        forget(who);
      }
    }
  }

  const open = (who: string, at: number) => {
    const window = all.get(who);
    return window && window.endsAt > at ? window : undefined;
  };

  return {
    /** Seconds until the next attempt is allowed; 0 if it is allowed now. */
    wait({ limit, who }: LimitUse, at: number): number {
      const window = open(who, at);
      return window && window.count >= limit.most ? window.endsAt - at : 0;
    },
    add({ limit, who }: LimitUse, at: number, by: 1 | -1): void {
      let window = open(who, at);
      if (!window) {
        if (by < 0) return;
        forget(who);
        if (all.size >= mostWindows) makeRoom(at);
        window = { count: 0, endsAt: at + limit.seconds * 1000, step: 0 };
        all.set(who, window);
      }
      window.count += by;
      steps[window.step]?.delete(who);
      window.step = Math.ceil((window.count / limit.most) * mostSteps);
      steps[window.step]?.add(who);
    },
  };
}
