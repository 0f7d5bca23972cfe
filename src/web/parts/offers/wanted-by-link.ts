import { maxKeysPerOrder } from "@/contract/vocabulary/bounds";
import { orderInHistory } from "./order-in-history";

/** An order requested by a link, `/?gift` or `/?quantity=3`, or with which the visitor left for Stripe's page. */
export type WantedByLink = { gift: boolean; quantity: number };

/** The order that the visitor left with, or else that the URL requests; null without one. An invalid quantity becomes one. */
export function wantedByLink(search: string): WantedByLink | null {
  const left = orderInHistory();
  if (left?.gift || left?.quantity) return { gift: !!left.gift, quantity: left.quantity ?? 1 };
  const query = new URLSearchParams(search);
  const gift = query.has("gift");
  if (!gift && !query.has("quantity")) return null;
  const quantity = Number(query.get("quantity"));
  const possible = Number.isInteger(quantity) && quantity >= 1 && quantity <= maxKeysPerOrder;
  return { gift, quantity: possible && !gift ? quantity : 1 };
}

/** The id of the offer that a link opens, `/?offer=team`; null without one. */
export const offerByLink = (search: string): string | null =>
  new URLSearchParams(search).get("offer")?.slice(0, 64) || null;
