import { and, eq, lte, or } from "drizzle-orm";
import { writesHang } from "../database/commit";
import { type Ctx, newId } from "../database/context";
import { reasonOf } from "../log/log";
import { leases } from "../database/schema";
import { runTraced } from "../log/trace";
import { withTimeout } from "../base/with-timeout";

/** The right to do work that only one process may do at a time; `holder` is unique to a process. */
export type Lease = { name: string; holder: string; milliseconds: number };

/** Takes or renews a lease in one atomic statement; false while another process holds it. */
export function holdLease(ctx: Ctx, lease: Lease): Promise<boolean> {
  return hold(ctx, lease, ctx.now());
}

async function hold(ctx: Ctx, { name, holder, milliseconds }: Lease, now: Date): Promise<boolean> {
  const until = endOf(now, milliseconds);
  const [mine] = await ctx.store.db
    .insert(leases)
    .values({ name, holder, until })
    .onConflictDoUpdate({
      target: leases.name,
      set: { holder, until },
      setWhere: or(eq(leases.holder, holder), lte(leases.until, now)),
    })
    .returning();
  return mine !== undefined;
}

const endOf = (now: Date, milliseconds: number) => new Date(now.getTime() + milliseconds);

/**
 * Releases a lease, so that another process can take it at once. With `until`, keeps a lease that was renewed for
 * longer.
 */
export async function dropLease(ctx: Ctx, { name, holder }: Lease, until?: Date): Promise<void> {
  const notLonger = until ? lte(leases.until, until) : undefined;
  await ctx.store.db.delete(leases).where(and(eq(leases.name, name), eq(leases.holder, holder), notLonger));
}

/** Together with the pause between two renewals, well below the 20 seconds after which another process takes over. */
const leaseMilliseconds = 12_000;
const renewMilliseconds = 2_000;
const askMilliseconds = 1_000;
const answerMilliseconds = 2_000;
/** The pause after a renewal without an answer. */
const retryMilliseconds = 500;
/** How long to wait for a late answer before the next renewal. */
const lateMilliseconds = 4_000;
/** A holder that can't renew its lease for this long gives it up. */
const giveUpMilliseconds = 6_000;
/** How long the work may take to stop before another process gets the lease. */
const stopMilliseconds = 2_000;
/** Until then no other process has the lease, even if its clock is five seconds ahead. */
const trustMilliseconds = leaseMilliseconds - 5_000;

/**
 * If `gained` fails, the next renewal calls it again. `lost` with `atOnce` means that another process may already have
 * the lease: stop the work first and wait for nothing.
 */
type Changes = { gained?: () => Promise<void>; lost?: (how: { atOnce: boolean }) => Promise<void> };

/**
 * Tries to take a lease until this process has it, then renews it for as long as the process lives. Only one of
 * several processes does the work, and another takes over within 14 seconds of its death.
 *
 * A process whose line to the database is slow or silent gives the lease up, and releases it if a late answer says
 * that the process has it after all: otherwise it would hold the lease without doing the work.
 */
export function keepLease(ctx: Ctx, name: string, { gained, lost }: Changes = {}) {
  const lease = { name, holder: newId(), milliseconds: leaseMilliseconds };
  let mine = false;
  let renewedAt = Number.NEGATIVE_INFINITY;
  let askedUntil = new Date(0);
  /** Settles when the unanswered renewal is over and its lease released. */
  let late: Promise<unknown> | null = null;
  let isKnown = false;
  let losing: Promise<void> = Promise.resolve();
  let stopped = false;
  let timer: Timer | undefined;
  let turn: Promise<void> = Promise.resolve();
  // no other process can use an embedded database, so a lease left by a killed process is free
  let first = ctx.store.sole;

  const renew = async () => {
    if (first) await ctx.store.db.delete(leases).where(eq(leases.name, name));
    first = false;
    late = null;
    isKnown = false;
    try {
      if (writesHang(ctx.store)) throw new Error("the database stores nothing");
      const held = await ask();
      isKnown = true;
      return held;
    } catch (error) {
      ctx.log.warn("a lease could not be renewed", { name, reason: reasonOf(error) });
      // our lease is still ours until it expires
      return mine && performance.now() - renewedAt < giveUpMilliseconds;
    }
  };
  const ask = async () => {
    const now = ctx.now();
    const askedAt = performance.now();
    askedUntil = endOf(now, leaseMilliseconds);
    const asked = hold(ctx, lease, now);
    try {
      const held = await withTimeout(answerMilliseconds, asked);
      if (held) renewedAt = askedAt;
      return held;
    } catch (error) {
      late = asked.then((held) => (held && !mine ? giveBack() : undefined)).catch(() => {});
      throw error;
    }
  };
  /** Up to the latest end asked for, because an earlier statement may arrive after this one. */
  const giveBack = () => dropLease(ctx, lease, askedUntil).catch(() => {});
  const takeTurn = async () => {
    const held = await renew();
    if (held && !mine && !stopped) {
      await losing;
      mine = true;
      await gained?.().catch((error: unknown) => {
        mine = false;
        throw error;
      });
    }
    if (!held && mine) await lose({ atOnce: true });
  };
  const lose = async (how: { atOnce: boolean }) => {
    mine = false;
    losing = Promise.resolve(lost?.(how)).catch((error: unknown) =>
      ctx.log.error("what a lost lease allowed could not be stopped", { name, reason: reasonOf(error) }),
    );
    await withTimeout(stopMilliseconds, losing).catch(() => {});
    if (!isKnown) void giveBack();
  };
  const pause = async () => {
    if (mine) return isKnown ? renewMilliseconds : retryMilliseconds;
    // on a slow line, waits for the late answer, so that its own renewals don't keep taking the lease from others
    if (late && !stopped) await withTimeout(lateMilliseconds, late).catch(() => {});
    return askMilliseconds;
  };
  const next = () => {
    turn = runTraced(null, takeTurn)
      .catch((error: unknown) =>
        ctx.log.error("a lease could not be taken up", { name, reason: reasonOf(error) }),
      )
      .then(pause)
      .then((milliseconds) => {
        if (!stopped) timer = setTimeout(next, milliseconds);
      });
  };
  next();

  return {
    /** Also right after this process was paused, when another may have taken the lease. */
    isMine: () => mine && (ctx.store.sole || performance.now() - renewedAt < trustMilliseconds),
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await turn;
      if (mine) await lose({ atOnce: false });
      await losing;
      await dropLease(ctx, lease).catch(() => {});
    },
  };
}
