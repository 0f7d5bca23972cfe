import { and, eq, isNull, lte, or, type SQL } from "drizzle-orm";
import { mustHaveChanged, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { accounts } from "../schema/accounts";
import { devicePlaces, devices } from "../schema/devices";
import type { KeptDevice, Slot } from "./places";

/** As a condition: the owner may remove the computer, though a licence file may run on it. */
export const mayGo = ({ now }: Ctx): SQL | undefined =>
  or(isNull(devices.offlineUntil), lte(devices.offlineUntil, now()), devices.doubted);

/**
 * Notes that the owner frees a computer's place now, unless a thief may have added it. Fails with `conflict` if they freed it since it was read, so that
 * of two at once one counts.
 */
export function freed(
  ctx: Ctx,
  { accountId, place: number, freedAt: before, doubted }: KeptDevice<Slot>,
): Write[] {
  if (doubted) return [];
  const { db } = ctx.store;
  const freedAt = ctx.now();
  return [
    before === null
      ? db.insert(devicePlaces).values({ accountId, number, freedAt }).onConflictDoNothing()
      : db
          .update(devicePlaces)
          .set({ freedAt })
          .where(
            and(
              eq(devicePlaces.accountId, accountId),
              eq(devicePlaces.number, number),
              eq(devicePlaces.freedAt, before),
            ),
          ),
    mustHaveChanged("conflict"),
    db.update(accounts).set({ deviceResetAt: freedAt }).where(eq(accounts.id, accountId)),
  ];
}
