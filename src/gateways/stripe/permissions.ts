import type Stripe from "stripe";
import type { KeyPermission, WatchedEvents } from "@/domain/payments/port/account-gateway";
import { CheckoutForbidden, CheckoutRefused, CheckoutUnreachable } from "@/domain/payments/port/stripe";
import { translated } from "./errors";

/** `writes` also tries the calls that change something. */
type PermissionTest = WatchedEvents & { writes: boolean };

/** `writes` sends an invalid request, because Stripe checks the key's permission before the parameters. */
type Trial = Omit<KeyPermission, "granted"> & {
  writes?: true;
  call: (stripe: Stripe) => Promise<unknown>;
};

const one = { limit: 1 };

/** https://docs.stripe.com/keys/restricted-api-keys */
const trials: Trial[] = [
  {
    name: "rak_checkout_session_write",
    label: "Checkout Sessions: Write",
    without: "no checkout can be opened",
    writes: true,
    call: ({ checkout }) =>
      checkout.sessions.create({
        mode: "payment",
        success_url: "https://example.com/",
        line_items: [{ price: "price_none", quantity: 1 }],
      }),
  },
  {
    name: "rak_checkout_session_read",
    label: "Checkout Sessions: Read",
    without: "no sales are recorded",
    call: ({ checkout }) => checkout.sessions.list(one),
  },
  {
    name: "rak_payment_intent_read",
    label: "PaymentIntents: Read",
    without: "no sales are recorded",
    call: ({ paymentIntents }) => paymentIntents.list(one),
  },
  {
    name: "rak_charge_read",
    label: "Charges and Refunds: Read",
    without: "refunds are not recorded",
    call: async ({ charges, refunds }) => {
      await charges.list(one);
      await refunds.list(one);
    },
  },
  {
    name: "rak_charge_write",
    label: "Charges and Refunds: Write",
    without: "refunds can be made only in Stripe's dashboard",
    writes: true,
    call: ({ refunds }) => refunds.create({ payment_intent: "pi_none" }),
  },
  {
    name: "rak_dispute_read",
    label: "Disputes: Read",
    without: "disputes are not recorded",
    call: ({ disputes }) => disputes.list(one),
  },
  {
    name: "rak_dispute_write",
    label: "Disputes: Write",
    without: "disputes can be contested only in Stripe's dashboard",
    writes: true,
    call: ({ disputes }) => disputes.update("dp_none", { submit: false }),
  },
  {
    name: "rak_balance_read",
    label: "Balance: Read",
    without: "when a debit or a voucher was paid is not known",
    call: ({ balanceTransactions }) => balanceTransactions.list(one),
  },
  {
    name: "rak_event_read",
    label: "Events: Read",
    without: "changes whose webhook was lost may be missed",
    call: ({ events }) => events.list(one),
  },
  {
    name: "rak_early_fraud_warning_read",
    label: "Early Fraud Warnings: Read",
    without: "fraud warnings are not recorded",
    call: ({ radar }) => radar.earlyFraudWarnings.list(one),
  },
  {
    name: "rak_promotion_code_read",
    label: "Promotion Codes and Coupons: Read",
    without: "what a promotion code takes off, and how often, is not known",
    call: async ({ promotionCodes, coupons }) => {
      await promotionCodes.list(one);
      await coupons.list(one);
    },
  },
  {
    name: "rak_promotion_code_write",
    label: "Promotion Codes and Coupons: Write",
    without: "promotion codes can be made only in Stripe's dashboard",
    writes: true,
    call: async ({ promotionCodes, coupons }) => {
      const refused = await translated(() => coupons.create({})).catch((error: unknown) => error);
      if (refused instanceof CheckoutForbidden) throw refused;
      await promotionCodes.update("promo_none", { active: false });
    },
  },
  {
    name: "rak_invoice_read",
    label: "Invoices: Read",
    without: "invoices and renewals are not recorded",
    call: async ({ invoices, invoicePayments }) => {
      await invoices.list(one);
      await invoicePayments.list(one);
    },
  },
];

