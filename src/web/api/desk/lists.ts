import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
} from "@tanstack/react-query";
import type { DeskList, DeskRow } from "@/contract/wire/desk/lists";
import { hour, minute } from "@/contract/vocabulary/time";
import { queryText, readDesk } from "./call";

/** A list's filters as the address has them. The shop refuses those that it doesn't know. */
export type Filters = Readonly<Record<string, string>>;

type Page<Row> = { rows: Row[]; next: string | null };

/** A list of the desk, a page at a time, newest first. */
export const deskListQuery = <L extends DeskList>(list: L, filters: Filters) =>
  infiniteQueryOptions({
    queryKey: ["desk", "list", list, filters] as const,
    queryFn: ({ pageParam }) =>
      readDesk<Page<DeskRow<L>>>(list, { ...filters, limit: 50, after: pageParam ?? undefined }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    staleTime: minute,
    // as long as somebody may come back to it
    gcTime: hour,
    // asks for every page again, so only when somebody wants it
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

/** How many rows a list has with these filters; `more` if counting stopped there. */
export const deskCountQuery = (list: DeskList, filters: Filters) =>
  queryOptions({
    queryKey: ["desk", "count", list, filters],
    queryFn: () => readDesk<{ count: number; more: boolean }>(`export/${list}/count`, filters),
    staleTime: 0,
  });

/** The address of a list's export, which the browser itself downloads. */
export const exportPath = (list: DeskList, filters: Filters) =>
  `/api/desk/export/${list}.csv${queryText(filters)}`;

/** After a change: refetches everything shown; a list keeps the pages that were read, and so its place after Back. */
export const refreshDesk = (queries: QueryClient): Promise<void> =>
  queries.invalidateQueries({
    predicate: ({ queryKey: [first, second] }) => first === "desk" && second !== "search",
  });
