import type { Row, Table } from "../../store";
import { emitted } from "../events";
import { type World, idOf, seconds } from "../world";
import { found, invalid } from "./errors";
import { type Form, integer, text, texts } from "./form";

/** One API request, its key checked and its body read. */
export type Call = {
  world: World;
  params: Form;
  /** The id in the path, or "". */
  id: string;
};

/** Endpoints never wait, so no other request runs in the middle of one. */
export type Endpoint = (call: Call) => object;

type Listing<R extends Row, T extends { created?: number }> = {
  url: string;
  noun: string;
  show(row: R): T;
  keep(object: T): boolean;
};

/** Stripe's list: newest first, `limit` 1–100, `starting_after`, `ending_before`, `created`. */
export function page<R extends Row, T extends { created?: number }>(
  { params }: Call,
  rows: Table<R>,
  listing: Listing<R, T>,
) {
  const limit = limitOf(params);
  const after = cursor(params, "starting_after", rows, listing.noun);
  const before = cursor(params, "ending_before", rows, listing.noun);
  const inTime = createdFilter(params);
  const data: T[] = [];
  for (const row of before === undefined ? rows.newest(after) : rows.since(before)) {
    const object = listing.show(row);
    if (inTime(object.created ?? 0) && listing.keep(object)) data.push(object);
    if (data.length > limit) break;
  }
  const has_more = data.length > limit;
  const kept = data.slice(0, limit);
  return {
    object: "list",
    data: before === undefined ? kept : kept.toReversed(),
    has_more,
    url: listing.url,
  };
}

/** https://docs.stripe.com/api/events: the list goes back thirty days. */
const eventsAreKeptForSeconds = 30 * 86_400;

export function listEvents(call: Call) {
  const type = text(call.params, "type");
  const types = texts(call.params, "types");
  const { ledger, withheld } = call.world;
  const oldest = seconds(call.world) - eventsAreKeptForSeconds;
  for (const name of ["starting_after", "ending_before"]) {
    const id = text(call.params, name);
    const event = id === undefined ? undefined : ledger.events.get(id);
    if (id !== undefined) found(event && event.created >= oldest ? event : undefined, "event", id, name);
  }
  return page(call, ledger.events, {
    url: "/v1/events",
    noun: "event",
    show: (event) => emitted(call.world, event),
    keep: (event) =>
      event.created >= oldest &&
      !withheld.events.has(event.id) &&
      (type === undefined || event.type === type) &&
      (types.length === 0 || types.includes(event.type)),
  });
}

export function listPaymentIntents(call: Call) {
  return page(call, call.world.ledger.intents, {
    url: "/v1/payment_intents",
    noun: "payment_intent",
    show: (intent) => intent,
    keep: () => true,
  });
}

export function listCharges(call: Call) {
  return page(call, call.world.ledger.charges, {
    url: "/v1/charges",
    noun: "charge",
    show: (charge) => charge,
    keep: ofPayment(call.params),
  });
}

export function listWarnings(call: Call) {
  return page(call, call.world.ledger.warnings, {
    url: "/v1/radar/early_fraud_warnings",
    noun: "radar.early_fraud_warning",
    show: (warning) => warning,
    keep: ofPayment(call.params),
  });
}

export function listInvoices(call: Call) {
  return page(call, call.world.ledger.invoices, {
    url: "/v1/invoices",
    noun: "invoice",
    show: (invoice) => invoice,
    keep: () => true,
  });
}

type OfPayment = {
  created?: number;
  charge?: string | { id: string } | null;
  payment_intent?: string | { id: string } | null;
};

/** Keeps the objects of the given `charge` and `payment_intent`. */
export function ofPayment(params: Form): (object: OfPayment) => boolean {
  const charge = text(params, "charge");
  const intent = text(params, "payment_intent");
  return (object) =>
    (charge === undefined || idOf(object.charge) === charge) &&
    (intent === undefined || idOf(object.payment_intent) === intent);
}

function limitOf(params: Form): number {
  const limit = integer(params, "limit") ?? 10;
  if (limit >= 1 && limit <= 100) return limit;
  throw invalid(
    `This value must be ${limit < 1 ? "greater than or equal to 1" : "less than or equal to 100"}.`,
    {
      param: "limit",
    },
  );
}

function cursor<R extends Row>(params: Form, name: string, rows: Table<R>, noun: string): string | undefined {
  const id = text(params, name);
  if (id !== undefined) found(rows.get(id), noun, id, name);
  return id;
}

/** `created=n`, or any of `created[gt]`, `[gte]`, `[lt]`, `[lte]`, in Unix seconds. */
function createdFilter(params: Form): (created: number) => boolean {
  const range = params["created"];
  if (range === undefined) return () => true;
  if (typeof range === "string") return (created) => created === integer(params, "created");
  const { gt, gte, lt, lte } = {
    gt: integer(range, "gt") ?? -Infinity,
    gte: integer(range, "gte") ?? -Infinity,
    lt: integer(range, "lt") ?? Infinity,
    lte: integer(range, "lte") ?? Infinity,
  };
  return (created) => created > gt && created >= gte && created < lt && created <= lte;
}
