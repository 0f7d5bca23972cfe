import type Stripe from "stripe";
import type { RecurringOffer } from "@/domain/payments/subscriptions/subscription-gateway";

/**
 * The price that a subscription is made of. Customers can switch only between prices that Stripe keeps, so each is made
 * once and found again by its lookup key. Someone may have changed it at Stripe: it is taken only if it is the same.
 * https://docs.stripe.com/api/prices/object#price_object-lookup_key
 */
export async function recurringPrice(
  stripe: Stripe,
  shop: string,
  wanted: RecurringOffer,
): Promise<Stripe.Price> {
  const key = lookupKey(shop, wanted);
  const { data } = await stripe.prices.list({ lookup_keys: [key], limit: 1 });
  const [found] = data;
  if (found && isSame(found, wanted)) return found;
  return stripe.prices.create(
    {
      currency: wanted.currency,
      unit_amount: wanted.amount,
      recurring: { interval: wanted.every },
      product_data: { name: wanted.product, metadata: { offer: wanted.offer } },
      lookup_key: key,
      transfer_lookup_key: true,
      metadata: { offer: wanted.offer, devices: wanted.devices, shop },
    },
    // checkouts at the same moment make one
    { idempotencyKey: `${key}-${found?.id ?? "first"}` },
  );
}

/** At most 200 characters; several shops may share one Stripe account. */
function lookupKey(shop: string, { offer, amount, currency, every, devices }: RecurringOffer): string {
  const named = JSON.stringify([shop, offer, amount, currency, every, devices]);
  return `latchkey_${new Bun.CryptoHasher("sha256").update(named).digest("hex").slice(0, 32)}`;
}

const isSame = (price: Stripe.Price, { offer, amount, currency, every, devices }: RecurringOffer): boolean =>
  price.active &&
  price.unit_amount === amount &&
  price.currency === currency &&
  price.recurring?.interval === every &&
  price.recurring.interval_count === 1 &&
  price.metadata["offer"] === offer &&
  price.metadata["devices"] === String(devices);
