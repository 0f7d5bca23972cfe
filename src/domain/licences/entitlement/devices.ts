import { and, eq } from "drizzle-orm";
import type { By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, mustHaveChanged, retryOnConflict } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { authorize } from "../../permissions";
import { type Licence, licences } from "../../schema/licences";
import { payments } from "../../schema/payments";
import { subscriptions } from "../../schema/subscriptions";

/**
 * Changes on how many computers at a time a licence may be used, whatever its order or its subscription's price says;
 * `offer` takes back what staff set. Refuses with `license_unchanged`. Resolves to the number.
 */
export async function changeDevices(
  ctx: Ctx,
  { id }: Pick<Licence, "id">,
  wanted: number | "offer",
  by: By,
): Promise<number> {
  authorize(by, "licence.change_devices");
  const { db } = ctx.store;
  return retryOnConflict(async () => {
    const [now] = await db
      .select({ licence: licences, order: payments.devices, billed: subscriptions })
      .from(licences)
      .leftJoin(payments, eq(payments.id, licences.primaryPaymentId))
      .leftJoin(subscriptions, eq(subscriptions.id, licences.primaryPaymentId))
      .where(eq(licences.id, id));
    const sold = now?.billed?.devices ?? now?.order ?? now?.licence.devices;
    const devices = wanted === "offer" ? sold : wanted;
    if (!now || devices === undefined || now.licence.devices === devices)
      throw unchangedRefusal(devices ?? 0);
    const { devices: before, accountId } = now.licence;
    const staffs = wanted === "offer" ? null : wanted;
    await commit(ctx.store, [
      db
        .update(licences)
        .set({
          devices,
          staffDevices: staffs,
          staffOffer: staffs === null ? null : (now.billed?.offer ?? now.licence.offer),
        })
        .where(and(eq(licences.id, id), eq(licences.devices, before))),
      mustHaveChanged("conflict"),
      record(ctx, {
        ...by,
        action: "licence.devices_changed",
        subject: id,
        accountId,
        detail: { before, after: devices },
      }),
    ]);
    return devices;
  });
}

const unchangedRefusal = (devices: number) =>
  new Refusal("license_unchanged", { sentence: `That licence is for ${devices} already.` });
