import type { ReactNode } from "react";
import { useHasLevels } from "../parts/levels";
import { When } from "../parts/when";

/** A column of a desk's list. On a phone, a row has two lines: its name and state, and what else it has with its time. */
export type Column<Row> = {
  id: string;
  name: string;
  /** Null and a dash stand for nothing: a phone leaves them out. */
  cell: (row: Row) => ReactNode;
  /** Its width as a track of a CSS grid; by default an equal share. */
  width?: string;
  /** The row's name: first, always shown, the link to its page. */
  leads?: true;
  /** Not shown until chosen. */
  hidden?: true;
  /** Aligned to the right: numbers and money. */
  end?: true;
  /** Wraps instead of being cut off, such as buttons. */
  whole?: true;
  /** Its place in a phone's row; by default within the second line. `none`: a phone leaves it out. */
  phone?: "state" | "time" | "line" | "none";
  /** The word before it on a phone, such as `ends`. */
  said?: string;
};

/** A masked key: on a phone in letters that leave room for its end, which tells it from others. */
export const shownKey = ({ key }: { key: string }) => (
  <span className="text-xs tabular:font-mono">{key}</span>
);

export const trackOf = <Row,>({ width }: Pick<Column<Row>, "width">) => width ?? "minmax(0,1fr)";

/** A moment of each row. */
export const whenColumn = <Row,>(
  id: string,
  name: string,
  at: (row: Row) => string | null,
  more: Partial<Column<Row>> = {},
): Column<Row> => ({
  id,
  name,
  cell(row) {
    const moment = at(row);
    return moment === null ? null : <When at={moment} />;
  },
  width: "9rem",
  ...more,
});

/** The level of a row; {@link useColumnsByLevels} leaves it out of a shop with one level. */
export const levelColumn: Column<{ level: { name: string } | null }> = {
  id: "level",
  name: "Level",
  cell: ({ level }) => level?.name ?? null,
};

export function useColumnsByLevels<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  const hasLevels = useHasLevels();
  return hasLevels ? columns : columns.filter(({ id }) => id !== levelColumn.id);
}

/** The columns by their place in a phone's row, which is their order in a table, too. */
export function placedColumns<Row>(columns: readonly Column<Row>[]) {
  const at = (place: Column<Row>["phone"]) =>
    columns.filter(({ leads, phone }) => leads !== true && phone === place);
  return {
    first: [...columns.filter(({ leads }) => leads), ...at("state")],
    second: [...at(undefined), ...at("none"), ...at("time")],
    lines: at("line"),
  };
}
