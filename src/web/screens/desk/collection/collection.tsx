import { useInfiniteQuery } from "@tanstack/react-query";
import type { LucideIcon } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { collectionQuery } from "../../../api/desk/collections";
import { Empty } from "../../../parts/empty";
import { Problem } from "../../../parts/problem";
import { ShowMore } from "../../../parts/show-more";
import type { Operation } from "../operation/operation";
import { OperationBar } from "../operation/operation-bar";
import { RowOperations } from "../operation/row-operations";
import type { Column } from "../table/columns";
import { DeskTable } from "../table/desk-table";
import { NextRows } from "../table/next-rows";
import { TableSkeleton } from "../table/table-skeleton";

/** A short list that people make by hand, such as offers: what it is made of, and what may be done. */
export type CollectionDefinition<Row extends { id: string }> = {
  title: string;
  /** One sentence on what these are. */
  lead: string;
  /** Below `/api/desk`. */
  path: string;
  icon: LucideIcon;
  columns: readonly Column<Row>[];
  nameOf: (row: Row) => string;
  to?: (row: Row) => string;
  empty: string;
};

/** The whole section: heading, what can be made, the rows, and what may be done to each. */
export function Collection<Row extends { id: string }>(props: {
  of: CollectionDefinition<Row>;
  /** What makes a new one. */
  make?: readonly Operation[];
  /** What this role may do to a row. */
  operationsOf?: (row: Row) => readonly Operation[];
  children?: ReactNode;
}) {
  const { of, make = [], operationsOf, children } = props;
  const query = useInfiniteQuery(collectionQuery<Row>(of.path));
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.rows) ?? [], [query.data]);
  const columns: readonly Column<Row>[] = operationsOf
    ? [...of.columns, doColumn(operationsOf, of.nameOf)]
    : of.columns;
  return (
    <section aria-label={of.title} className="flex flex-col gap-5">
      <div className="flex flex-wrap items-end gap-3">
        <div className="mr-auto">
          <h2 className="text-lg font-semibold">{of.title}</h2>
          <p className="text-sm text-muted-foreground">{of.lead}</p>
        </div>
        <OperationBar operations={make} />
      </div>
      {children}
      {rows.length > 0 ? (
        <div className="flex flex-col gap-4">
          <DeskTable
            label={of.title}
            columns={columns}
            rows={rows}
            to={(row) => of.to?.(row) ?? null}
            nameOf={of.nameOf}
            more={query.hasNextPage}
          />
          <NextRows list={query}>
            <ShowMore list={query} />
          </NextRows>
        </div>
      ) : query.isPending ? (
        <TableSkeleton />
      ) : query.error ? (
        <Problem problem={query.error} retry={() => void query.refetch()} />
      ) : (
        <Empty icon={of.icon}>{of.empty}</Empty>
      )}
    </section>
  );
}

const doColumn = <Row extends { id: string }>(
  operationsOf: (row: Row) => readonly Operation[],
  nameOf: (row: Row) => string,
): Column<Row> => ({
  id: "do",
  name: "Actions",
  cell: (row) => <RowOperations operations={operationsOf(row)} about={nameOf(row)} />,
  width: "minmax(13rem,auto)",
});
