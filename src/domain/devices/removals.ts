import { and, eq, gt, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { mustNotExist, type Write } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { accounts } from "../schema/accounts";
import { deviceRemovals, devices } from "../schema/devices";
import { type KeptDevice, removalsOf, removalsSince, type Seats, type Slot } from "./seats";

/** As a condition: the owner may remove the computer, though a licence file may run on it. */
export const isRemovable = ({ now }: Ctx): SQL | undefined =>
  or(isNull(devices.offlineUntil), lte(devices.offlineUntil, now()), devices.doubted);

/** An account's removals that count at this time. */
export const removalsIn = (accountId: string, now: Date) =>
  and(eq(deviceRemovals.accountId, accountId), gt(deviceRemovals.removedAt, removalsSince(now)));

/**
 * Notes that the owner removes these computers now. Fails with `conflict` if one was removed since the account's seats
 * were read, so that two at once don't count as one.
 */
export function noteRemovals(ctx: Ctx, seats: Seats<Slot>, removed: KeptDevice<Slot>[]): Write[] {
  if (removed.every(({ doubted }) => doubted)) return [];
  const { db } = ctx.store;
  const now = ctx.now();
  const { accountId, removals } = seats;
  const rows = removalsOf(seats, removed, now).map(({ at, rank }) => ({
    id: newId(),
    accountId,
    removedAt: at,
    rank,
  }));
  const since = db
    .select({ one: sql`1` })
    .from(deviceRemovals)
    .where(removalsIn(accountId, now))
    .limit(1)
    .offset(removals.length);
  return [
    mustNotExist(since, "conflict", {}),
    db
      .delete(deviceRemovals)
      .where(and(eq(deviceRemovals.accountId, accountId), lte(deviceRemovals.removedAt, removalsSince(now)))),
    ...(rows.length > 0 ? [db.insert(deviceRemovals).values(rows)] : []),
    db.update(accounts).set({ deviceResetAt: now }).where(eq(accounts.id, accountId)),
  ];
}
