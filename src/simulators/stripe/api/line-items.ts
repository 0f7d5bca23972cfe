import type Stripe from "stripe";
import { type World, seconds } from "../world";
import { invalid } from "./errors";
import { type Form, integer, metadata, part, required, text } from "./form";

/** One line of `line_items[n][price_data]`; the simulator has no stored prices. */
export function lineItem(world: World, item: string | Form, index: number): Stripe.LineItem {
  const at = `line_items[${index}]`;
  const data = typeof item === "string" ? undefined : part(item, "price_data");
  if (typeof item === "string" || data === undefined)
    throw invalid(`The simulator needs ${at}[price_data].`, { param: `${at}[price_data]` });
  const price = priceOf(world, data);
  const quantity = integer(item, "quantity") ?? 1;
  const total = (price.unit_amount ?? 0) * quantity;
  return {
    id: world.ids.next("li_1"),
    object: "item",
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: total,
    amount_tax: 0,
    amount_total: total,
    currency: price.currency,
    description: productName(data),
    metadata: {},
    price,
    quantity,
  };
}

function priceOf(world: World, data: Form): Stripe.Price {
  const amount = integer(data, "unit_amount");
  if (amount === undefined || amount < 0)
    throw invalid("You must specify a non-negative `unit_amount` in `price_data`.", { param: "unit_amount" });
  return {
    id: world.ids.next("price_1"),
    object: "price",
    active: false,
    billing_scheme: "per_unit",
    created: seconds(world),
    currency: currencyOf(data),
    custom_unit_amount: null,
    livemode: false,
    lookup_key: null,
    metadata: metadata(data),
    nickname: null,
    product: text(data, "product") ?? world.ids.next("prod_", 14),
    recurring: null,
    tax_behavior: "unspecified",
    tiers_mode: null,
    transform_quantity: null,
    type: "one_time",
    unit_amount: amount,
    unit_amount_decimal: null,
  };
}

function currencyOf(data: Form): string {
  const currency = required(data, "currency").toLowerCase();
  if (/^[a-z]{3}$/.test(currency)) return currency;
  throw invalid(`Invalid currency: ${currency}.`, { param: "currency" });
}

function productName(data: Form): string {
  const product = part(data, "product_data");
  return product ? required(product, "name") : required(data, "product");
}
