import type { ReactNode } from "react";

/** A column of a desk's list. On a phone, each is a line of the row's card. */
export type Column<Row> = {
  id: string;
  name: string;
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
};

export const trackOf = <Row>({ width }: Pick<Column<Row>, "width">) => width ?? "minmax(0,1fr)";
