import { found } from "../../api/errors";
import { type Form, merged, onlyKnown, required, strings, text, texts } from "../../api/form";
import { type Call, page } from "../../api/lists";
import { type World, seconds } from "../../world";
import type { Product } from "../rows";

const accepted = ["active", "description", "metadata", "name", "tax_code"];

/** https://docs.stripe.com/api/products/create */
export function createProduct({ world, params }: Call): Product {
  onlyKnown(params, accepted);
  return newProduct(world, params);
}

/** A product as `products.create`, `product_data` of a price, or `product_data` of a checkout describes it. */
export function newProduct(world: World, params: Form, active = true): Product {
  return world.ledger.put("products", {
    id: world.ids.next("prod_", 14),
    object: "product",
    active: active && text(params, "active") !== "false",
    created: seconds(world),
    default_price: null,
    description: text(params, "description") ?? null,
    livemode: world.live,
    metadata: strings(params, "metadata"),
    name: required(params, "name"),
    tax_code: text(params, "tax_code") ?? null,
    type: "service",
    updated: seconds(world),
  });
}

export const productOf = (world: World, id: string, param = "product"): Product =>
  found(world.ledger.products.get(id), "product", id, param);

export const getProduct = ({ world, id }: Call): Product => productOf(world, id, "id");

export function updateProduct({ world, id, params }: Call): Product {
  onlyKnown(params, accepted);
  const held = productOf(world, id, "id");
  const active = text(params, "active");
  return world.ledger.put("products", {
    ...held,
    active: active === undefined ? held.active : active === "true",
    description: "description" in params ? (text(params, "description") ?? null) : held.description,
    metadata: merged(held.metadata, params),
    name: text(params, "name") ?? held.name,
    updated: seconds(world),
  });
}

export function listProducts(call: Call) {
  const active = text(call.params, "active");
  const ids = texts(call.params, "ids");
  return page(call, call.world.ledger.products, {
    noun: "product",
    keep: (one) =>
      one.livemode === call.world.live &&
      (active === undefined || String(one.active) === active) &&
      (ids.length === 0 || ids.includes(one.id)),
  });
}
