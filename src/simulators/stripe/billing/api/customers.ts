import { found } from "../../api/errors";
import { integer, merged, onlyKnown, part, strings, text } from "../../api/form";
import { type Call, page } from "../../api/lists";
import { changeCustomer, customerOf, newCustomer, seenCustomer, seenOrDeleted } from "../customers";
import { emit } from "../../events";
import type { World } from "../../world";
import { cancelled } from "../collect";
import { isOver } from "../subscription";
import { worldOf } from "../time";

/** https://docs.stripe.com/api/customers/create */
export function createCustomer({ world, params }: Call) {
  onlyKnown(params, ["description", "email", "metadata", "name", "test_clock"]);
  const [email, name, description, clock] = ["email", "name", "description", "test_clock"].map(
    (one) => text(params, one) ?? null,
  );
  if (clock) found(world.ledger.clocks.get(clock), "test_clock", clock, "test_clock");
  const made = newCustomer(world, { email, name, description, metadata: strings(params, "metadata") });
  const timed = { ...made, test_clock: clock ?? null };
  world.ledger.put("customers", timed);
  return seenCustomer(timed);
}

export const getCustomer = ({ world, id }: Call) =>
  seenOrDeleted(found(world.ledger.customers.get(id), "customer", id));

/** https://docs.stripe.com/api/customers/update */
export function updateCustomer({ world, id, params }: Call) {
  onlyKnown(params, ["balance", "description", "email", "invoice_settings", "metadata", "name"]);
  const held = found(customerOf(world, id), "customer", id);
  const settings = part(params, "invoice_settings") ?? {};
  const method = text(settings, "default_payment_method");
  if (method !== undefined) found(world.ledger.methods.get(method), "PaymentMethod", method);
  const changed = changeCustomer(worldOf(world, id), held, {
    balance: integer(params, "balance") ?? held.balance,
    description: text(params, "description") ?? held.description ?? null,
    email: "email" in params ? (text(params, "email") ?? null) : held.email,
    invoice_settings: {
      ...held.invoice_settings,
      ...("default_payment_method" in settings && { default_payment_method: method ?? null }),
    },
    metadata: merged(held.metadata, params),
    name: "name" in params ? (text(params, "name") ?? null) : (held.name ?? null),
  });
  return seenCustomer(changed);
}

export function listCustomers(call: Call) {
  const email = text(call.params, "email");
  return page(call, call.world.ledger.customers, {
    noun: "customer",
    show: (row) => (row.deleted ? {} : seenCustomer(row)),
    gone: (row) => row.deleted === true,
    keep: (row) =>
      !row.deleted && row.livemode === call.world.live && (email === undefined || row.email === email),
  });
}

export const getMethod = ({ world, id }: Call) => found(world.ledger.methods.get(id), "PaymentMethod", id);

/** https://docs.stripe.com/api/payment_methods/list */
export function listMethods(call: Call) {
  const [customer, type] = ["customer", "type"].map((name) => text(call.params, name));
  const holder = call.path.startsWith("/v1/customers/") ? call.id : customer;
  return page(call, call.world.ledger.methods, {
    noun: "PaymentMethod",
    keep: (one) =>
      one.customer !== null &&
      (holder === undefined || one.customer === holder) &&
      (type === undefined || one.type === type),
  });
}

/** https://docs.stripe.com/api/customers/delete: ends the customer's subscriptions at once. */
export function deleteCustomer(world: World, id: string) {
  const held = found(customerOf(world, id), "customer", id);
  for (const one of world.ledger.subscriptions.group(id))
    if (!isOver(one)) cancelled(world, one, "cancellation_requested");
  const gone = world.ledger.put("customers", { id, object: "customer", deleted: true });
  emit(world, "customer.deleted", seenCustomer(held));
  return gone;
}

export const removeCustomer = ({ world, id }: Call) => deleteCustomer(worldOf(world, id), id);
