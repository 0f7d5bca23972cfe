/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import type { MouseEvent } from "react";
import { Link, useNavigate } from "react-router";
import { cn } from "../../../lib/utils";
import { Checkbox } from "../../../ui/checkbox";
import type { Column } from "./columns";

/** A row of the grid, with one stop for Tab; a press anywhere on it opens its page. */
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
  const navigate = useNavigate();
  const press = (event: MouseEvent) => {
    const own = event.target instanceof Element && event.target.closest("a, button, input, label");
    // somebody may be marking text to copy it
    if (own || to === null || getSelection()?.type === "Range") return;
    void navigate(to);
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
        "flex flex-col rounded-lg border bg-card p-1.5 -outline-offset-2 tabular:grid tabular:grid-cols-(--tracks) tabular:items-center tabular:rounded-none tabular:border-0 tabular:border-b tabular:bg-transparent tabular:p-0",
        to !== null && "cursor-pointer hover:bg-accent/50",
        selected && "bg-primary/12 tabular:bg-primary/12",
      )}
    >
      {toggle && (
        <div role="gridcell" className="order-last flex tabular:order-none">
          {/* oxlint-disable-next-line jsx-a11y/label-has-associated-control -- the checkbox is Radix's */}
          <label className="flex min-h-11 w-full items-center gap-3 px-3 tabular:justify-center">
            <Checkbox
              tabIndex={-1}
              aria-label={`Select ${name}`}
              checked={selected}
              onCheckedChange={() => toggle(row.id)}
            />
            <span aria-hidden="true" className="text-xs text-muted-foreground tabular:hidden">
              Select
            </span>
          </label>
        </div>
      )}
      {columns.map((column) => (
        <div
          key={column.id}
          role="gridcell"
          data-label={column.leads ? undefined : column.name}
          className={cn(
            "flex min-h-9 min-w-0 items-center justify-between gap-4 px-3 py-1 before:shrink-0 before:text-xs before:text-muted-foreground before:content-[attr(data-label)] tabular:block tabular:min-h-0 tabular:truncate tabular:py-3 tabular:before:content-none",
            column.leads && "before:content-none text-base font-medium tabular:text-sm",
            column.end && "tabular-nums tabular:text-right",
            column.whole && "tabular:overflow-visible tabular:whitespace-normal",
          )}
        >
          {column.leads && to !== null ? (
            <Link
              to={to}
              tabIndex={-1}
              className={cn(
                "block min-w-0 text-link underline-offset-4 hover:underline",
                !column.whole && "truncate",
              )}
            >
              {column.cell(row)}
            </Link>
          ) : (
            <span className={cn("min-w-0 text-right tabular:text-inherit", !column.whole && "truncate")}>
              {column.cell(row)}
            </span>
          )}
        </div>
      ))}
    </div>
  );
}
