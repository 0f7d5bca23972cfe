import { and, desc, eq, inArray, ne } from "drizzle-orm";
import { hour, second } from "@/contract/vocabulary/time";
import type { By } from "@/core/base/actor";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { takeTurn } from "@/core/limits/turns";
import { reasonOf } from "@/core/log/log";
import { authorize, expectConfirmed } from "../../permissions";
import { type BalanceMovement, balanceMovements, isUnreadPayout } from "../../schema/books";
import {
  type CheckoutGateway,
  CheckoutForbidden,
  CheckoutRefused,
  CheckoutUnreachable,
} from "../port/stripe";
import { cameBack, cameBackKind } from "./came-back";
import { fillBuyers } from "./fill-buyers";
import { type BooksProgress, booksProgress, keepBooksProgress } from "./progress";

/** Stripe's clock and ours may differ, and entries take a moment to be listed. */
const overlapMilliseconds = hour;
/** Pages of a list, and payouts, per run; the next run continues there. */
const mostPages = 200;
const mostPayouts = 50;
const mostMilliseconds = 20 * second;

/**
 * Reads what moved Stripe's balance since the last time, what its payouts paid out and, once, what Stripe holds of the
 * buyers of earlier payments. Saves its progress after each page. What the key may not read is left out.
 */
export async function readBooks(ctx: Ctx, gateway: CheckoutGateway, stopping?: AbortSignal): Promise<void> {
  for (const read of [readMovements, readPayouts, fillBuyers]) {
    if (stopping?.aborted) return;
    await read(ctx, gateway, stopping).catch((error: unknown) => {
      if (!(error instanceof CheckoutForbidden)) throw error;
      ctx.log.warn("a list of Stripe's may not be read", { reason: reasonOf(error) });
    });
  }
}

/**
 * As much as Stripe answers in a moment, for staff who wait, one at a time: it is hundreds of calls. What can't be read now
 * is read later. Refuses with `rate_limited`.
 */
export async function readBooksNow(ctx: Ctx, gateway: CheckoutGateway, by: By): Promise<void> {
  authorize(by, "sales.export");
  expectConfirmed(ctx, by, "sales.export");
  const end = takeTurn(ctx, "books");
  try {
    await readBooks(ctx, gateway, AbortSignal.timeout(mostMilliseconds));
  } catch (error) {
    if (!(error instanceof CheckoutUnreachable)) throw error;
    ctx.log.warn("Stripe's books could not be read", { reason: reasonOf(error) });
  } finally {
    end();
  }
}

async function readMovements(ctx: Ctx, gateway: CheckoutGateway, stopping?: AbortSignal): Promise<void> {
  let progress = await booksProgress(ctx);
  for (let pages = 0; pages < mostPages && !stopping?.aborted; pages += 1) {
    const reading = progress.reading ?? (await newReading(ctx, progress));
    const { from } = reading;
    const page = await gateway
      .movements({ since: new Date(reading.since), from })
      .catch(async (error: unknown) => {
        if (error instanceof CheckoutForbidden) await keepRefused(ctx, { balanceRefused: true });
        // Stripe no longer knows our place in the list: begin again
        if (from === null || !(error instanceof CheckoutRefused)) throw error;
        return null;
      });
    progress = { ...progress, balanceRefused: false };
    if (page === null) {
      progress = { ...progress, reading: null };
    } else if (page.next === null) {
      progress = { ...progress, reading: null, readUntil: reading.began };
    } else {
      progress = { ...progress, reading: { ...reading, from: page.next } };
    }
    const rows = (page?.rows ?? []).map((row) => ({ ...row, livemode: ctx.livemode }));
    const { db } = ctx.store;
    await commit(ctx.store, [
      // what moved the balance never changes
      ...(rows.length > 0 ? [db.insert(balanceMovements).values(rows).onConflictDoNothing()] : []),
      keepBooksProgress(ctx, progress),
    ]);
    if (page?.next === null) return;
  }
}

