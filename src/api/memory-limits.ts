import { type Limit, tooMany } from "@/core/limits";

/** So that a flood of addresses can't fill the memory; the oldest window is forgotten first. */
const mostWindows = 50_000;

/** Counts in memory, for limits that a restart may clear. `spend` throws the refusal of a limit. */
export function createMemoryLimits(now: () => Date) {
  const windows = new Map<string, { count: number; endsAt: number }>();
  return {
    spend(limit: Limit, who: string): void {
      const at = now().getTime();
      const key = `${limit.name}:${who}`;
      const known = windows.get(key);
      if (known && known.endsAt > at) {
        known.count += 1;
        if (known.count > limit.most) throw tooMany(known.endsAt - at);
        return;
      }
      windows.delete(key);
      windows.set(key, { count: 1, endsAt: at + limit.seconds * 1000 });
      if (windows.size > mostWindows) windows.delete(windows.keys().next().value ?? key);
    },
  };
}
