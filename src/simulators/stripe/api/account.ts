import type Stripe from "stripe";
import type { Part } from "../part";

/** The account of every key: https://docs.stripe.com/api/accounts/retrieve */
export const readAccount = (): Part<Stripe.Account> => ({
  id: "acct_1DemoShop",
  object: "account",
  business_profile: { name: "The demo's shop" },
  charges_enabled: true,
  country: "US",
  default_currency: "usd",
  settings: { dashboard: { display_name: "The demo's shop" } },
});
