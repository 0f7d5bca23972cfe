import { and, eq, isNull } from "drizzle-orm";
import { minute } from "@/contract/vocabulary/time";
import type { Actor } from "@/core/base/actor";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { logRoutine } from "../accounts/sessions/security-log";
import { type Device, devices } from "../schema/devices";
import { type Computer, hashOf } from "../blocks/hashes";

/** The last use is written at most this often, so that most validations only read. */
const touchMilliseconds = minute;

/** Records that a computer got a `VALID` answer, its version, and its hash under the present secret. */
export async function noteSeen(
  ctx: Ctx,
  device: Device,
  { version, ...computer }: Computer & { version: string },
): Promise<void> {
  const now = ctx.now();
  const computerHash = hashOf(ctx, computer);
  const isRecent = now.getTime() - device.lastSeenAt.getTime() < touchMilliseconds;
  if (isRecent && device.computerHash === computerHash && device.version === version) return;
  await ctx.store.db
    .update(devices)
    .set({ lastSeenAt: now, version, computerHash })
    .where(eq(devices.id, device.id));
}

/**
 * Deactivates the application on a computer. It keeps its seat until another takes it, so that deactivating doesn't
 * get around the 30 days.
 */
export async function deactivate(ctx: Ctx, { id, accountId }: Device, actor: Actor): Promise<void> {
  await commit(ctx.store, [
    ctx.store.db
      .update(devices)
      .set({ deactivatedAt: ctx.now() })
      .where(and(eq(devices.id, id), isNull(devices.deactivatedAt))),
    ...logRoutine(ctx, { code: "device.deactivated", accountId, actor, computer: id }),
  ]);
}
