/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import type { MouseEvent, ReactNode } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { cn } from "../../../lib/utils";
import { Checkbox } from "../../../ui/checkbox";
import { type Column, placedColumns } from "./columns";

/** A row of the grid, with one stop for Tab; a press anywhere on it opens its page. Two lines where there is no room for columns. */
export function TableRow<Row extends { id: string }>(props: {
  row: Row;
  at: number;
  columns: readonly Column<Row>[];
  to: string | null;
  name: string;
  active: boolean;
  onFocus: (at: number) => void;
  selected: boolean;
  toggle: ((id: string) => void) | undefined;
}) {
  const { row, at, columns, to, name, active, onFocus, selected, toggle } = props;
  const { first, second, lines } = placedColumns(columns);
  const start = second.find((column) => column.phone !== "none" && !isNone(column.cell(row)))?.id;
  const navigate = useNavigate();
  const { pathname: list } = useLocation();
  // a phone leaves cells out
  const placeOf = (column: Column<Row>) => columns.indexOf(column) + (toggle ? 2 : 1);
  const press = (event: MouseEvent) => {
    // a dialog that a button of the row opened is elsewhere in the page
    if (!(event.target instanceof Element) || !event.currentTarget.contains(event.target)) return;
    const own = event.target.closest("a, button, input, label, [role=menu]");
    // somebody may be marking text to copy it
    if (own || to === null || getSelection()?.type === "Range") return;
    void navigate(to, { state: { list } });
  };
  return (
    // the grid handles its keys
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      role="row"
      data-row={at}
      tabIndex={active ? 0 : -1}
      aria-rowindex={at + 2}
      aria-selected={toggle ? selected : undefined}
      onFocus={() => onFocus(at)}
      onClick={press}
      className={cn(
        "relative flex border-b px-1 -outline-offset-2 tabular:grid tabular:grid-cols-(--tracks) tabular:items-center tabular:px-0",
        to !== null && "cursor-pointer hover:bg-accent/50",
        selected && "bg-primary/8",
      )}
    >
      {toggle && (
        <div role="gridcell" aria-colindex={1} className="relative z-10 flex self-center">
          {/* oxlint-disable-next-line jsx-a11y/label-has-associated-control -- the checkbox is Radix's */}
          <label className="grid size-11 w-full min-w-11 place-content-center">
            <Checkbox
              tabIndex={-1}
              aria-label={`Select ${name}`}
              checked={selected}
              onCheckedChange={() => toggle(row.id)}
            />
          </label>
        </div>
      )}
      <div className="flex min-w-0 flex-1 flex-col gap-1 px-2 py-2.5 tabular:contents">
        <div className="flex items-center justify-between gap-3 tabular:contents">
          {first.map((column) => (
            <Cell key={column.id} column={column} at={placeOf(column)} row={row} to={to} list={list} />
          ))}
        </div>
        <div className="flex min-w-0 gap-1.5 text-xs text-muted-foreground tabular:contents">
          {second.map((column) => (
            <Cell
              key={column.id}
              column={column}
              at={placeOf(column)}
              row={row}
              to={to}
              place={column.id === start ? "starts" : "follows"}
            />
          ))}
        </div>
        {lines.map((column) => (
          <Cell key={column.id} column={column} at={placeOf(column)} row={row} to={to} />
        ))}
      </div>
    </div>
  );
}

const isNone = (value: ReactNode) => value === null || value === false || value === "–";

function Cell<Row>(props: {
  column: Column<Row>;
  /** Its column's place, from 1. */
  at: number;
  row: Row;
  to: string | null;
  /** The page that the row's page leads back to. */
  list?: string;
  /** Within the second line of a phone's row. */
  place?: "starts" | "follows";
}) {
  const { column, at, row, to, list, place } = props;
  const { leads, phone, end, whole, said } = column;
  const value = column.cell(row);
  const before = `${place === "follows" && phone !== "time" ? "· " : ""}${said === undefined ? "" : `${said} `}`;
  return (
    <div
      role="gridcell"
      aria-colindex={at}
      data-before={before}
      className={cn(
        "min-w-0 before:whitespace-pre before:content-[attr(data-before)] tabular:block tabular:px-3 tabular:py-3 tabular:text-sm tabular:text-foreground tabular:before:content-none",
        leads && "flex-1 text-sm font-medium",
        phone === "state" && "shrink-0",
        // a name of three letters is not cut for the address after it
        place === "starts" && "max-w-3/5 shrink-0 tabular:max-w-none",
        phone === "time" && "ml-auto shrink-0 pl-2 tabular:ml-0",
        phone === "line" && "text-xs has-[button]:pt-1",
        whole && !leads && "relative z-10 has-[[data-state=open]]:z-30",
        (phone === "none" || isNone(value)) && "hidden",
        end && "tabular-nums tabular:text-right",
        whole && "tabular:overflow-visible tabular:whitespace-normal",
        !whole && phone !== "state" && "truncate tabular:truncate",
      )}
    >
      {leads && to !== null ? (
        <Link
          to={to}
          state={{ list }}
          tabIndex={-1}
          className={cn(
            // on a phone, all of the row is its target
            "block min-w-0 underline-offset-4 after:absolute after:inset-0 hover:underline tabular:after:content-none",
            whole ? "text-foreground" : "truncate text-link",
          )}
        >
          {value}
        </Link>
      ) : isNone(value) ? (
        "–"
      ) : (
        value
      )}
    </div>
  );
}
