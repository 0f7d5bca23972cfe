/* A grid's rows are not the browser's own, so that one row can be a card on a phone. */
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import type { CSSProperties } from "react";
import { cn } from "../../../lib/utils";
import { type Column, placedColumns, trackOf } from "./columns";
import { TableRow } from "./table-row";
import type { Selection } from "./use-selected";
import { useTableKeys } from "./use-table-keys";

/**
 * Rows of a list, as a grid that the arrow keys go through: ↑ ↓ move, Enter opens, X selects. Where it has no
 * room for columns, every row has two lines. `ListPage` puts filters, columns, export and the next rows around it; use this alone for
 * lists that come whole.
 */
export function DeskTable<Row extends { id: string }>(props: {
  /** Names the grid. */
  label: string;
  columns: readonly Column<Row>[];
  rows: Row[];
  /** Columns that are shown, by id; all by default. */
  shown?: Readonly<Record<string, boolean>>;
  /** The row's page; null if it has none. */
  to: (row: Row) => string | null;
  /** Names the row in "Select …". */
  nameOf: (row: Row) => string;
  selection?: Selection;
  /** Whether more rows follow. */
  more?: boolean;
  onEnd?: () => void;
  busy?: boolean;
  /** It has few columns, which fit as a table even in a narrow place. */
  narrow?: boolean;
}) {
  const { label, columns, rows, to, nameOf, selection, more = false, onEnd, busy = false } = props;
  const { first, second, lines } = placedColumns(columns.filter(({ id }) => props.shown?.[id] !== false));
  const drawn = [...first, ...second, ...lines];
  const { grid, at: stop, focused, onKeyDown } = useTableKeys({ rows, to, selection, onEnd });
  const tracks = [...(selection ? ["2.75rem"] : []), ...drawn.map(trackOf)].join(" ");
  return (
    <div className={props.narrow ? "@container/narrow" : "@container"}>
      <div
        ref={grid}
        role="grid"
        tabIndex={rows.length === 0 ? 0 : -1}
        aria-label={label}
        aria-busy={busy}
        aria-rowcount={more ? -1 : rows.length + 1}
        aria-multiselectable={selection ? true : undefined}
        onKeyDown={onKeyDown}
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- React knows custom properties, its types don't
        style={{ "--tracks": tracks } as CSSProperties}
        className={cn("text-sm transition-opacity outline-none", busy && "opacity-60")}
      >
        <div role="rowgroup" className="sr-only tabular:not-sr-only">
          <div
            role="row"
            aria-rowindex={1}
            className="grid grid-cols-(--tracks) items-center border-b text-xs font-medium text-muted-foreground"
          >
            {selection && (
              <div role="columnheader" className="px-3 py-2.5">
                <span className="sr-only">Selected</span>
              </div>
            )}
            {drawn.map(({ id, name, end }) => (
              <div key={id} role="columnheader" className={cn("truncate px-3 py-2.5", end && "text-right")}>
                {name}
              </div>
            ))}
          </div>
        </div>
        <div role="rowgroup" className="border-t tabular:border-t-0">
          {rows.map((row, at) => (
            <TableRow
              key={row.id}
              row={row}
              at={at}
              columns={drawn}
              to={to(row)}
              name={nameOf(row)}
              active={at === stop}
              onFocus={focused}
              selected={selection?.ids.has(row.id) ?? false}
              toggle={selection?.toggle}
            />
          ))}
        </div>
      </div>
    </div>
  );
}
