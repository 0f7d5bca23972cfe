import { eq } from "drizzle-orm";
import { audit, type ByHand } from "@/core/audit";
import { commit, mustHaveChanged } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { devices } from "../schema/devices";

/** Unbinds an account's device; it neither needs nor starts the owner's cooldown. Refuses with `hwid_not_set`. */
export async function unbindDevice(ctx: Ctx, accountId: string, by: ByHand): Promise<void> {
  await commit(ctx.store, [
    ctx.store.db.delete(devices).where(eq(devices.accountId, accountId)),
    mustHaveChanged("hwid_not_set"),
    audit(ctx, { ...by, action: "device.reset_by_staff", subject: accountId, accountId }),
  ]);
}
