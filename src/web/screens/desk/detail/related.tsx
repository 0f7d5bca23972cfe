import { type ReactNode } from "react";
import { useColumnsByLevels } from "../table/columns";
import { Link } from "react-router";
import { Card, CardTitle } from "../../../ui/card";
import type { Column } from "../table/columns";
import { DeskTable } from "../table/desk-table";

/** What else belongs to a thing: its newest hundred rows, and the list of all of them. Nothing where there is none. */
export function Related<Row extends { id: string }>(props: {
  title: string;
  columns: readonly Column<Row>[];
  rows: Row[];
  to: (row: Row) => string | null;
  nameOf: (row: Row) => string;
  /** The list with all of them. */
  all?: string;
  aside?: ReactNode;
}) {
  const { title, rows, to, nameOf, all, aside } = props;
  const columns = useColumnsByLevels(props.columns);
  if (rows.length === 0) return null;
  return (
    <Card aria-label={title} className="gap-3">
      <div className="flex items-center gap-3">
        <CardTitle>
          <span>{title}</span>
          <span className="ml-2 text-sm font-normal text-muted-foreground">
            {rows.length < 100 ? rows.length : "newest 100"}
          </span>
        </CardTitle>
        {aside}
        {all && (
          <Link
            to={all}
            className="ml-auto inline-flex min-h-11 items-center text-sm text-link underline-offset-4 hover:underline md:min-h-0"
          >
            All {title.toLowerCase()}
          </Link>
        )}
      </div>
      <DeskTable narrow label={title} columns={columns} rows={rows} to={to} nameOf={nameOf} />
    </Card>
  );
}
