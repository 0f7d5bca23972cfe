import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type ChangePlace, microsecondInstant } from "@/contract/wire/lookups";

/** The wanted rows of a kind: those of an address or all, after a place, and how many at most. */
export type ChangesQuery = { email: string | null; after: ChangePlace; limit: number };

/** A row of an answer, and its place in the list. */
export type Row<Resource> = { data: Resource & { updated_at: string }; place: ChangePlace };

type Table = Record<"updated" | "id", SQLWrapper>;

/** As a condition: changed later than that place, or at that time with a later id. */
export const changedAfter = ({ updated, id }: Table, after: ChangePlace): SQL =>
  sql`(${updated}, ${id}) > (${after.updated}, ${after.id})`;

/** By the last change, the oldest first. */
export const oldestChangeFirst = ({ updated, id }: Table): SQL[] => [sql`${updated}`, sql`${id}`];

type StoredRow = { id: string; updated: number | null };

/** `seen` is the time of the last change, where it is later than the stored one. */
export function rowOf<Resource>(
  { id, updated }: StoredRow,
  data: Resource,
  seen = updated ?? 0,
): Row<Resource> {
  return {
    data: { ...data, updated_at: microsecondInstant(seen) },
    place: { updated: updated ?? 0, id },
  };
}

/** The first rows of several lists as one list. */
export const mergeRows = <R extends StoredRow>(lists: R[][], limit: number): R[] =>
  lists
    .flat()
    .toSorted((one, other) => (one.updated ?? 0) - (other.updated ?? 0) || (one.id < other.id ? -1 : 1))
    .slice(0, limit);