async function newReading(
  ctx: Ctx,
  { readUntil }: BooksProgress,
): Promise<NonNullable<BooksProgress["reading"]>> {
  const newest = readUntil === null ? null : await newestMovement(ctx);
  // our clock may have been ahead then, so Stripe's own last time counts too
  const since = newest === null ? 0 : Math.min(Date.parse(readUntil ?? ""), newest.getTime());
  return {
    began: ctx.now().toISOString(),
    since: new Date(Math.max(since - overlapMilliseconds, 0)).toISOString(),
    from: null,
  };
}

async function newestMovement({ store: { db }, livemode }: Ctx): Promise<Date | null> {
  const { at } = balanceMovements;
  const [newest] = await db
    .select({ at })
    .from(balanceMovements)
    .where(eq(balanceMovements.livemode, livemode))
    .orderBy(desc(at), desc(balanceMovements.id))
    .limit(1);
  return newest?.at ?? null;
}

async function readPayouts(ctx: Ctx, gateway: CheckoutGateway, stopping?: AbortSignal): Promise<void> {
  const { id, source, at, livemode } = balanceMovements;
  const unread = await ctx.store.db
    .select({ id, source })
    .from(balanceMovements)
    .where(and(eq(livemode, ctx.livemode), isUnreadPayout))
    .orderBy(desc(at))
    .limit(mostPayouts);
  try {
    for (const one of unread) {
      if (stopping?.aborted) return;
      await readPayout(ctx, gateway, { ...one, source: one.source ?? one.id });
    }
  } catch (error) {
    if (error instanceof CheckoutForbidden) await keepRefused(ctx, { payoutsRefused: true });
    throw error;
  }
  if (unread.length > 0) await keepRefused(ctx, { payoutsRefused: false });
}

async function keepRefused(
  ctx: Ctx,
  refused: Partial<Pick<BooksProgress, "balanceRefused" | "payoutsRefused">>,
): Promise<void> {
  const before = await booksProgress(ctx);
  const after = { ...before, ...refused };
  if (!Bun.deepEquals(before, after)) await commit(ctx.store, [keepBooksProgress(ctx, after)]);
}

/** Reads what a payout paid out. The payout's own movement comes last, so that an interrupted reading begins again. */
async function readPayout(
  ctx: Ctx,
  gateway: CheckoutGateway,
  { id, source: payoutId }: { id: string; source: string },
): Promise<void> {
  const payout = await gateway.payout(payoutId);
  if (payout?.lists === "later") return;
  const paidOut = { payoutId, payoutAt: payout?.arrivesAt ?? null };
  // what a payout that came back should have paid out, the one after it did
  const lists = payout?.lists === "all" && !(await cameBack(ctx, payoutId)) ? [payoutId] : [];
  for (const list of lists) {
    for (const before of await notePaidOut(ctx, gateway, { list, paidOut }))
      if (!lists.includes(before) && (await gateway.payout(before))?.lists === "all") lists.push(before);
  }
  const own = eq(balanceMovements.id, id);
  await commit(ctx.store, [ctx.store.db.update(balanceMovements).set(paidOut).where(own)]);
}

type PaidOut = Pick<BalanceMovement, "payoutId" | "payoutAt">;

/** Notes on all movements of a payout's list what paid them out. Resolves to the payouts among them that came back. */
async function notePaidOut(
  { store }: Ctx,
  gateway: CheckoutGateway,
  { list, paidOut }: { list: string; paidOut: PaidOut },
): Promise<string[]> {
  const { id, source, kind } = balanceMovements;
  const cameBackIn: string[] = [];
  for (let from: string | null = null; ;) {
    const page: Awaited<ReturnType<CheckoutGateway["paidOutBy"]>> = await gateway.paidOutBy(list, from);
    if (page.rows.length > 0) {
      const those = inArray(id, page.rows);
      const update = store.db.update(balanceMovements).set(paidOut);
      await commit(store, [update.where(and(those, ne(kind, "payout")))]);
      const back = await store.db
        .select({ source })
        .from(balanceMovements)
        .where(and(those, eq(kind, cameBackKind)));
      cameBackIn.push(...back.flatMap((one) => one.source ?? []));
    }
    from = page.next;
    if (from === null) return cameBackIn;
  }
}
