import Stripe from "stripe";
import { CheckoutForbidden, CheckoutRefused } from "@/domain/payments/port/stripe";
import { type StripeAccess, stripeClient } from "./client";
import { translated, unlessMissing } from "./errors";
import { permissionsSoFar } from "./permissions";
import {
  type AgreedEndpoint,
  agreeEndpoint,
  deleteFormer,
  type OwnEndpoint,
  setUpEvents,
} from "./webhook-endpoints";

export type AccountSeen = { id: string | null; name: string | null; canCharge: boolean | null };

type Trial = Awaited<ReturnType<typeof permissionsSoFar>> & {
  account: AccountSeen;
  /** Whether Stripe takes money in it; null where that can't be told. */
  takesCurrency: boolean | null;
  /** Why the account can't open a checkout, in Stripe's words. */
  checkoutFault: string | null;
};

/** What set-up asks Stripe, each call translated. */
export function createStripeSetup(access: StripeAccess) {
  const stripe = stripeClient(access);
  return {
    /** Throws `CheckoutUnreachable` if Stripe is away or refuses the key. */
    async try(currency: string): Promise<Trial> {
      const account = await accountOf(stripe);
      const seen = await permissionsSoFar(stripe);
      const checkout = seen.reason ? untold : await tryCheckout(stripe, currency);
      return { ...seen, ...checkout, account };
    },
    agreeEndpoint: (wanted: OwnEndpoint): Promise<AgreedEndpoint> =>
      translated(() => agreeEndpoint(stripe, wanted)),
    deleteEndpoint: (id: string) => translated(() => stripe.webhookEndpoints.del(id).catch(unlessMissing)),
    deleteFormer: (kept: Parameters<typeof deleteFormer>[1]) => translated(() => deleteFormer(stripe, kept)),
  };
}

/** What somebody who makes the endpoint in Stripe's dashboard chooses there. */
export const endpointByHand = { types: setUpEvents, apiVersion: Stripe.API_VERSION as string };

/** A restricted key may not read the account, but Stripe's refusal names it. */
async function accountOf(stripe: Stripe): Promise<AccountSeen> {
  try {
    const account = await translated(() => stripe.accounts.retrieveCurrent());
    const name = account.settings?.dashboard.display_name || account.business_profile?.name || null;
    return { id: account.id, name, canCharge: account.charges_enabled };
  } catch (error) {
    if (!(error instanceof CheckoutForbidden)) throw error;
    const id = error.cause instanceof Error ? /\bacct_\w+/.exec(error.cause.message)?.[0] : undefined;
    return { id: id ?? null, name: null, canCharge: null };
  }
}

type CheckoutTried = Pick<Trial, "takesCurrency" | "checkoutFault">;
const untold: CheckoutTried = { takesCurrency: null, checkoutFault: null };
const fine: CheckoutTried = { takesCurrency: true, checkoutFault: null };

/** Stripe reads the account and the currency before it looks for the product, which doesn't exist. */
async function tryCheckout(stripe: Stripe, currency: string): Promise<CheckoutTried> {
  const price_data = { currency, unit_amount: 100_000, product: "prod_none" };
  try {
    await translated(() =>
      stripe.checkout.sessions.create({
        mode: "payment",
        success_url: "https://example.com/",
        line_items: [{ price_data, quantity: 1 }],
      }),
    );
    return fine;
  } catch (error) {
    if (!(error instanceof CheckoutRefused)) return untold;
    const { message, cause } = error;
    const { code = "", param = "" } = cause instanceof Stripe.errors.StripeError ? cause : {};
    if (param.includes("currency")) return { takesCurrency: false, checkoutFault: null };
    // an amount that the currency does not allow says nothing about the account
    if (code === "resource_missing" || code.startsWith("amount_") || /product|unit_amount/.test(param))
      return fine;
    return { takesCurrency: null, checkoutFault: message };
  }
}
