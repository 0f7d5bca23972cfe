import { and, eq, gt, inArray } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import { reasonOf } from "@/core/log";
import { installation } from "@/core/tables";
import { type CheckoutGateway, CheckoutUnreachable } from "./checkout";
import { settle } from "./settle";
import { payments } from "./tables";

export const sweepEveryMilliseconds = 10 * 60_000;

/** Stripe's clock and ours may differ, and an event takes a moment to be listed. */
const overlapMilliseconds = 60 * 60_000;
/** How far back the first sweep looks: longer than Stripe goes on sending an event. */
const firstLookMilliseconds = 7 * 86_400_000;
/** A checkout nobody paid ends at Stripe after a day; until then it may still be paid. */
const openForMilliseconds = 2 * 86_400_000;

export type SweepReport = { asked: number; changed: number; failed: number };

/**
 * Finds what no webhook told: asks Stripe again about every payment without a final outcome, and
 * about every session that Stripe says something happened to since the last sweep. Safe to repeat
 * and to interrupt; throws `CheckoutUnreachable` with Stripe away, and the next one looks as far back.
 */
export async function sweep(ctx: Ctx, gateway: CheckoutGateway): Promise<SweepReport> {
  const began = ctx.now();
  const since = (await lastSweep(ctx)) ?? new Date(began.getTime() - firstLookMilliseconds);
  const sessions = new Set(await unsettled(ctx));
  for await (const session of gateway.touchedSince(new Date(since.getTime() - overlapMilliseconds))) {
    sessions.add(session);
  }
  const report: SweepReport = { asked: sessions.size, changed: 0, failed: 0 };
  for (const session of sessions) {
    try {
      if (await settledAnew(ctx, gateway, session)) report.changed += 1;
    } catch (error) {
      if (error instanceof CheckoutUnreachable) throw error;
      report.failed += 1;
      ctx.log.warn("a session could not be settled", { reason: reasonOf(error) });
    }
  }
  // a sweep that missed one looks as far back again
  if (report.failed === 0) await rememberSweep(ctx, began);
  return report;
}

async function unsettled(ctx: Ctx): Promise<string[]> {
  const rows = await ctx.store.db
    .select({ sessionId: payments.sessionId })
    .from(payments)
    .where(inArray(payments.state, ["processing", "disputed"]));
  const open = await ctx.store.db
    .select({ sessionId: payments.sessionId })
    .from(payments)
    .where(
      and(
        eq(payments.state, "open"),
        gt(payments.createdAt, new Date(ctx.now().getTime() - openForMilliseconds)),
      ),
    );
  return [...rows, ...open].map((row) => row.sessionId);
}

async function settledAnew(ctx: Ctx, gateway: CheckoutGateway, sessionId: string): Promise<boolean> {
  const versionOf = async () =>
    (
      await ctx.store.db
        .select({ version: payments.version })
        .from(payments)
        .where(eq(payments.sessionId, sessionId))
    )[0]?.version;
  const before = await versionOf();
  await settle(ctx, gateway, sessionId);
  return (await versionOf()) !== before;
}

async function lastSweep(ctx: Ctx): Promise<Date | null> {
  const [row] = await ctx.store.db.select().from(installation).where(eq(installation.name, "last_sweep"));
  return row ? new Date(row.value) : null;
}

async function rememberSweep(ctx: Ctx, at: Date): Promise<void> {
  const value = at.toISOString();
  await ctx.store.db
    .insert(installation)
    .values({ name: "last_sweep", value })
    .onConflictDoUpdate({ target: installation.name, set: { value } });
}
