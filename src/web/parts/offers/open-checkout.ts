import type { CheckoutBody } from "@/contract/payments";
import { texts } from "@/contract/texts";
import { api, ask, Refused } from "../../api/client";
import { lastCheckout } from "../last-checkout";

/** The URL of the payment provider's page, or the reason why there is none and the field to blame. */
export type Opened = { url: string } | { problem: string; field: string | undefined };

/** Opens a checkout; never rejects. */
export async function openCheckout(order: CheckoutBody): Promise<Opened> {
  try {
    const { key } = await ask(api.functions["get-stripe-key"].$get());
    if (!key) return refuse(texts.stripeKeyMissing);
    const { data } = await ask(api.stripe["create-checkout-session"].$post({ json: order }));
    if (!data.url) return refuse(texts.checkoutFailed);
    lastCheckout.remember(data.id);
    return { url: data.url };
  } catch (error) {
    return refuse(sentenceFor(error), error instanceof Refused ? error.field : undefined);
  }
}

/** Prefers the shop's or payment provider's own message to the fallback. */
function sentenceFor(error: unknown) {
  if (!(error instanceof Refused)) return texts.purchaseFailed;
  return error.message === texts.unknownError ? texts.checkoutFailed : error.message;
}

const refuse = (problem: string, field?: string) => ({ problem, field });
