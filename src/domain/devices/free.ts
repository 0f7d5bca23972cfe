import { and, eq } from "drizzle-orm";
import { mustHaveChanged, type Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { accounts } from "../schema/accounts";
import { devicePlaces } from "../schema/devices";
import type { KeptDevice, Slot } from "./places";

/**
 * Notes that the owner frees a computer's place now. Fails with `conflict` if they freed it since it was read, so that
 * of two at once one counts.
 */
export function freed(ctx: Ctx, { accountId, place: number, freedAt: before }: KeptDevice<Slot>): Write[] {
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
