import type { Row, Table } from "../../base/store";
import { eventForApi } from "../events";
import { type World, seconds } from "../world";
import { found, invalid } from "./errors";
import { type Form, integer, part, text, texts } from "./form";

/** One API request, with its key checked and its body parsed. */
export type Call = {
  world: World;
  path: string;
  params: Form;
  /** The id in the path, or "". */
  id: string;
};

/** Endpoints are synchronous, so no other request runs in the middle of one. */
export type Endpoint = (call: Call) => object;

export type Route = [
  method: "GET" | "POST" | "DELETE",
  path: string,
  /** The resource for which a restricted key needs a permission: https://docs.stripe.com/keys/restricted-api-keys */
  resource: string,
  endpoint: Endpoint,
];

type Created = { created?: number };
type Listing<R extends Row> = {
  noun: string;
  /** The object in the list for a row; by default the row itself. */
  show?: (row: R) => Created;
  keep: (row: R) => boolean;
  /** Whether Stripe no longer keeps the row, not even as a cursor. */
  gone?: (row: R) => boolean;
};

/** A page of Stripe's lists: newest first, `limit` 1–100, `starting_after`, `ending_before`, `created`. */
export function page<R extends Row & Created>(
  { params, path }: Call,
  rows: Table<R>,
  { noun, keep, show = (row) => row, gone = () => false }: Listing<R>,
) {
  const limit = limitOf(params);
  const cursor = (name: string) => {
    const id = text(params, name);
    const row = id === undefined ? undefined : rows.get(id);
    if (id !== undefined) found(row && !gone(row) ? row : undefined, noun, id, name);
    return id;
  };
  const after = cursor("starting_after");
  const before = cursor("ending_before");
  const inTime = createdFilter(params);
  const ordered = before === undefined ? rows.newest() : rows.all();
  const known = after ?? before;
  const objects = ordered
    .values()
    .drop(known === undefined ? 0 : ordered.findIndex(({ id }) => id === known) + 1)
    .filter((row) => !gone(row) && keep(row))
    .map(show)
    .filter(({ created }) => inTime(created ?? 0))
    .take(limit + 1)
    .toArray();
  const kept = objects.slice(0, limit);
  const data = before === undefined ? kept : kept.toReversed();
  return { object: "list", data, has_more: objects.length > limit, url: path };
}

/** https://docs.stripe.com/api/events: the list goes back thirty days. */
const eventsAreKeptForSeconds = 30 * 86_400;

export function listEvents(call: Call) {
  const type = text(call.params, "type");
  const types = texts(call.params, "types");
  const { ledger, withheld } = call.world;
  const oldest = seconds(call.world) - eventsAreKeptForSeconds;
  return page(call, ledger.events, {
    noun: "event",
    show: (event) => eventForApi(call.world, event),
    gone: (event) => event.created < oldest,
    keep: (event) =>
      !withheld.events.has(event.id) &&
      (type === undefined || event.type === type) &&
      (types.length === 0 || types.includes(event.type)),
  });
}

/** https://docs.stripe.com/api/balance_transactions/list */
export function listBalanceTransactions(call: Call) {
  const { ledger } = call.world;
  const [source, type, payout] = ["source", "type", "payout"].map((name) => text(call.params, name));
  const paid = payout === undefined ? null : found(ledger.payouts.get(payout), "payout", payout, "payout");
  if (paid && !paid.automatic)
    throw invalid("Balance transaction history can only be filtered on automatic transfers, not manual.");
  // until it is reconciled, Stripe may list a part of it
  const items = paid && new Set(paid.reconciliation_status === "completed" ? paid.items : []);
  return page(call, ledger.balanceTransactions, {
    noun: "balance_transaction",
    keep: (one) =>
      (source === undefined || one.source === source) &&
      (type === undefined || one.type === type) &&
      (items === null || items.has(one.id)),
  });
}

type OfPayment = Row & Created & { payment_intent?: string | null };

/** A list of the ledger's objects; `payment_intent` filters by payment. */
export const listOf =
  (table: "intents" | "charges" | "refunds" | "disputes" | "warnings", noun: string): Endpoint =>
  (call) => {
    const rows: Table<OfPayment> = call.world.ledger[table];
    const intent = text(call.params, "payment_intent");
    const keep = (row: OfPayment) => intent === undefined || row.payment_intent === intent;
    return page(call, rows, { noun, keep });
  };

function limitOf(params: Form): number {
  const limit = integer(params, "limit") ?? 10;
  if (limit >= 1 && limit <= 100) return limit;
  throw invalid("This value must be from 1 to 100.", { param: "limit" });
}

/** `created[gte]` and `created[lte]`, in Unix seconds. */
function createdFilter(params: Form): (created: number) => boolean {
  const range = part(params, "created") ?? {};
  const [from, to] = [integer(range, "gte") ?? -Infinity, integer(range, "lte") ?? Infinity];
  const [above, below] = [integer(range, "gt") ?? -Infinity, integer(range, "lt") ?? Infinity];
  return (created) => created >= from && created <= to && created > above && created < below;
}
