import { expect, test } from "bun:test";
import type { Offer } from "@/contract/wire/offers";
import { withShop } from "@/serving/page-offers";
import { firstPricePlace } from "@/web/page/currency";
import { firstOffer, furtherOffer, offersPlaceholder } from "@/web/page/offers";

const rowOf = ({ id, name, amount }: Offer) => `<label id="${id}">${name} %price-${amount}%</label>`;
const page = `<html data-offers="${offersPlaceholder}"><b>${firstPricePlace}</b>${rowOf(firstOffer)}${rowOf(furtherOffer)}<i>%charge-987654322%</i><a href="%origin-comes-here%">`;
const shop = { origin: "https://shop.example", currency: "usd" };
const offer = (name: string, amount: number): Offer => ({
  id: "one",
  name,
  amount,
  currency: "usd",
  days: null,
  devices: 1,
  level: { id: "premium", name: "Wisp Premium" },
  includes: [],
  features: [],
  recurring: null,
});

test.each(["%price-9%", firstPricePlace, offersPlaceholder, "%offer-name%", "%first-act(x)%", "$& $1 <b>"])(
  "an offer called %j is shown by that name in a page, and handed to its scripts",
  (name) => {
    const offers = [offer(name, 2900), offer(`Other ${name}`, 1950)];
    const html = withShop(page, { ...shop, offers });
    const shown = Bun.escapeHTML(name);
    expect(html).toBe(
      `<html data-offers="${Bun.escapeHTML(JSON.stringify(offers))}"><b>From $19.50</b><label id="one">${shown} $29</label><label id="one">Other ${shown} $19.50</label><i>$29.00</i><a href="https://shop.example">`,
    );
  },
);
