import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import { collectionQuery, type ListDeclaration } from "../../../api/desk/collections";
import { pollWhileTouched } from "../../../api/desk/presence";
import { ShowMore } from "../../../parts/show-more";
import type { OfferedOperations } from "../operation/use-allowed";
import { NextRows } from "../table/next-rows";
import { type RowsDefinition, RowsSection } from "./rows-section";

/** A short list that people make by hand, such as offers, a page at a time. */
export type CollectionDefinition<Row extends { id: string }> = RowsDefinition<Row> & {
  /** Its declaration. */
  list: ListDeclaration;
  /** Rows that change on their own, so that the list is polled while one is shown. */
  moves?: (row: Row) => boolean;
};

/** How often a list is asked for again while something in it moves. */
const moveMilliseconds = 3_000;

/** The whole section: heading, what can be made, the rows, and what may be done to each. */
export function Collection<Row extends { id: string }>(props: {
  of: CollectionDefinition<Row>;
  /** What makes a new one. */
  make?: OfferedOperations;
  /** What may be done to a row. */
  operationsOf?: (row: Row) => OfferedOperations;
  /** Leads to where a new one is made, if that is a page. */
  begin?: ReactNode;
  /** By what the list is narrowed. */
  filters?: Readonly<Record<string, string>>;
  children?: ReactNode;
}) {
  const { of, filters = none, ...rest } = props;
  const query = useInfiniteQuery({
    ...collectionQuery(of.list, filters),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ rows }) => rows.some((row) => of.moves?.(row as never)))
        ? pollWhileTouched(moveMilliseconds)()
        : false,
  });
  const rows = useMemo(
    () => (query.data?.pages.flatMap((page) => page.rows) ?? []) as unknown as Row[],
    [query.data],
  );
  return (
    <RowsSection
      of={of}
      rows={query.data && rows}
      problem={query.error}
      retry={() => void query.refetch()}
      more={query.hasNextPage}
      further={
        <NextRows list={query}>
          <ShowMore list={query} />
        </NextRows>
      }
      {...rest}
    />
  );
}

const none = {};
