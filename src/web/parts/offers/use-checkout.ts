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

/** Why no checkout opened, and the wrong field. `forOne`: the promotion code is valid only for a single key. */
type Problem = { problem: string; field: string | undefined; forOne?: boolean };

/**
 * Sends the browser to the payment provider's page.
 * @param codeInField whether a refused promotion code is in its field, where it can be corrected; elsewhere the next
 * press buys without it
 */
export function useCheckout({ codeInField = false } = {}) {
  const queries = useQueryClient();
  const [opening, setOpening] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [codeForOne, setCodeForOne] = useState<string>();
  useEffect(() => {
    // the browser's Back restores this page in its pending state
    const onShow = (event: PageTransitionEvent) => event.persisted && setOpening(false);
    addEventListener("pageshow", onShow);
    return () => removeEventListener("pageshow", onShow);
  }, []);
  async function open(order: CheckoutBody) {
    if (opening) return;
    setOpening(true);
    setProblem(undefined);
    const known = promotionCode.take(codeInField);
    const code = known === codeForOne && (order.quantity ?? 1) > 1 ? null : known;
    const opened = await openCheckout({ ...order, ...(code ? { code } : {}) });
    if ("url" in opened) {
      keepOrderInHistory(order);
      return location.assign(opened.url);
    }
    // the next press buys without the code; the payment page shows the full price
    if (opened.forOne) setCodeForOne(code ?? undefined);
    else if (opened.field === "code") promotionCode.refuse({ code: code ?? "", sentence: opened.problem });
    // the offer was retired after this page loaded
    if (opened.field === "offer") void queries.invalidateQueries(offersQuery);
    setProblem(opened);
    notify("error", opened.problem);
    setOpening(false);
  }
  return { open, opening, problem, codeForOne };
}

async function openCheckout(order: CheckoutBody): Promise<{ url: string } | Problem> {
  try {
    // Stripe's page needs no key: stop only where the shop answers that it has none
    const answer = await ask(api.functions["get-stripe-key"].$get()).catch(() => null);
    if (answer && !answer.key) return { problem: texts.stripeKeyMissing, field: undefined };
    const { data } = await ask(api.stripe["create-checkout-session"].$post({ json: order }));
    if (!data.url) return { problem: texts.checkoutFailed, field: undefined };
    lastCheckout.remember(data.id);
    return { url: data.url };
  } catch (error) {
    const { field, code } = error instanceof Refused ? error : {};
    return { problem: sentenceFor(error), field, forOne: code === "code_for_one" };
  }
}

/** The shop's or the payment provider's own message, if any. */
function sentenceFor(error: unknown) {
  if (!(error instanceof Refused)) return texts.purchaseFailed;
  return error.message === texts.unknownError ? texts.checkoutFailed : error.message;
}
