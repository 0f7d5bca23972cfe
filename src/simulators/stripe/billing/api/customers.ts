import { found } from "../../api/errors";
import { merged, onlyKnown, text } from "../../api/form";
import { type Call, page } from "../../api/lists";
import { changeCustomer, customerOf, customerJson, customerOrDeletedJson } from "../customers";
import { emit } from "../../events";
import type { World } from "../../world";
import { cancelled } from "../collect";
import { isOver } from "../subscription";
import { worldForCustomer } from "../time";

export const getCustomer = ({ world, id }: Call) =>
  customerOrDeletedJson(found(world.ledger.customers.get(id), "customer", id));

/** https://docs.stripe.com/api/customers/update */
export function updateCustomer({ world, id, params }: Call) {
  onlyKnown(params, ["email", "metadata"]);
  const held = found(customerOf(world, id), "customer", id);
  const changed = changeCustomer(worldForCustomer(world, id), held, {
    email: "email" in params ? (text(params, "email") ?? null) : held.email,
    metadata: merged(held.metadata, params),
  });
  return customerJson(changed);
}

export function listCustomers(call: Call) {
  return page(call, call.world.ledger.customers, {
    noun: "customer",
    show: (row) => (row.deleted ? {} : customerJson(row)),
    gone: (row) => row.deleted === true,
    keep: (row) => !row.deleted && row.livemode === call.world.live,
  });
}

/** https://docs.stripe.com/api/payment_methods/list */
export const listMethods = (call: Call) =>
  page(call, call.world.ledger.methods, { noun: "PaymentMethod", keep: (one) => one.customer !== null });

/** https://docs.stripe.com/api/customers/delete: ends the customer's subscriptions at once. */
export function deleteCustomer(world: World, id: string) {
  const held = found(customerOf(world, id), "customer", id);
  for (const one of world.ledger.subscriptions.group(id))
    if (!isOver(one)) cancelled(world, one, "cancellation_requested");
  const gone = world.ledger.put("customers", { id, object: "customer", deleted: true });
  emit(world, "customer.deleted", customerJson(held));
  return gone;
}
