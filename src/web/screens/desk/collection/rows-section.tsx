import type { LucideIcon } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { Empty } from "../../../parts/empty";
import { Problem } from "../../../parts/problem";
import { OperationBar } from "../operation/operation-bar";
import { RowOperations } from "../operation/row-operations";
import { type OfferedOperations, useAllowed } from "../operation/use-allowed";
import type { Column } from "../table/columns";
import { DeskTable } from "../table/desk-table";
import { TableSkeleton } from "../table/table-skeleton";

/** What a short list is made of. */
export type RowsDefinition<Row extends { id: string }> = {
  title: string;
  /** One sentence on what these are. */
  lead: string;
  icon: LucideIcon;
  columns: readonly Column<Row>[];
  nameOf: (row: Row) => string;
  to?: (row: Row) => string | null;
  empty: string;
};

/** A heading with what can be made, the rows of a list, and what may be done to each. */
export function RowsSection<Row extends { id: string }>(props: {
  of: RowsDefinition<Row>;
  /** Undefined until they are there. */
  rows: Row[] | undefined;
  problem: Error | null;
  retry: () => void;
  make?: OfferedOperations | undefined;
  operationsOf?: ((row: Row) => OfferedOperations) | undefined;
  /** Leads to where a new one is made, if that is a page. */
  begin?: ReactNode;
  /** Whether more rows follow. */
  more?: boolean;
  /** After the rows: what brings the next ones. */
  further?: ReactNode;
  children?: ReactNode;
}) {
  const { of, rows, problem, retry, make = [], operationsOf, more = false, further, begin, children } = props;
  const allowed = useAllowed();
  const canDo =
    operationsOf !== undefined && rows?.some((row) => allowed(operationsOf(row)).length > 0) === true;
  const columns: readonly Column<Row>[] = canDo
    ? [...of.columns, doColumn(operationsOf, of.nameOf)]
    : of.columns;
  const drawn = useMemo(() => rows ?? [], [rows]);
  return (
    <section aria-label={of.title} className="flex flex-col gap-5">
      <div className="flex flex-wrap items-end gap-3">
        <div className="mr-auto">
          <h2 className="text-lg font-semibold">{of.title}</h2>
          <p className="text-sm text-muted-foreground">{of.lead}</p>
        </div>
        {begin && <div>{begin}</div>}
        <OperationBar main operations={make} />
      </div>
      {children}
      {drawn.length > 0 ? (
        <div className="flex flex-col gap-4">
          <DeskTable
            label={of.title}
            columns={columns}
            rows={drawn}
            to={(row) => of.to?.(row) ?? null}
            nameOf={of.nameOf}
            more={more}
          />
          {further}
        </div>
      ) : rows ? (
        <>
          <Empty icon={of.icon}>{of.empty}</Empty>
          {/* a filter may leave nothing of this page, but something of the next */}
          {more && further}
        </>
      ) : problem ? (
        <Problem problem={problem} retry={retry} />
      ) : (
        <TableSkeleton />
      )}
    </section>
  );
}

const doColumn = <Row extends { id: string }>(
  operationsOf: (row: Row) => OfferedOperations,
  nameOf: (row: Row) => string,
): Column<Row> => ({
  id: "do",
  name: "Actions",
  cell: (row) => <RowOperations folded operations={operationsOf(row)} about={nameOf(row)} />,
  width: "5rem",
  whole: true,
  phone: "state",
});
