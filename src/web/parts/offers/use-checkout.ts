import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { CheckoutBody } from "@/contract/wire/payments";
import { texts } from "@/contract/vocabulary/texts";
import { api, ask, Refused } from "../../api/client";
import { offersQuery } from "../../api/offers";
import { lastCheckout } from "../../api/payments";
import { notify } from "../../page/notices";
import { keepOrderInHistory } from "./order-in-history";
import { promotionCode } from "./promotion-code";

/** Why no checkout opened, the wrong field, and when to try again. */
type Problem = { problem: string; field?: string | undefined; retryAt?: number | undefined };

/** Sends the browser to the payment provider's page. */
export function useCheckout() {
  const queries = useQueryClient();
  const [opening, setOpening] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => {
    // the browser's Back restores this page in its pending state
    const onShow = (event: PageTransitionEvent) => event.persisted && setOpening(false);
    addEventListener("pageshow", onShow);
    return () => removeEventListener("pageshow", onShow);
  }, []);
  /** Resolves to why it did not open. A refused promotion code is removed, so that the next press buys without it. */
  async function open(order: CheckoutBody, code = promotionCode.recall()): Promise<Problem | undefined> {
    if (opening) return undefined;
    setOpening(true);
    setProblem(undefined);
    const opened = await openCheckout({ ...order, ...(code ? { code } : {}) });
    if ("url" in opened) {
      keepOrderInHistory(order);
      location.assign(opened.url);
      return undefined;
    }
    if (opened.field === "code") {
      promotionCode.forget();
      opened.problem = `${code} was removed. ${opened.problem}`;
    }
    // the offer was retired after this page loaded
    if (opened.field === "offer") void queries.invalidateQueries(offersQuery);
    setProblem(opened);
    if (opened.field === undefined && opened.retryAt === undefined) notify("error", opened.problem);
    setOpening(false);
    return opened;
  }
  return { open, opening, problem };
}

async function openCheckout(order: CheckoutBody): Promise<{ url: string } | Problem> {
  try {
    // Stripe's page needs no key: stop only where the shop answers that it has none
    const answer = await ask(api.functions["get-stripe-key"].$get()).catch(() => null);
    if (answer && !answer.key) return { problem: texts.stripeKeyMissing };
    const { data } = await ask(api.stripe["create-checkout-session"].$post({ json: order }));
    if (!data.url) return { problem: texts.checkoutFailed };
    lastCheckout.remember(data.id);
    return { url: data.url };
  } catch (error) {
    if (!(error instanceof Refused)) return { problem: texts.purchaseFailed };
    const { field, retryAt, message } = error;
    // the shop's or the payment provider's own sentence, if any
    return { problem: message === texts.unknownError ? texts.checkoutFailed : message, field, retryAt };
  }
}
