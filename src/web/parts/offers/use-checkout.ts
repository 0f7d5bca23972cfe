import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { CheckoutBody } from "@/contract/payments";
import { offersQuery } from "../../api/offers";
import { notify } from "../notices";
import { type Opened, openCheckout } from "./open-checkout";
import { promotionCode } from "./promotion-code";

type Problem = Exclude<Opened, { url: string }>;

/** Takes the browser to the payment provider's page. */
export function useCheckout() {
  const queries = useQueryClient();
  const [opening, setOpening] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => {
    // The browser's Back restores this page as it was left: pending.
    const onShow = (event: PageTransitionEvent) => event.persisted && setOpening(false);
    addEventListener("pageshow", onShow);
    return () => removeEventListener("pageshow", onShow);
  }, []);
  async function open(order: CheckoutBody) {
    if (opening) return;
    setOpening(true);
    setProblem(undefined);
    const code = promotionCode.recall();
    const opened = await openCheckout({ ...order, ...(code ? { code } : {}) });
    if ("url" in opened) return location.assign(opened.url);
    // Without it, the next press buys at the full price, which the payment page shows.
    if (opened.field === "code") promotionCode.forget();
    // It was retired since the page asked what is sold.
    if (opened.field === "offer") void queries.invalidateQueries(offersQuery);
    setProblem(opened);
    notify("error", opened.problem);
    setOpening(false);
  }
  return { open, opening, problem };
}
