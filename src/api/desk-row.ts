import { Refusal } from "@/core/base/refusal";

/** The one row that was asked for. Refuses with `not_found` if it is gone by now. */
export function theRow<Row>([row]: Row[]): Row {
  if (row === undefined) throw new Refusal("not_found", { sentence: "It is gone." });
  return row;
}
