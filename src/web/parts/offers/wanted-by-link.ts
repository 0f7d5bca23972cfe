import { mostOfOne } from "@/contract/quantity";

/** An order requested by a link: `/?gift` or `/?quantity=3`. */
export type WantedByLink = { gift: boolean; quantity: number };

/** The order that the URL requests, or null. An invalid quantity becomes one. */
export function wantedByLink(search: string): WantedByLink | null {
  const query = new URLSearchParams(search);
  const gift = query.has("gift");
  if (!gift && !query.has("quantity")) return null;
  const quantity = Number(query.get("quantity"));
  const possible = Number.isInteger(quantity) && quantity >= 1 && quantity <= mostOfOne;
  return { gift, quantity: possible && !gift ? quantity : 1 };
}
