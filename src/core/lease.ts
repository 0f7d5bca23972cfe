import { and, eq, lte, or } from "drizzle-orm";
import { type Ctx, newId } from "./context";
import { reasonOf } from "./log";
import { leases } from "./schema";
import { traced } from "./trace";

/** The right to do some work that only one process may do at a time; `holder` is unique to a process. */
export type Lease = { name: string; holder: string; milliseconds: number };

/** Takes or renews a lease in one atomic statement; false while another process has it. */
export async function holdLease(ctx: Ctx, { name, holder, milliseconds }: Lease): Promise<boolean> {
  const now = ctx.now();
  const until = new Date(now.getTime() + milliseconds);
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

/** Releases it, so that another process can take it at once. */
export async function dropLease(ctx: Ctx, { name, holder }: Lease): Promise<void> {
  await ctx.store.db.delete(leases).where(and(eq(leases.name, name), eq(leases.holder, holder)));
}

/** With the pause between two questions, well below the 20 seconds in which another process takes over. */
const leaseMilliseconds = 12_000;
const renewMilliseconds = 3_000;
const askMilliseconds = 2_000;
const answerMilliseconds = 2_000;

/** If `gained` fails, it is called again at the next renewal. */
type Changes = { gained?: () => Promise<void>; lost?: () => Promise<void> };

/**
 * Tries to take a lease until this process has it, then renews it for as long as the process lives. One of several
 * processes does the work, and another takes over within 14 seconds of its death.
 */
export function keepLease(ctx: Ctx, name: string, { gained, lost }: Changes = {}) {
  const lease = { name, holder: newId(), milliseconds: leaseMilliseconds };
  let mine = false;
  let renewedAt = Number.NEGATIVE_INFINITY;
  let stopped = false;
  let timer: Timer | undefined;
  let turn: Promise<void> = Promise.resolve();
  // no other process can be using an embedded database, so a lease left by a killed one is free
  let first = ctx.store.sole;

  const renew = async () => {
    if (first) await ctx.store.db.delete(leases).where(eq(leases.name, name));
    first = false;
    try {
      if (!(await answered(holdLease(ctx, lease)))) return false;
      renewedAt = performance.now();
      return true;
    } catch (error) {
      ctx.log.warn("a lease could not be renewed", { name, reason: reasonOf(error) });
      // our lease is still ours until it expires
      return mine && performance.now() - renewedAt < leaseMilliseconds - renewMilliseconds;
    }
  };
  const takeTurn = async () => {
    const held = await renew();
    if (held && !mine && !stopped) {
      await gained?.();
      mine = true;
    }
    if (!held && mine) await lose();
  };
  const lose = async () => {
    mine = false;
    await lost?.();
  };
  const next = () => {
    turn = traced(null, takeTurn)
      .catch((error: unknown) =>
        ctx.log.error("a lease could not be taken up", { name, reason: reasonOf(error) }),
      )
      .then(() => {
        if (!stopped) timer = setTimeout(next, mine ? renewMilliseconds : askMilliseconds);
      });
  };
  next();

  return {
    isMine: () => mine && performance.now() - renewedAt < leaseMilliseconds,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await turn;
      if (mine) await lose();
      await dropLease(ctx, lease).catch(() => {});
    },
  };
}

/** A database that is silent must not keep a process from giving up what another one has taken over. */
async function answered<T>(asked: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error("the database did not answer in time")),
    answerMilliseconds,
  );
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}
