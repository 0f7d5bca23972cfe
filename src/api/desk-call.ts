import { cursorOf, placeOf } from "@/contract/wire/pages";
import type { Place } from "@/core/database/pages";
import type { Operation } from "@/domain/permissions";
import { needsDesk } from "./answers";
import { deskOnly } from "./desk-guards";
import type { Shop } from "./shop";

/** What every call of the desk declares: who may make it, and that it is described under `desk`. */
export const deskCall = (shop: Shop, operation: Operation) => ({
  tags: ["desk"],
  security: needsDesk,
  middleware: deskOnly(shop, operation),
});

/** For the description of a call. */
export const needsCode = "Needs a fresh code (`confirm`).";

export type PageAsked = { limit: number; after?: string | undefined };

/** How many rows to read for a page (one more than it holds), and after which place. */
export const asked = ({ limit, after }: PageAsked): { most: number; after: Place | null } => ({
  most: limit + 1,
  after: after === undefined ? null : placeOf(after),
});

type Listing<Row, Wire> = { wire: (row: Row) => Wire; place: (row: Row) => Place };

/** The answer for the rows that were read as {@link asked} says. */
export function deskPage<Row, Wire>(read: Row[], { limit }: PageAsked, { wire, place }: Listing<Row, Wire>) {
  const rows = read.slice(0, limit);
  const last = rows.at(-1);
  return { rows: rows.map(wire), next: last && read.length > limit ? cursorOf(place(last)) : null };
}

/** The same for a list that is held in memory as a whole. */
export function rowsAfter<Row>(all: Row[], page: PageAsked, place: (row: Row) => Place): Row[] {
  const { most, after } = asked(page);
  const at = after === null ? -1 : all.findIndex((row) => place(row).id === after.id);
  // that row may be gone by now: then the rows after its time
  const from = after === null || at >= 0 ? at + 1 : all.findIndex((row) => place(row).at < after.at);
  return from < 0 ? [] : all.slice(from, from + most);
}
