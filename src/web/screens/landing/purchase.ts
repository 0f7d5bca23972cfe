import { texts } from "@/contract/texts";
import { api, ask, Refused } from "../../api/client";
import { lastCheckout } from "../../parts/last-checkout";

/** The URL of the payment provider's page, or the reason why there is none. */
export type Opened = { url: string } | { problem: string };

/** Opens a checkout; never rejects. */
export async function openCheckout(): Promise<Opened> {
  try {
    const { key } = await ask(api.functions["get-stripe-key"].$get());
    if (!key) return { problem: texts.stripeKeyMissing };
    const { data } = await ask(api.stripe["create-checkout-session"].$post({ json: { currency: "usd" } }));
    if (!data.url) return { problem: texts.checkoutFailed };
    lastCheckout.remember(data.id);
    return { url: data.url };
  } catch (error) {
    return { problem: sentenceFor(error) };
  }
}

/** Prefers the shop's or payment provider's own message to the fallback. */
function sentenceFor(error: unknown) {
  if (!(error instanceof Refused)) return texts.purchaseFailed;
  return error.message === texts.unknownError ? texts.checkoutFailed : error.message;
}
