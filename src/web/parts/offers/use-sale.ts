import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import type { Offer } from "@/contract/wire/offers";
import type { CheckoutBody } from "@/contract/wire/payments";
import { Refused } from "../../api/client";
import { codeQuery } from "../../api/promotion-codes";
import { usePromotionCode } from "./promotion-code";
import { useCheckout } from "./use-checkout";

export type Sale = ReturnType<typeof useSale>;

/**
 * An offer with the promotion code in use, and the way to its checkout.
 * @param quantity how many keys; null while that is no number
 * @param settled the same once it is typed, because the shop is asked about each
 */
export function useSale(offer: Offer, quantity: number | null = 1, settled = quantity) {
  const code = useCode(offer, settled === quantity ? quantity : null);
  const checkout = useCheckout();
  const field = useRef<HTMLInputElement>(null);
  /** A code that was typed and not applied counts as well. */
  const open = async (order: Pick<CheckoutBody, "gift" | "quantity"> = {}) => {
    const typed = field.current?.closest("details")?.open ? field.current.value.trim() : "";
    const refused = await checkout.open(
      { currency: offer.currency, offer: offer.id, ...order },
      typed || (code.refused === undefined ? code.text : null),
    );
    if (refused?.field === "code" && field.current) field.current.value = "";
  };
  return { offer, quantity, code, field, opening: checkout.opening, problem: checkout.problem, open };
}

/** The code in use, and what the shop says that it does to this order, or why it does nothing. */
function useCode(offer: Offer, quantity: number | null) {
  const text = usePromotionCode();
  const known = text !== null && quantity !== null;
  const { data, error, isFetching } = useQuery({
    ...codeQuery(offer.id, text ?? "", quantity ?? 1),
    enabled: known,
  });
  return {
    text,
    asking: isFetching,
    checked: known ? data : undefined,
    refused: known && isAboutCode(error) ? error.message : undefined,
  };
}

export const isAboutCode = (error: unknown): error is Refused =>
  error instanceof Refused && error.field === "code";
