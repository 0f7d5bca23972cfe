import { and, eq, ne } from "drizzle-orm";
import type { By } from "@/core/actor";
import { record } from "@/core/audit";
import { commit, mustHaveChanged } from "@/core/commit";
import { retryOnConflict } from "@/core/conflict";
import type { Ctx } from "@/core/context";
import { Refusal } from "@/core/refusal";
import { authorize } from "../permissions";
import { type Licence, licences } from "../schema/licences";

/**
 * Changes on how many computers at a time a licence may be used, whatever its order said. Refuses with
 * `license_unchanged`.
 */
export async function changeDevices(
  ctx: Ctx,
  { id }: Pick<Licence, "id">,
  devices: number,
  by: By,
): Promise<void> {
  authorize(by, "licence.change_devices");
  const { db } = ctx.store;
  await retryOnConflict(async () => {
    const [now] = await db.select().from(licences).where(eq(licences.id, id));
    if (!now || now.devices === devices) throw unchanged(devices);
    const { devices: before, accountId } = now;
    await commit(ctx.store, [
      db
        .update(licences)
        .set({ devices })
        .where(and(eq(licences.id, id), eq(licences.devices, before), ne(licences.devices, devices))),
      mustHaveChanged("conflict"),
      record(ctx, {
        ...by,
        action: "licence.devices_changed",
        subject: id,
        accountId,
        detail: { before, after: devices },
      }),
    ]);
  });
}

const unchanged = (devices: number) =>
  new Refusal("license_unchanged", { sentence: `That licence is for ${devices} already.` });
