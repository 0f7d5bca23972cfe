import { eq } from "drizzle-orm";
import type { Ctx } from "@/core/database/context";
import { contains, type Ladder, type LevelName } from "../../levels/ladder";
import { levelOf } from "../port/order-terms";
import type { Licence } from "../../schema/licences";
import { offers } from "../../schema/offers";
import type { Payment } from "../../schema/payments";
import type { Subscription } from "../../schema/subscriptions";
import { isCovered } from "./subscription-state";
import type { SubscriptionFacts } from "../port/subscription-gateway";

type BilledSubscription = {
  held: Subscription | null;
  first: Payment;
  facts: SubscriptionFacts;
  ladder: Ladder;
};

/** What a subscription's price gives its licence. */
export type Billed = { level: LevelName; devices: number };

/**
 * The level that the price gives a licence that a subscription is billed by, and on how many computers it lets it be
 * used; of a switch to more, once its invoice is paid.
 */
export async function billedBy(ctx: Ctx, billed: BilledSubscription): Promise<Billed> {
  const { facts, held, first, ladder } = billed;
  const before = { level: levelBefore(held, first), devices: (held ?? first).devices };
  const now = await ofPrice(ctx, facts.price, { ...before, offer: (held ?? first).offer });
  const isOwed = facts.invoices.some(
    (one) => one.isSwitch && one.status !== "void" && !isCovered(one, facts.invoices),
  );
  if (!isOwed) return now;
  return {
    level: contains(ladder, before.level.id, now.level.id) ? now.level : before.level,
    devices: Math.min(now.devices, before.devices),
  };
}

const levelBefore = (held: Subscription | null, first: Payment): LevelName => {
  const sold = levelOf(first);
  return held === null || held.level === sold.id ? sold : { id: held.level, name: held.level };
};

/** The price says so since it was made, so that a later change of the offer leaves running subscriptions alone. */
async function ofPrice(
  ctx: Ctx,
  price: SubscriptionFacts["price"],
  known: Billed & Pick<Payment, "offer">,
): Promise<Billed> {
  const isSaid = price === null || (price.level && price.devices) || price.offer === known.offer;
  if (isSaid) return { ...known, ...said(price) };
  const [offer] = await ctx.store.db
    .select({ level: { id: offers.level, name: offers.level }, devices: offers.devices })
    .from(offers)
    .where(eq(offers.id, price.offer));
  return { ...known, ...offer, ...said(price) };
}

const said = (price: SubscriptionFacts["price"]): Partial<Billed> => ({
  ...(price?.level && { level: price.level }),
  ...(price?.devices && { devices: price.devices }),
});

/**
 * The level of the price, or the one that staff set; after a switch to another price, theirs only if it contains the
 * price's.
 */
export const levelHeld = (
  ladder: Ladder,
  { staffLevel, staffLevelOffer }: Pick<Licence, "staffLevel" | "staffLevelOffer">,
  { level, offer }: Pick<Subscription, "level" | "offer">,
): string =>
  staffLevel !== null && (staffLevelOffer === offer || contains(ladder, staffLevel, level))
    ? staffLevel
    : level;

/** The number of the price, or the one that staff set; after a switch to another price, the higher of the two. */
export const devicesOf = (
  { staffDevices, staffOffer }: Pick<Licence, "staffDevices" | "staffOffer">,
  { devices, offer }: Pick<Subscription, "devices" | "offer">,
): number =>
  staffDevices !== null && (staffOffer === offer || staffDevices > devices) ? staffDevices : devices;
