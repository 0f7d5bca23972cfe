import type { Row, Table } from "../../store";
import { emitted } from "../events";
import { type World, idOf, seconds } from "../world";
import { found, invalid } from "./errors";
import { type Form, integer, part, text, texts } from "./form";

/** One API request, its key checked and its body read. */
export type Call = {
  world: World;
  path: string;
  params: Form;
  /** The id in the path, or "". */
  id: string;
};

/** Endpoints never wait, so no other request runs in the middle of one. */
export type Endpoint = (call: Call) => object;

type Created = { created?: number };
type Listing<R extends Row> = {
  noun: string;
  /** The object of a row; without it, the row itself. */
  show?: (row: R) => Created;
  keep: (row: R) => boolean;
};

/** Stripe's list: newest first, `limit` 1–100, `starting_after`, `ending_before`, `created`. */
export function page<R extends Row & Created>(
  { params, path }: Call,
  rows: Table<R>,
  { noun, keep, show = (row) => row }: Listing<R>,
) {
  const limit = limitOf(params);
  const after = cursor(params, "starting_after", rows, noun);
  const before = cursor(params, "ending_before", rows, noun);
  const inTime = createdFilter(params);
  const objects: Created[] = [];
  for (const row of before === undefined ? rows.newest(after) : rows.since(before)) {
    if (!keep(row)) continue;
    const object = show(row);
    if (inTime(object.created ?? 0)) objects.push(object);
    if (objects.length > limit) break;
  }
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
  for (const name of ["starting_after", "ending_before"]) {
    const id = text(call.params, name);
    const event = id === undefined ? undefined : ledger.events.get(id);
    if (id !== undefined) found(event && event.created >= oldest ? event : undefined, "event", id, name);
  }
  return page(call, ledger.events, {
    noun: "event",
    show: (event) => emitted(call.world, event),
    keep: (event) =>
      event.created >= oldest &&
      !withheld.events.has(event.id) &&
      (type === undefined || event.type === type) &&
      (types.length === 0 || types.includes(event.type)),
  });
}

type Reference = string | { id: string } | null;
type OfPayment = Row & Created & { payment_intent?: Reference };

/** A list of objects as the ledger has them; `payment_intent` picks those of one payment. */
export const listOf =
  (table: "intents" | "charges" | "refunds" | "disputes" | "warnings" | "invoices", noun: string): Endpoint =>
  (call) => {
    const rows: Table<OfPayment> = call.world.ledger[table];
    const intent = text(call.params, "payment_intent");
    const keep = (row: OfPayment) => intent === undefined || idOf(row.payment_intent) === intent;
    return page(call, rows, { noun, keep });
  };

function limitOf(params: Form): number {
  const limit = integer(params, "limit") ?? 10;
  if (limit >= 1 && limit <= 100) return limit;
  const rule = limit < 1 ? "greater than or equal to 1" : "less than or equal to 100";
  throw invalid(`This value must be ${rule}.`, { param: "limit" });
}

function cursor<R extends Row>(params: Form, name: string, rows: Table<R>, noun: string): string | undefined {
  const id = text(params, name);
  if (id !== undefined) found(rows.get(id), noun, id, name);
  return id;
}

/** Any of `created[gt]`, `[gte]`, `[lt]`, `[lte]`, in Unix seconds. */
function createdFilter(params: Form): (created: number) => boolean {
  const range = part(params, "created") ?? {};
  const { gt, gte, lt, lte } = {
    gt: integer(range, "gt") ?? -Infinity,
    gte: integer(range, "gte") ?? -Infinity,
    lt: integer(range, "lt") ?? Infinity,
    lte: integer(range, "lte") ?? Infinity,
  };
  return (created) => created > gt && created >= gte && created < lt && created <= lte;
}
