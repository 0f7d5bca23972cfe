import { useInfiniteQuery } from "@tanstack/react-query";
import { useColumnsByLevels } from "./columns";
import { Columns3, Download, type LucideIcon, SlidersHorizontal } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { useNavigate } from "react-router";
import { changeManyLicences } from "@/contract/operations/jobs";
import type { Declaration } from "@/contract/operations/operation";
import { mayDo } from "../operation/operation";
import { OperationBar } from "../operation/operation-bar";
import type { OfferedOperations } from "../operation/use-allowed";
import type { DeskList, DeskRow } from "@/contract/wire/desk/lists";
import { deskListQuery, type Filters } from "../../../api/desk/lists";
import { Empty } from "../../../parts/empty";
import { Problem } from "../../../parts/problem";
import { ShowMore } from "../../../parts/show-more";
import { Button } from "../../../ui/button";
import { counted } from "../parts/format";
import { MoreMenu } from "../parts/more-menu";
import { useMe } from "../parts/me";
import { useCommands } from "../palette/commands";
import type { Column } from "./columns";
import { ColumnChooser } from "./column-chooser";
import { DeskTable } from "./desk-table";
import { ExportDialog } from "./export-dialog";
import { FilterBar } from "./filter-bar";
import { type Filter, filterText, useFilters } from "./filters";
import { NextRows } from "./next-rows";
import { TableSkeleton } from "./table-skeleton";
import { useColumns } from "./use-columns";
import { useSelected } from "./use-selected";

/** What a list of the desk is made of; see `screens/desk/payments/payments.tsx` for one. */
export type ListDefinition<L extends DeskList> = {
  list: L;
  title: string;
  /** `payment`, `payments`: in sentences. */
  words: readonly [one: string, more: string];
  icon: LucideIcon;
  columns: readonly Column<DeskRow<L>>[];
  filters: readonly Filter[];
  /** What the filters that links bring are called, by what each of their rows has. */
  called?: (row: DeskRow<L>) => Readonly<Record<string, string | null | undefined>>;
  /** What the list shows before anything is filtered, and what it says if that is nothing. */
  first?: { filters: Filters; empty: string };
  /** A link beside the title. */
  beside?: ReactNode;
  to: (row: DeskRow<L>) => string | null;
  nameOf: (row: DeskRow<L>) => string;
  /** What an empty list says where nothing is filtered. */
  empty: string;
  /** The pages that bring more of them. */
  sources?: readonly { name: string; icon: LucideIcon; to: string; does: Declaration }[];
  /** What is done to none of the rows, beside the export. */
  operations?: OfferedOperations;
  /** Rows can be selected; shows what can be done with them, or with all that the filters leave. */
  bulk?: (chosen: { ids: readonly string[]; filters: Filters; clear: () => void }) => ReactNode;
};

/**
 * A whole list page: heading, filters in the address, columns to choose, export, the table, and the next rows as one
 * scrolls. A screen only defines what its list is made of.
 */
export function ListPage<L extends DeskList>({ of }: { of: ListDefinition<L> }) {
  const { list, words, bulk } = of;
  const { filters, set, clear } = useFilters(of.filters, of.first?.filters);
  const query = useInfiniteQuery(deskListQuery(list, filters));
  const rows = useMemo(() => eachOnce(query.data?.pages.flatMap((page) => page.rows) ?? []), [query.data]);
  const columns = useColumnsByLevels(of.columns);
  const { shown, show } = useColumns(list, columns);
  const selected = useSelected(rows);
  const [open, setOpen] = useState<"filters" | "columns" | "export" | null>(null);
  const toggle = (part: "filters" | "columns") => setOpen(open === part ? null : part);
  const me = useMe();
  const navigate = useNavigate();
  const mayExport = me.may.includes("desk.export");
  useCommands(
    useMemo(
      () => [
        ...(mayExport
          ? [{ name: `Export these ${words[1]}`, icon: Download, run: () => setOpen("export") }]
          : []),
        { name: "Choose columns", icon: Columns3, run: () => setOpen("columns") },
        { name: "Clear filters", icon: SlidersHorizontal, run: clear },
      ],
      // oxlint-disable-next-line react/exhaustive-deps -- `clear` does the same whenever it is called
      [mayExport, words],
    ),
  );
  const narrowed = Object.keys(filters).length;
  const narrowing = filterText(of.filters, filters);
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <h1 className="text-2xl font-semibold tracking-tight">{of.title}</h1>
        <span className="mr-auto">{of.beside}</span>
        {of.filters.length > 0 && (
          <Button
            variant="outline"
            size="sm"
            className="md:hidden"
            aria-expanded={open === "filters"}
            aria-controls="list-filters"
            onClick={() => toggle("filters")}
          >
            <SlidersHorizontal aria-hidden="true" />
            <span>{`Filters${narrowed > 0 ? ` (${narrowed})` : ""}`}</span>
          </Button>
        )}
        {of.operations && <OperationBar operations={of.operations} />}
        <MoreMenu
          label={`More for ${words[1]}`}
          items={[
            { name: "Columns", icon: Columns3, run: () => toggle("columns") },
            ...(of.sources ?? []).flatMap(({ name, icon, to, does }) =>
              mayDo(me, does) ? [{ name, icon, run: () => void navigate(to) }] : [],
            ),
            ...(mayExport ? [{ name: "Export", icon: Download, run: () => setOpen("export") }] : []),
          ]}
        />
      </div>
      {of.filters.length > 0 && (
        <div className={open === "filters" ? "" : "max-md:hidden"}>
          <FilterBar
            id="list-filters"
            defined={of.filters}
            filters={filters}
            set={set}
            clear={clear}
            called={rows[0] && of.called?.(rows[0])}
          />
        </div>
      )}
      {open === "columns" && <ColumnChooser id="list-columns" columns={columns} shown={shown} show={show} />}
      {rows.length > 0 ? (
        <div className="flex flex-col gap-4">
          <DeskTable
            label={of.title}
            columns={columns}
            rows={rows}
            shown={shown}
            to={of.to}
            nameOf={of.nameOf}
            {...(bulk && mayDo(me, changeManyLicences) && { selection: selected })}
            more={query.hasNextPage}
            onEnd={() => query.hasNextPage && !query.isFetchingNextPage && void query.fetchNextPage()}
            busy={query.isPlaceholderData}
          />
          <NextRows list={query}>
            <ShowMore list={query} />
          </NextRows>
          <output className="sr-only">{`${counted(rows.length, ...words)} shown`}</output>
        </div>
      ) : query.isPending ? (
        <TableSkeleton />
      ) : query.error ? (
        <Problem problem={query.error} retry={() => void query.refetch()} />
      ) : (
        <Empty icon={of.icon}>
          {of.first && narrowing === filterText(of.filters, of.first.filters)
            ? of.first.empty
            : narrowed > 0
              ? `No ${words[1]} with ${narrowing}.`
              : of.empty}
        </Empty>
      )}
      {bulk?.({ ids: [...selected.ids], filters, clear: selected.clear })}
      {open === "export" && (
        <ExportDialog
          list={list}
          words={words}
          filters={filters}
          narrowed={narrowing}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}

/** A row that moved while pages were read may be on two of them. */
const eachOnce = <Row extends { id: string }>(rows: Row[]): Row[] => [
  ...new Map(rows.map((row) => [row.id, row])).values(),
];
