import { isDeepStrictEqual } from "node:util";
import { emit } from "../events";
import { type World, seconds } from "../world";
import type { Customer, DeletedCustomer } from "./rows";

type Given = Partial<Pick<Customer, "address" | "description" | "email" | "metadata" | "name" | "taxIds">>;

/** A new customer, as a checkout makes one. */
export function newCustomer(world: World, given: Given): Customer {
  const customer: Customer = {
    id: world.ids.next("cus_", 14),
    object: "customer",
    address: given.address ?? null,
    balance: 0,
    created: seconds(world),
    currency: null,
    default_source: null,
    delinquent: false,
    description: given.description ?? null,
    email: given.email ?? null,
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: world.live,
    metadata: given.metadata ?? {},
    name: given.name ?? null,
    tax_exempt: "none",
    taxIds: given.taxIds ?? [],
    test_clock: null,
  };
  world.ledger.put("customers", customer);
  emit(world, "customer.created", customerJson(customer));
  return customer;
}

/** A customer as Stripe shows it. */
export function customerJson({ taxIds: _taxIds, ...seen }: Customer) {
  return seen;
}

export const customerOrDeletedJson = (row: Customer | DeletedCustomer) =>
  row.deleted ? row : customerJson(row);

/** A customer that was not deleted. */
export function customerOf(world: World, id: string): Customer | undefined {
  const row = world.ledger.customers.get(id);
  return row?.deleted ? undefined : row;
}

/** Updates a customer; emits its event if anything changed. */
export function changeCustomer(world: World, before: Customer, change: Partial<Customer>): Customer {
  const after = { ...before, ...change };
  if (isDeepStrictEqual(after, before)) return before;
  world.ledger.put("customers", after);
  emit(world, "customer.updated", customerJson(after), customerJson(before));
  return after;
}
