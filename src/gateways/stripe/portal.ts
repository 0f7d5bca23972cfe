import type Stripe from "stripe";
import type { PortalOrder } from "@/domain/payments/subscriptions/subscription-gateway";

/** Marks the configuration that this shop keeps; owners may have others. */
const name = "latchkey_portal";

/** https://docs.stripe.com/api/customer_portal/sessions/create */
export async function openPortal(
  stripe: Stripe,
  shop: string,
  { customerId, subscription, flow, returnUrl }: PortalOrder,
): Promise<string> {
  const { id: configuration } = await configurationOf(stripe, shop);
  const { url } = await stripe.billingPortal.sessions.create({
    customer: customerId,
    configuration,
    return_url: returnUrl,
    ...(flow && subscription ? { flow_data: flowOf(flow, subscription, returnUrl) } : {}),
  });
  return url;
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

/** One configuration a mode, found by its metadata. https://docs.stripe.com/api/customer_portal/configurations */
async function configurationOf(stripe: Stripe, shop: string): Promise<{ id: string }> {
  for await (const one of stripe.billingPortal.configurations.list({ active: true, limit: 100 })) {
    if (one.metadata?.[name] === shop) return one;
  }
  return stripe.billingPortal.configurations.create({
    metadata: { [name]: shop },
    features: {
      customer_update: { enabled: true, allowed_updates: ["email", "tax_id"] },
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true },
      subscription_cancel: { enabled: true, mode: "at_period_end" },
    },
    login_page: { enabled: true },
  });
}
