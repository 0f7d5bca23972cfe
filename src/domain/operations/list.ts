import { createHash } from "node:crypto";
import type { Declaration, Given } from "@/contract/operations/operation";
import type { DeskAnswers } from "@/contract/wire/desk/answers";
import { cursorOf, placeOf } from "@/contract/wire/pages";
import type { By } from "@/core/base/actor";
import { Refusal } from "@/core/base/refusal";
import type { Place } from "@/core/database/pages";
import { type DeskServices, type Implemented, implement } from "./operation";

type Filters = Readonly<Record<string, unknown>>;

/** Where a page of a list ends, opaque to clients and valid only for the same list with the same filters. */
export const sealedCursor = (list: string, filters: Filters, place: Place): string =>
  `${cursorOf(place)}.${markOf(list, filters)}`;

/** The place after which a page begins; null for the first page. Refuses a cursor of another list or other filters. */
export function placeAfter(list: string, filters: Filters, cursor: string | undefined): Place | null {
  if (cursor === undefined) return null;
  const [place = "", mark] = cursor.split(/\.(?=[^.]*$)/);
  const read = mark === markOf(list, filters) ? placeOf(place) : null;
  if (read) return read;
  throw badCursor();
}

const badCursor = () =>
  new Refusal("invalid_field", {
    field: "after",
    sentence: "after must be what `next` said, with the same filters.",
  });

function markOf(list: string, filters: Filters): string {
  const set = Object.entries(filters).filter(([, value]) => value !== undefined);
  const text = JSON.stringify([list, ...set.toSorted(([one], [other]) => (one < other ? -1 : 1))]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 8);
}

type ListDeclaration = Declaration & { page: true };
type Page<Row> = { rows: Row[]; next: string | null };
type FiltersOf<D> = Omit<Given<D>, "limit" | "after">;

/** For a declared list with its own cursor: the id after which a page begins. */
export function implementPages<const D extends ListDeclaration>(
  declared: D,
  {
    ids,
    read,
  }: {
    /** What such an id looks like. */
    ids: RegExp;
    read: (
      services: DeskServices,
      filters: FiltersOf<D>,
      page: { limit: number; after: string | null },
      by: By,
    ) => Promise<Page<DeskAnswers[D["answers"]]>>;
  },
): Implemented<D, Page<DeskAnswers[D["answers"]]>> {
  return implement(declared, {
    async run(services, _, given, by) {
      const { limit, after, ...filters } = given as Filters & { limit: number; after?: string };
      const from = placeAfter(declared.name, filters, after)?.id ?? null;
      if (from !== null && !ids.test(from)) throw badCursor();
      const page = { limit, after: from };
      const { rows, next } = await read(services as DeskServices, filters as FiltersOf<D>, page, by);
      return { rows, next: next && sealedCursor(declared.name, filters, { id: next, at: new Date(0) }) };
    },
    answer: async (_, { result }) => result as never,
  });
}

type ListImplementation<D extends ListDeclaration, Row> = {
  /** At most `most` rows after a place, which is one more than the page has. */
  rows: (
    services: DeskServices,
    filters: FiltersOf<D>,
    page: { most: number; after: Place | null },
    by: By,
  ) => Promise<Row[]>;
  place: (row: Row) => Place;
  wire: (row: Row) => DeskAnswers[D["answers"]];
};

/** Says how a declared list is read, a page at a time. */
export function implementList<const D extends ListDeclaration, Row>(
  declared: D,
  { rows: read, place, wire }: ListImplementation<D, Row>,
): Implemented<D, Page<Row>> {
  return implement<D, Page<Row>>(declared, {
    async run(services, _, given, by) {
      const { limit, after, ...filters } = given as Filters & { limit: number; after?: string };
      const page = { most: limit + 1, after: placeAfter(declared.name, filters, after) };
      const found = await read(services, filters as FiltersOf<D>, page, by);
      const rows = found.slice(0, limit);
      const last = rows.at(-1);
      const next = last && found.length > limit ? sealedCursor(declared.name, filters, place(last)) : null;
      return { rows, next };
    },
    answer: async (_, { result: { rows, next } }) => ({ rows: rows.map(wire), next }) as never,
  });
}

/** The rows after a place of a list that is held in memory as a whole. */
export function rowsAfter<Row>(
  all: readonly Row[],
  { most, after }: { most: number; after: Place | null },
  place: (row: Row) => Place,
): Row[] {
  const at = after === null ? -1 : all.findIndex((row) => place(row).id === after.id);
  // that row may be gone by now: then the rows after its time
  const from = after === null || at >= 0 ? at + 1 : all.findIndex((row) => place(row).at < after.at);
  return from < 0 ? [] : all.slice(from, from + most);
}
