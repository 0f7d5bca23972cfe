import Stripe from "stripe";
import { CheckoutForbidden, CheckoutRefused } from "@/domain/payments/port/stripe";
import { type StripeAccess, stripeClient } from "./client";
import { translated } from "./errors";
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
};

/** What set-up asks Stripe, each call translated. */
export function createStripeSetup(access: StripeAccess) {
  const stripe = stripeClient(access);
  return {
    /** Throws `CheckoutUnreachable` if Stripe is away or refuses the key. */
    async try(currency: string): Promise<Trial> {
      const account = await accountOf(stripe);
      const seen = await permissionsSoFar(stripe);
      return { ...seen, account, takesCurrency: seen.reason ? null : await takesCurrency(stripe, currency) };
    },
    agreeEndpoint: (wanted: OwnEndpoint): Promise<AgreedEndpoint> =>
      translated(() => agreeEndpoint(stripe, wanted)),
    deleteEndpoint: (id: string) => translated(() => stripe.webhookEndpoints.del(id)),
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

/** Stripe reads the currency before it looks for the product, which doesn't exist. */
async function takesCurrency(stripe: Stripe, currency: string): Promise<boolean | null> {
  const price_data = { currency, unit_amount: 100_000, product: "prod_none" };
  try {
    await translated(() =>
      stripe.checkout.sessions.create({
        mode: "payment",
        success_url: "https://example.com/",
        line_items: [{ price_data, quantity: 1 }],
      }),
    );
    return true;
  } catch (error) {
    if (!(error instanceof CheckoutRefused)) return null;
    const { cause } = error;
    return !(cause instanceof Stripe.errors.StripeInvalidRequestError && cause.param?.includes("currency"));
  }
}
