import type { Ctx } from "../database/context";
import type { Store } from "../database/database";

/**
 * In milliseconds. Each process compares leases by its own clock, and trusts them for this much less than they last.
 */
export const maxClockDifference = 5_000;

type ClockContext = { store: Pick<Store, "client">; now: Ctx["now"] };

/**
 * Milliseconds by which the database server's clock is ahead of this process's, negative if it is behind. A lower
 * bound: the server read its clock at an unknown moment between question and answer.
 */
export async function clockDifference({ store, now }: ClockContext): Promise<number> {
  const asked = now();
  const { rows } = await store.client.execute("SELECT (julianday('now') - 2440587.5) * 86400000 AS now");
  const there = Math.round(Number(rows[0]?.["now"]));
  return clockOffset({ from: there, to: there }, { asked, answered: now() });
}

/**
 * Milliseconds by which another clock is at least ahead of ours, negative if it is behind. The other clock showed a
 * time between `from` and `to` at an unknown moment between question and answer.
 */
export function clockOffset(
  { from, to }: { from: number; to: number },
  { asked, answered }: { asked: Date; answered: Date },
): number {
  if (to < asked.getTime()) return to - asked.getTime();
  return Math.max(0, from - answered.getTime());
}

/** Logs when the clocks begin to differ by more than {@link maxClockDifference}, and when they agree again. */
export function watchClock(ctx: Ctx) {
  let differed = false;
  return {
    async check(): Promise<void> {
      const milliseconds = await clockDifference(ctx);
      const differs = Math.abs(milliseconds) > maxClockDifference;
      if (differs && !differed)
        ctx.log.warn("the database server's clock differs from ours", { milliseconds });
      if (!differs && differed) ctx.log.info("the database server's clock is right again", { milliseconds });
      differed = differs;
    },
  };
}
