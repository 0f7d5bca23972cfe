import { eq } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import type { Licence } from "../../schema/licences";
import { offers } from "../../schema/offers";
import type { Payment } from "../../schema/payments";
import type { Subscription } from "../../schema/subscriptions";
import type { SubscriptionFacts } from "./subscription-gateway";

type Billed = { held: Subscription | null; first: Payment; facts: SubscriptionFacts };

/**
 * On how many computers the price lets a licence be used that a subscription is billed by. The price says so since it was
 * made, so that a later change of the offer leaves running subscriptions alone.
 */
export async function devicesBilled(ctx: Ctx, { held, first, facts: { price } }: Billed): Promise<number> {
  if (price?.devices) return price.devices;
  const known = held ?? first;
  if (price === null || price.offer === known.offer) return known.devices;
  const { db } = ctx.store;
  const [offer] = await db.select({ devices: offers.devices }).from(offers).where(eq(offers.id, price.offer));
  return offer?.devices ?? known.devices;
}

/** As many as the price says, or staff; staff's number holds for the price that it was set on, after a switch only if higher. */
export const devicesOf = (
  { staffDevices, staffOffer }: Pick<Licence, "staffDevices" | "staffOffer">,
  { devices, offer }: Pick<Subscription, "devices" | "offer">,
): number =>
  staffDevices !== null && (staffOffer === offer || staffDevices > devices) ? staffDevices : devices;
