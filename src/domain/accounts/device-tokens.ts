import { eq, inArray } from "drizzle-orm";
import type { Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { deviceRequests, devices, deviceTokens } from "../schema/devices";

/** The writes that end every token that a computer of the account has, or that was approved and not handed out yet. */
export function endDeviceTokens({ store: { db } }: Ctx, accountId: string): Write[] {
  const own = db.select({ id: devices.id }).from(devices).where(eq(devices.accountId, accountId));
  return [
    db.delete(deviceTokens).where(inArray(deviceTokens.deviceId, own)),
    db.delete(deviceRequests).where(eq(deviceRequests.accountId, accountId)),
  ];
}
