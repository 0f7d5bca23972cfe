import { and, eq } from "drizzle-orm";
import { besidesKey } from "@/core/besides-key";
import type { Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { auditLog } from "@/core/schema";
import { licences } from "../../schema/licences";
import { offers } from "../../schema/offers";
import type { Payment } from "../../schema/payments";
import type { Subscription } from "../../schema/subscriptions";

/**
 * After a switch the licence has the new offer's places, or those that staff gave it if they are more. Writes nothing
 * without a switch, so that a later change of the offer leaves running subscriptions alone.
 */
export async function placesAfterSwitch(
  ctx: Ctx,
  { held, after, first }: { held: Subscription | null; after: Subscription; first: Payment },
): Promise<Write[]> {
  if ((held?.offer ?? first.offer) === after.offer) return [];
  const { db } = ctx.store;
  const [[licence], [offer]] = await db.batch([
    db.select().from(licences).where(eq(licences.primaryPaymentId, first.id)),
    db.select().from(offers).where(eq(offers.id, after.offer)),
  ]);
  if (!licence || !offer) return [];
  const isStaffs = await wasChangedByStaff(ctx, licence.id);
  const devices = isStaffs ? Math.max(offer.devices, licence.devices) : offer.devices;
  if (devices === licence.devices) return [];
  return [db.update(licences).set({ devices }).where(eq(licences.id, licence.id))];
}

async function wasChangedByStaff({ store: { db } }: Ctx, licenceId: string): Promise<boolean> {
  const [changed] = await db
    .select({ at: auditLog.at })
    .from(auditLog)
    .where(and(eq(auditLog.subject, licenceId), besidesKey(eq(auditLog.action, "licence.devices_changed"))))
    .limit(1);
  return changed !== undefined;
}
