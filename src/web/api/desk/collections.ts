import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { minute } from "@/contract/vocabulary/time";
import { readDesk } from "./call";

type Page<Row> = { rows: Row[]; next: string | null };

/** A list of products or settings, such as `offers`, a page at a time. */
export const collectionQuery = <Row>(path: string, filters: Readonly<Record<string, string>> = {}) =>
  infiniteQueryOptions({
    queryKey: ["desk", "list", path, filters] as const,
    queryFn: ({ pageParam }) =>
      readDesk<Page<Row>>(path, { ...filters, limit: 50, after: pageParam ?? undefined }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: minute,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

/** One thing of the desk by its path, such as `system`. */
export const thingQuery = <Data>(path: string) =>
  queryOptions({ queryKey: ["desk", "thing", path] as const, queryFn: () => readDesk<Data>(path) });
