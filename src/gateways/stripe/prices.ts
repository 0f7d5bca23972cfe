import Stripe from "stripe";
import { firstLevel } from "@/domain/payments/port/order-terms";
import type { RecurringOffer } from "@/domain/payments/port/subscription-gateway";

/** Half a minute, if Stripe takes so long to make one. */
const mostTries = 60;
const pauseMilliseconds = 250;

/**
 * The price that a subscription is made of. Customers can switch only between prices that Stripe keeps, so each is made
 * once and found again by its lookup key. Someone may have changed it at Stripe: it is taken only if it is the same, and
 * not the one that Stripe has just `refused`: an archived product doesn't show in its price.
 * https://docs.stripe.com/api/prices/object#price_object-lookup_key
 */
export async function recurringPrice(
  stripe: Stripe,
  shop: string,
  wanted: RecurringOffer,
  refused: string | null = null,
): Promise<Stripe.Price> {
  const key = lookupKey(shop, wanted);
  let stale = 0;
  for (let tries = 1; ; tries += 1) {
    const { data } = await stripe.prices.list({ lookup_keys: [key], limit: 1 });
    const [found] = data;
    if (found && found.id !== refused && isSame(found, wanted)) return found;
    try {
      // checkouts at the same moment make one
      const once = `${key}-${found?.id ?? "first"}-${stale}`;
      const made = await stripe.prices.create(descriptionOf(shop, wanted, key), { idempotencyKey: once });
      if (!isRepeated(made.lastResponse.headers)) return made;
      stale += 1;
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeError) || tries === mostTries) throw error;
      if (error.statusCode === 409) await Bun.sleep(pauseMilliseconds);
      else if (error instanceof Stripe.errors.StripeIdempotencyError || isRepeated(error.headers)) stale += 1;
      else throw error;
    }
  }
}

/** Stripe repeats its first answer to a request for a day, whatever happened to the price since; also a refusal. */
const isRepeated = (headers: Record<string, string> | undefined) =>
  // the SDK says an object, and gives what `fetch` does
  new Headers(headers).get("idempotent-replayed") === "true";

const descriptionOf = (shop: string, wanted: RecurringOffer, key: string): Stripe.PriceCreateParams => ({
  currency: wanted.currency,
  unit_amount: wanted.amount,
  recurring: { interval: wanted.every },
  product_data: { name: wanted.product, metadata: { offer: wanted.offer } },
  lookup_key: key,
  transfer_lookup_key: true,
  metadata: {
    offer: wanted.offer,
    level: wanted.level,
    level_name: wanted.levelName,
    devices: wanted.devices,
    shop,
  },
});

/** At most 200 characters; several shops may share one Stripe account. The first level's is as before there were others. */
function lookupKey(shop: string, wanted: RecurringOffer): string {
  const { offer, level, amount, currency, every, devices } = wanted;
  const further = level === firstLevel.level ? [] : [level];
  const named = JSON.stringify([shop, offer, amount, currency, every, devices, ...further]);
  return `latchkey_${new Bun.CryptoHasher("sha256").update(named).digest("hex").slice(0, 32)}`;
}

const isSame = (
  price: Stripe.Price,
  { offer, level, amount, currency, every, devices }: RecurringOffer,
): boolean =>
  price.active &&
  price.unit_amount === amount &&
  price.currency === currency &&
  price.recurring?.interval === every &&
  price.recurring.interval_count === 1 &&
  price.metadata["offer"] === offer &&
  (price.metadata["level"] ?? firstLevel.level) === level &&
  price.metadata["devices"] === String(devices);
