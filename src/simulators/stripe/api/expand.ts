import type { World } from "../world";
import { seenCoupon } from "../money/totals";
import { invalid } from "./errors";
import { type Form, texts } from "./form";

type Json = Record<string, unknown>;

/** Replaces ids with objects, as `expand[]` asks: https://docs.stripe.com/api/expanding_objects. */
export function expand(world: World, answer: object, params: Form): object {
  const paths = texts(params, "expand").map((path) => path.split("."));
  if (paths.length === 0) return answer;
  const copy: Json = { ...structuredClone(answer) };
  for (const path of paths) expandPath(world, copy, path);
  return copy;
}

function expandPath(world: World, object: Json, path: string[]) {
  const [name, ...rest] = path;
  if (name === undefined) return;
  if (name === "data" && Array.isArray(object["data"])) {
    for (const item of object["data"]) if (isJson(item)) expandPath(world, item, rest);
    return;
  }
  const value = shownOnRequest(world, object, name) ?? object[name];
  if (value === undefined) throw notExpandable(name);
  const next = typeof value === "string" ? lookUp(world, value, name) : value;
  object[name] = next;
  if (isJson(next)) expandPath(world, next, rest);
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null;
}

/** The fields that Stripe returns only when expanded. */
function shownOnRequest(world: World, object: Json, name: string): object | undefined {
  if (name === "line_items") return lineItems(world, object);
  if (object["object"] !== "coupon" || (name !== "applies_to" && name !== "currency_options"))
    return undefined;
  return structuredClone(world.ledger.coupons.get(String(object["id"]))?.[name]) ?? {};
}

function lineItems(world: World, { id }: Json): object | undefined {
  const checkout = world.ledger.checkouts.get(String(id));
  return checkout && { object: "list", data: structuredClone(checkout.lineItems), has_more: false };
}

function lookUp(world: World, id: string, name: string): object {
  const { intents, charges, invoices, coupons } = world.ledger;
  const coupon = coupons.get(id);
  const row = intents.get(id) ?? charges.get(id) ?? invoices.get(id) ?? (coupon && seenCoupon(coupon));
  if (row === undefined) throw notExpandable(name);
  return structuredClone(row);
}

function notExpandable(name: string) {
  return invalid(`This property cannot be expanded (${name}).`, { param: "expand" });
}
