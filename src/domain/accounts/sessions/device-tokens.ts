import { and, eq, gte, inArray } from "drizzle-orm";
import type { Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { deviceResetDays } from "@/contract/vocabulary/devices";
import { day } from "@/contract/vocabulary/time";
import { accounts } from "../../schema/accounts";
import type { Account } from "./account";
import { deviceRequests, devices, deviceTokens } from "../../schema/devices";

/** An account's owner can remove a thief's computers once in this time. */
const intervalMilliseconds = deviceResetDays * day;

/**
 * The writes after a recovery by which the owner may remove the computers that were added since, without counting, once in
 * 30 days.
 */
export function doubtDevicesWrites(
  ctx: Ctx,
  account: Pick<Account, "id" | "devicesDoubtedAt">,
  since: Date,
): Write[] {
  const { db } = ctx.store;
  const now = ctx.now();
  const last = account.devicesDoubtedAt?.getTime() ?? -Infinity;
  if (now.getTime() - last < intervalMilliseconds) return [];
  return [
    db
      .update(devices)
      .set({ doubted: true })
      .where(and(eq(devices.accountId, account.id), gte(devices.firstSeenAt, since))),
    db.update(accounts).set({ devicesDoubtedAt: now }).where(eq(accounts.id, account.id)),
  ];
}

/** The writes that end every token that a computer of the account has, or that was approved and not handed out yet. */
export function endDeviceTokens({ store: { db } }: Ctx, accountId: string): Write[] {
  const own = db.select({ id: devices.id }).from(devices).where(eq(devices.accountId, accountId));
  return [
    db.delete(deviceTokens).where(inArray(deviceTokens.deviceId, own)),
    db.delete(deviceRequests).where(eq(deviceRequests.accountId, accountId)),
  ];
}
