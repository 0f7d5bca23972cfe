import type Stripe from "stripe";
import type { SalesConfig } from "@/core/config";
import { CheckoutForbidden, CheckoutRefused, type KeyPermission } from "@/domain/payments/checkout/checkout";
import { translated } from "./errors";

/** `writes` sends an invalid request, because Stripe checks the key's permission before the parameters. */
type Trial = Omit<KeyPermission, "granted"> & {
  writes?: true;
  /** Whether the shop's settings need the permission; absent means always. */
  needed?: (sales: SalesConfig) => boolean;
  call: (stripe: Stripe) => Promise<unknown>;
};

const one = { limit: 1 };

/** https://docs.stripe.com/keys/restricted-api-keys */
const trials: Trial[] = [
  {
    name: "rak_checkout_session_write",
    label: "Checkout Sessions: Write",
    without: "nothing can be bought",
    vital: true,
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
    vital: true,
    call: ({ checkout }) => checkout.sessions.list(one),
  },
  {
    name: "rak_payment_intent_read",
    label: "PaymentIntents: Read",
    without: "no sales are recorded",
    vital: true,
    call: ({ paymentIntents }) => paymentIntents.list(one),
  },
  {
    name: "rak_charge_read",
    label: "Charges and Refunds: Read",
    without: "refunds are not recorded",
    vital: true,
    call: async ({ charges, refunds }) => {
      await charges.list(one);
      await refunds.list(one);
    },
  },
  {
    name: "rak_charge_write",
    label: "Charges and Refunds: Write",
    without: "refunds can be made only in Stripe's dashboard",
    vital: false,
    writes: true,
    call: ({ refunds }) => refunds.create({ payment_intent: "pi_none" }),
  },
  {
    name: "rak_dispute_read",
    label: "Disputes: Read",
    without: "disputes are not recorded",
    vital: true,
    call: ({ disputes }) => disputes.list(one),
  },
  {
    name: "rak_dispute_write",
    label: "Disputes: Write",
    without: "disputes can be contested only in Stripe's dashboard",
    vital: false,
    writes: true,
    call: ({ disputes }) => disputes.update("dp_none", { submit: false }),
  },
  {
    name: "rak_event_read",
    label: "Events: Read",
    without: "changes whose webhook was lost may be missed",
    vital: false,
    call: ({ events }) => events.list(one),
  },
  {
    name: "rak_early_fraud_warning_read",
    label: "Early Fraud Warnings: Read",
    without: "fraud warnings are not recorded",
    vital: false,
    call: ({ radar }) => radar.earlyFraudWarnings.list(one),
  },
  {
    name: "rak_promotion_code_read",
    label: "Promotion Codes and Coupons: Read",
    without: "links with a promotion code don't work",
    vital: false,
    call: async ({ promotionCodes, coupons }) => {
      await promotionCodes.list(one);
      await coupons.list(one);
    },
  },
  {
    name: "rak_promotion_code_write",
    label: "Promotion Codes and Coupons: Write",
    without: "promotion codes can be made only in Stripe's dashboard",
    vital: false,
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
    without: "invoices are linked nowhere",
    vital: false,
    needed: ({ invoices }) => invoices,
    call: ({ invoices }) => invoices.list(one),
  },
];

/** Tries every permission that the shop needs, one at a time so as not to use up the buyers' rate limit. */
export async function permissions(
  stripe: Stripe,
  sales: SalesConfig,
  writes: boolean,
): Promise<KeyPermission[]> {
  const tried: KeyPermission[] = [];
  for (const { call, writes: isWrite = false, needed, ...permission } of trials) {
    if ((isWrite && !writes) || needed?.(sales) === false) continue;
    const missing = await translated(() => call(stripe)).then(
      () => null,
      (error: unknown) => {
        if (error instanceof CheckoutForbidden) return error.permission ?? permission.name;
        if (error instanceof CheckoutRefused) return isWrite ? null : permission.name;
        throw error;
      },
    );
    tried.push({ ...permission, name: missing ?? permission.name, granted: missing === null });
  }
  return tried;
}
