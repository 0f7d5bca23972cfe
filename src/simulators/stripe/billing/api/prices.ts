import { found, invalid } from "../../api/errors";
import {
  amountOf,
  currencyIn,
  type Form,
  integer,
  onlyKnown,
  part,
  required,
  strings,
  text,
  texts,
} from "../../api/form";
import { type Call, page } from "../../api/lists";
import { type World, seconds } from "../../world";
import type { Price } from "../rows";
import { intervals } from "../time";
import { newProduct, productOf } from "./products";

/** https://docs.stripe.com/api/prices/create */
export function createPrice({ world, params }: Call): Price {
  onlyKnown(params, [
    "currency",
    "lookup_key",
    "metadata",
    "product",
    "product_data",
    "recurring",
    "transfer_lookup_key",
    "unit_amount",
  ]);
  const { product, product_data: data } = params;
  if ((product === undefined) === (data === undefined))
    throw invalid("You must specify either `product` or `product_data` when creating a price.");
  const price = { ...priceIn(world, params), product: productIn(world, params) };
  return world.ledger.put("prices", { ...price, ...lookupKeyOf(world, params) });
}

function productIn(world: World, params: Form): string {
  const data = part(params, "product_data");
  return data ? newProduct(world, data).id : productOf(world, required(params, "product")).id;
}

/** A price without its product. */
function priceIn(world: World, params: Form): Price {
  const currency = currencyIn(params);
  const unit_amount = amountOf(params, "unit_amount", currency);
  if (unit_amount === undefined)
    throw invalid("Missing required param: unit_amount.", {
      code: "parameter_missing",
      param: "unit_amount",
    });
  const recurring = recurringIn(part(params, "recurring"));
  return {
    id: world.ids.next("price_1"),
    object: "price",
    active: true,
    billing_scheme: "per_unit",
    created: seconds(world),
    currency,
    livemode: world.live,
    lookup_key: null,
    metadata: strings(params, "metadata"),
    product: "",
    recurring,
    tax_behavior: "unspecified",
    type: recurring === null ? "one_time" : "recurring",
    unit_amount,
  };
}

function recurringIn(params: Form | undefined): Price["recurring"] {
  if (params === undefined) return null;
  const asked = required(params, "interval");
  const interval = intervals.find((one) => one === asked);
  if (interval === undefined)
    throw invalid(`Invalid recurring[interval]: must be one of ${intervals.join(", ")}`, {
      param: "recurring[interval]",
    });
  if ((integer(params, "interval_count") ?? 1) !== 1)
    throw invalid("The simulator's prices have the interval_count 1.", {
      param: "recurring[interval_count]",
    });
  return {
    interval,
    interval_count: 1,
    meter: null,
    trial_period_days: null,
    usage_type: "licensed",
  };
}

/** The lookup key of a price, taken from the price that has it if the call says so. */
function lookupKeyOf(world: World, params: Form): Pick<Price, "lookup_key"> {
  const key = text(params, "lookup_key") ?? null;
  if (key === null) return { lookup_key: null };
  const holder = world.ledger.prices
    .all()
    .find((price) => price.lookup_key === key && price.livemode === world.live);
  if (holder && text(params, "transfer_lookup_key") !== "true")
    throw invalid(
      `A price (\`${holder.id}\`) already uses that lookup key. Pass \`transfer_lookup_key=true\` to transfer it.`,
      { param: "lookup_key" },
    );
  if (holder) world.ledger.put("prices", { ...holder, lookup_key: null });
  return { lookup_key: key };
}

export const priceOf = (world: World, id: string, param = "price"): Price =>
  found(world.ledger.prices.get(id), "price", id, param);

export function updatePrice({ world, id, params }: Call): Price {
  onlyKnown(params, ["active", "lookup_key"]);
  const held = priceOf(world, id);
  const active = text(params, "active");
  return world.ledger.put("prices", {
    ...held,
    active: active === undefined ? held.active : active === "true",
    lookup_key: text(params, "lookup_key") ?? held.lookup_key,
  });
}

export function listPrices(call: Call) {
  const { params } = call;
  const active = text(params, "active");
  const keys = texts(params, "lookup_keys");
  if (keys.length > 10) throw invalid("You may only specify up to 10 lookup keys.", { param: "lookup_keys" });
  return page(call, call.world.ledger.prices, {
    noun: "price",
    keep: (price) =>
      price.livemode === call.world.live &&
      (active === undefined || String(price.active) === active) &&
      (keys.length === 0 || keys.includes(price.lookup_key ?? "")),
  });
}
