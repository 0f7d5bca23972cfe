import type { World } from "../world";
import { customerOf, customerOrDeletedJson } from "../billing/customers";
import { scheduleJson } from "../billing/schedule";
import { couponJson } from "../money/totals";
import { listOf } from "../part";
import { invalid } from "./errors";
import { type Form, texts } from "./form";

type Json = Record<string, unknown>;

const deepest = 4;

/** Replaces ids with objects, as `expand[]` asks: https://docs.stripe.com/api/expanding_objects. */
export function expand(world: World, answer: object, params: Form): object {
  const paths = texts(params, "expand").map((path) => path.split("."));
  if (paths.length === 0) return answer;
  const tooDeep = paths.find((path) => path.length > deepest);
  if (tooDeep)
    throw invalid(
      `You cannot expand more than ${deepest} levels of a property. Property: ${tooDeep.join(".")}`,
      { code: "property_expansion_max_depth" },
    );
  const copy: Json = { ...structuredClone(answer) };
  for (const path of paths) expandPath(world, copy, path);
  return copy;
}

function expandPath(world: World, object: Json, path: string[]) {
  const [name, ...rest] = path;
  if (name === undefined) return;
  const value = shownOnRequest(world, object, name) ?? object[name];
  // what another kind of payment has
  if (value === undefined && object["type"] === "payment_record") return;
  if (value === undefined) throw notExpandable(name);
  const found = (one: unknown) => (typeof one === "string" ? lookUp(world, one, name) : one);
  const next = Array.isArray(value) ? value.map(found) : found(value);
  object[name] = next;
  for (const one of Array.isArray(next) ? next : [next]) if (isJson(one)) expandPath(world, one, rest);
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null;
}

/** The fields that Stripe returns only when expanded. */
function shownOnRequest(world: World, object: Json, name: string): object | undefined {
  if (name === "line_items") return lineItems(world, object);
  if (object["object"] === "invoice" && name === "payments") return payments(world, object);
  if (object["object"] === "customer" && name === "tax_ids") return taxIds(world, object);
  if (object["object"] !== "coupon" || (name !== "applies_to" && name !== "currency_options"))
    return undefined;
  return structuredClone(world.ledger.coupons.get(String(object["id"]))?.[name]) ?? {};
}

function lineItems(world: World, { id }: Json): object | undefined {
  const checkout = world.ledger.checkouts.get(String(id));
  return checkout && { object: "list", data: structuredClone(checkout.lineItems), has_more: false };
}

function payments(world: World, { id }: Json): object {
  return listOf("/v1/invoice_payments", structuredClone(world.ledger.invoicePayments.group(String(id))));
}

function taxIds(world: World, { id }: Json): object {
  const held = customerOf(world, String(id))?.taxIds ?? [];
  return listOf(`/v1/customers/${String(id)}/tax_ids`, structuredClone(held));
}

function lookUp(world: World, id: string, name: string): object {
  const row = rowOf(world, id);
  if (row === undefined) throw notExpandable(name);
  return structuredClone(row);
}

/** Tables whose rows are shown as they are. */
const plain = [
  "intents",
  "charges",
  "invoices",
  "products",
  "prices",
  "methods",
  "subscriptions",
  "discounts",
  "promotionCodes",
  "clocks",
] as const;

function rowOf({ ledger }: World, id: string): object | undefined {
  const [coupon, customer, schedule] = [
    ledger.coupons.get(id),
    ledger.customers.get(id),
    ledger.schedules.get(id),
  ];
  if (coupon) return couponJson(coupon);
  if (customer) return customerOrDeletedJson(customer);
  if (schedule) return scheduleJson(schedule);
  for (const table of plain) {
    const row = ledger[table].get(id);
    if (row) return row;
  }
  return undefined;
}

function notExpandable(name: string) {
  return invalid(`This property cannot be expanded (${name}).`, { param: "expand" });
}
