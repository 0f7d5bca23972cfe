import Stripe from "stripe";
import type { PortalOrder, RecurringOffer } from "@/domain/payments/port/subscription-gateway";
import { unlessMissing, unlessRefused } from "./errors";
import { recurringPrice } from "./prices";

/** Marks the configuration that this shop keeps; owners may have others. */
const name = "latchkey_portal";

/** https://docs.stripe.com/api/customer_portal/sessions/create */
export async function openPortal(
  stripe: Stripe,
  shop: string,
  { customerId, subscription, flow, offers, returnUrl }: PortalOrder,
): Promise<string | null> {
  const { id: configuration } = await configurationOf(stripe, shop, offers);
  const opened = await stripe.billingPortal.sessions
    .create({
      customer: customerId,
      configuration,
      return_url: returnUrl,
      ...(flow && subscription ? { flow_data: flowOf(flow, subscription, returnUrl) } : {}),
    })
    .catch(unlessDeleted);
  return opened?.url ?? null;
}

/** Null if the customer is the one thing that Stripe doesn't know. */
function unlessDeleted(error: unknown): null {
  if (error instanceof Stripe.errors.StripeInvalidRequestError && error.param !== "customer") throw error;
  return unlessMissing(error);
}

/** Stripe's page on which a customer signs in to the portal by email; null if the owner turned it off. */
export async function portalLoginPage(
  stripe: Stripe,
  shop: string,
  offers: RecurringOffer[],
): Promise<string | null> {
  return (await configurationOf(stripe, shop, offers)).login_page.url;
}

type FlowData = Stripe.BillingPortal.SessionCreateParams.FlowData;

function flowOf(flow: NonNullable<PortalOrder["flow"]>, subscription: string, returnUrl: string): FlowData {
  const after_completion = { type: "redirect", redirect: { return_url: returnUrl } } as const;
  const flows = {
    card: { type: "payment_method_update", after_completion },
    cancel: { type: "subscription_cancel", subscription_cancel: { subscription }, after_completion },
    switch: { type: "subscription_update", subscription_update: { subscription }, after_completion },
  } satisfies Record<typeof flow, FlowData>;
  return flows[flow];
}

/**
 * One configuration a mode, found by its metadata, and changed when the offers or their prices have: a price may have been
 * put away. Without offers to switch to, Stripe takes no `subscription_update`. https://docs.stripe.com/api/customer_portal/configurations
 */
async function configurationOf(
  stripe: Stripe,
  shop: string,
  offers: RecurringOffer[],
): Promise<Stripe.BillingPortal.Configuration> {
  const [held, prices] = await Promise.all([
    findConfiguration(stripe, shop),
    // nobody is kept from cancelling by a price
    unlessRefused(
      () => Promise.all(offers.map((offer) => recurringPrice(stripe, shop, offer))),
      () => [],
    ),
  ]);
  const sold = hashOf(offers, prices);
  if (held && (held.metadata?.[soldName] === sold || prices.length < offers.length)) return held;
  const metadata = { [name]: shop, [soldName]: sold };
  const features = featuresFor(prices);
  return held
    ? stripe.billingPortal.configurations.update(held.id, { metadata, features })
    : stripe.billingPortal.configurations.create({ metadata, features, login_page: { enabled: true } });
}

async function findConfiguration(stripe: Stripe, shop: string) {
  for await (const one of stripe.billingPortal.configurations.list({ active: true, limit: 100 })) {
    if (one.metadata?.[name] === shop) return one;
  }
  return null;
}

/** Marks which offers and prices a configuration was made for, so that an unchanged one is not written. */
const soldName = "latchkey_offers";
const hashOf = (offers: RecurringOffer[], prices: Stripe.Price[]) =>
  new Bun.CryptoHasher("sha256")
    .update(JSON.stringify([offers, prices.map(({ id }) => id)]))
    .digest("hex")
    .slice(0, 32);

/** A switch to a cheaper or shorter price waits for the period's end; any other is made and invoiced at once. */
function featuresFor(prices: Stripe.Price[]): Stripe.BillingPortal.ConfigurationCreateParams.Features {
  const products = prices.map(({ id, product }) => ({
    product: typeof product === "string" ? product : product.id,
    prices: [id],
  }));
  return {
    customer_update: { enabled: true, allowed_updates: ["email", "tax_id"] },
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true },
    subscription_cancel: { enabled: true, mode: "at_period_end" },
    subscription_update:
      products.length === 0
        ? { enabled: false }
        : {
            enabled: true,
            default_allowed_updates: ["price"],
            proration_behavior: "always_invoice",
            trial_update_behavior: "continue_trial",
            schedule_at_period_end: {
              conditions: [{ type: "decreasing_item_amount" }, { type: "shortening_interval" }],
            },
            products,
          },
  };
}
