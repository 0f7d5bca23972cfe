import { found } from "../../api/errors";
import { type Form, onlyKnown, required, strings, text } from "../../api/form";
import type { Call } from "../../api/lists";
import { type World, seconds } from "../../world";
import type { Product } from "../rows";

/** A product from the `product_data` of a price. */
export function newProduct(world: World, params: Form): Product {
  return world.ledger.put("products", {
    id: world.ids.next("prod_", 14),
    object: "product",
    active: text(params, "active") !== "false",
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

/** https://docs.stripe.com/api/products/update */
export function updateProduct({ world, id, params }: Call): Product {
  onlyKnown(params, ["active"]);
  return world.ledger.put("products", {
    ...productOf(world, id),
    active: text(params, "active") !== "false",
  });
}

export const productOf = (world: World, id: string, param = "product"): Product =>
  found(world.ledger.products.get(id), "product", id, param);
