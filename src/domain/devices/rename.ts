import { and, eq } from "drizzle-orm";
import type { Actor } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, mustHaveChanged } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { authorize } from "../permissions";
import { devices } from "../schema/devices";

type RenameInput = { accountId: string; id: string; label: string };

/** Names a computer for good: activating no longer changes its name. Refuses with `device_unknown`. */
export async function renameDevice(
  ctx: Ctx,
  { accountId, id, label }: RenameInput,
  by: { actor: Actor; reason?: string },
): Promise<void> {
  authorize(by, "device.rename");
  await commit(ctx.store, [
    ctx.store.db
      .update(devices)
      .set({ label, renamed: true })
      .where(and(eq(devices.accountId, accountId), eq(devices.id, id))),
    mustHaveChanged("device_unknown"),
    record(ctx, { ...by, action: "device.renamed", subject: accountId, accountId, detail: { computer: id } }),
  ]);
}
