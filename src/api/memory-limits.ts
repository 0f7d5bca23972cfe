import { byAddress, type Counted, type Limit, tooMany } from "@/core/limits";

/** How many windows a limit remembers at once, so that a flood of addresses can't fill the memory. */
const mostWindows = 20_000;
/** How many are forgotten together: looking for the first few of many costs more than taking them. */
const roomAtOnce = 200;
/** Into how many steps the way from unused to full is divided. */
const mostSteps = 300;

/**
 * Counts in memory, for limits that a restart may clear. `spend` throws the refusal of a limit, and returns
 * a function that takes the attempt back. Limits don't share a memory: a flood that fills one touches no other.
 */
export function createMemoryLimits(now: () => Date) {
  const windows = new Map<string, ReturnType<typeof createWindows>>();
  function spendAll(limit: Limit, counted: Counted[]): () => void {
    const known = windows.get(limit.name) ?? createWindows();
    windows.set(limit.name, known);
    const at = now().getTime();
    const wait = Math.max(...counted.map((one) => known.wait(one, at)));
    if (wait > 0) throw tooMany(wait);
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
 * The windows of one limit. When there are too many, those that are over go first, then the least used:
 * a flood of newcomers is served, and frees nobody who is near the limit.
 */
function createWindows() {
  /** In the order of their beginnings, which is that of their ends. */
  const all = new Map<string, Window>();
  /** Who has used which part of the limit; a step's longest standing first. */
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
    /** How long until there is room again; 0 when there is. */
    wait({ limit, who }: Counted, at: number): number {
      const window = open(who, at);
      return window && window.count >= limit.most ? window.endsAt - at : 0;
    },
    add({ limit, who }: Counted, at: number, by: 1 | -1): void {
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
