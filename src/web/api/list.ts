import { infiniteQueryOptions } from "@tanstack/react-query";

/** Which page of a list to request: the newest rows, or those after the place in `next`. */
export type PageQuery = { before?: string };
type Page<Row> = { data: Row[]; next: string | null };

/** A list that the server returns a page at a time, newest first. `data` are the rows loaded so far. */
export const listQuery = <Row>(name: string, read: (query: PageQuery) => Promise<Page<Row>>) =>
  infiniteQueryOptions({
    queryKey: [name],
    queryFn: ({ pageParam }) => read(pageQuery(pageParam)),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
  });

export const pageQuery = (before: string | null): PageQuery => (before === null ? {} : { before });
