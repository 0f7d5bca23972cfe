import { eq } from "drizzle-orm";
import type { Ctx } from "@/core/database/context";
import type { Licence } from "../../schema/licences";
import { offers } from "../../schema/offers";
import type { Payment } from "../../schema/payments";
import type { Subscription } from "../../schema/subscriptions";
import { isCovered } from "./subscription-state";
import type { SubscriptionFacts } from "../port/subscription-gateway";

type BilledSubscription = { held: Subscription | null; first: Payment; facts: SubscriptionFacts };

/**
 * On how many computers the price lets a licence be used that a subscription is billed by; of a switch to more, once its
 * invoice is paid.
 */
export async function devicesBilled(ctx: Ctx, billed: BilledSubscription): Promise<number> {
  const { invoices } = billed.facts;
  const devices = await devicesOfPrice(ctx, billed);
  const isOwed = invoices.some((one) => one.isSwitch && one.status !== "void" && !isCovered(one, invoices));
  return isOwed ? Math.min(devices, (billed.held ?? billed.first).devices) : devices;
}

/** The price says so since it was made, so that a later change of the offer leaves running subscriptions alone. */
async function devicesOfPrice(
  ctx: Ctx,
  { held, first, facts: { price } }: BilledSubscription,
): Promise<number> {
  if (price?.devices) return price.devices;
  const known = held ?? first;
  if (price === null || price.offer === known.offer) return known.devices;
  const { db } = ctx.store;
  const [offer] = await db.select({ devices: offers.devices }).from(offers).where(eq(offers.id, price.offer));
  return offer?.devices ?? known.devices;
}

/** The number of the price, or the one that staff set; after a switch to another price, the higher of the two. */
export const devicesOf = (
  { staffDevices, staffOffer }: Pick<Licence, "staffDevices" | "staffOffer">,
  { devices, offer }: Pick<Subscription, "devices" | "offer">,
): number =>
  staffDevices !== null && (staffOffer === offer || staffDevices > devices) ? staffDevices : devices;