/** Of a shop that sells subscriptions. */
const forSubscriptions: Trial[] = [
  {
    name: "rak_subscription_read",
    label: "Subscriptions: Read",
    without: "subscriptions are not recorded",
    call: ({ subscriptions }) => subscriptions.list(one),
  },
  {
    name: "rak_customer_read",
    label: "Customers: Read",
    without: "subscriptions are not recorded",
    call: ({ customers }) => customers.list(one),
  },
  {
    name: "rak_customer_write",
    label: "Customers: Write",
    without: "subscriptions can't be billed to a corrected address",
    writes: true,
    call: ({ customers }) => customers.update("cus_none", { metadata: {} }),
  },
  {
    name: "rak_payment_method_read",
    label: "Payment Methods: Read",
    without: "subscriptions are not recorded",
    call: ({ paymentMethods }) => paymentMethods.list(one),
  },
  {
    name: "rak_subscription_write",
    label: "Subscriptions: Write",
    without: "subscriptions can't be cancelled, and nobody who has one can be erased",
    writes: true,
    call: ({ subscriptions }) => subscriptions.cancel("sub_none"),
  },
  {
    name: "rak_invoice_write",
    label: "Invoices: Write",
    without: "nobody who owes for a subscription can be erased",
    writes: true,
    call: ({ invoices }) => invoices.voidInvoice("in_none"),
  },
  {
    name: "rak_plan_write",
    label: "Plans: Write",
    without: "subscriptions can't be bought",
    writes: true,
    call: ({ prices }) => prices.update("price_none", { active: true }),
  },
  {
    name: "rak_customer_portal_write",
    label: "Customer portal: Write",
    without: "customers can't change or cancel their subscriptions",
    writes: true,
    call: ({ billingPortal }) => billingPortal.sessions.create({ customer: "cus_none" }),
  },
];

/** What `shop setup` uses beside what the shop needs. */
const forSetup: Trial[] = [
  {
    name: "rak_webhook_write",
    label: "Webhook Endpoints: Write",
    without: "the webhook's endpoint is made by hand, and its secret pasted",
    writes: true,
    call: async ({ webhookEndpoints }) => {
      await webhookEndpoints.list(one);
      await webhookEndpoints.update("we_none", {});
    },
  },
];

/** Tries every permission that the shop needs, one at a time so as not to use up the buyers' rate limit. */
export async function permissions(stripe: Stripe, wanted: PermissionTest): Promise<KeyPermission[]> {
  const tried: KeyPermission[] = [];
  for (const trial of trialsOf(wanted)) tried.push(await tryOne(stripe, trial));
  return tried;
}

/** Tries all permissions, set-up's too. From the first call on that can't be answered, the rest is untested, with the reason. */
export async function permissionsSoFar(
  stripe: Stripe,
): Promise<{ permissions: PermissionSeen[]; reason: CheckoutUnreachable | null }> {
  const all = [...trialsOf({ subscriptions: true, writes: true }), ...forSetup];
  const tried: PermissionSeen[] = [];
  try {
    for (const trial of all) tried.push(await tryOne(stripe, trial));
    return { permissions: tried, reason: null };
  } catch (reason) {
    if (!(reason instanceof CheckoutUnreachable)) throw reason;
    const rest = all.slice(tried.length).map((trial) => ({ ...namesOf(trial), granted: null }));
    return { permissions: [...tried, ...rest], reason };
  }
}
/** `granted`: null for untested. */
export type PermissionSeen = Omit<KeyPermission, "granted"> & { granted: boolean | null };

/** Whether only a shop that sells subscriptions needs it. */
export const isForSubscriptions = ({ name }: Pick<KeyPermission, "name">): boolean =>
  forSubscriptions.some((trial) => trial.name === name) && !trials.some((trial) => trial.name === name);

const trialsOf = ({ subscriptions, writes }: PermissionTest): Trial[] =>
  [...trials, ...(subscriptions ? forSubscriptions : [])].filter((trial) => writes || !trial.writes);

const namesOf = ({ name, label, without }: Trial) => ({ name, label, without });

async function tryOne(stripe: Stripe, trial: Trial): Promise<KeyPermission> {
  const missing = await translated(() => trial.call(stripe)).then(
    () => null,
    (error: unknown) => {
      if (error instanceof CheckoutForbidden) return error.permission ?? trial.name;
      if (error instanceof CheckoutRefused) return null;
      throw error;
    },
  );
  return { ...namesOf(trial), name: missing ?? trial.name, granted: missing === null };
}
