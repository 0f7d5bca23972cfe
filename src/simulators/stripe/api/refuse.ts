import type { Refused, World } from "../world";
import { StripeRefusal } from "./errors";

type Asked = { method: string; path: string; secret: string };

/** Refuses a call as a test has asked for, with the words that Stripe has for it. */
export function refuseOnDemand({ wire }: World, { method, path, secret }: Asked): void {
  const as = wire.refusals.find((one) => path.includes(one.path))?.as;
  if ((as === "url" || as === "nameless") && method !== "POST") return;
  if (as !== undefined) throw words[as](secret);
}

const type = "invalid_request_error";

const words: Record<Refused, (secret: string) => StripeRefusal> = {
  tax_location: () =>
    new StripeRefusal(400, {
      type,
      code: "customer_tax_location_invalid",
      message:
        "The customer's location isn't recognized. Set a valid customer address in order to automatically calculate tax.",
    }),
  schedule: () =>
    new StripeRefusal(400, {
      type,
      message:
        "The subscription is managed by a subscription schedule, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.",
    }),
  url: () =>
    new StripeRefusal(400, {
      type,
      code: "url_invalid",
      param: "url",
      message:
        "Invalid URL: URL must be publicly accessible. Consider using a tool like the Stripe CLI to test webhooks locally: https://github.com/stripe/stripe-cli",
    }),
  nameless: () =>
    new StripeRefusal(400, {
      type,
      message:
        "In order to use Checkout, you must set an account or business name at https://dashboard.stripe.com/account.",
    }),
  permission: (secret) =>
    new StripeRefusal(403, {
      type,
      message: `The provided key '${secret.slice(0, 8)}****' does not have the required permissions for this endpoint on account 'acct_1DemoShop'.`,
    }),
};
