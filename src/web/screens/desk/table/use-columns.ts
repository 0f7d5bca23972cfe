import { useState } from "react";
import { stored } from "../../../page/stored";
import type { Column } from "./columns";

type ShownColumns = Record<string, boolean>;

/** Which columns of a list are shown; the choice is kept in this browser. */
export function useColumns<Row>(list: string, columns: readonly Column<Row>[]) {
  const kept = stored(`desk-columns-${list}`, "browser");
  const [chosen, choose] = useState<ShownColumns>(() => parseShown(kept.recall()));
  const shown: ShownColumns = Object.fromEntries(
    columns.map(({ id, hidden, leads }) => [id, leads === true || (chosen[id] ?? hidden !== true)]),
  );
  const show = (id: string, on: boolean) => {
    const next = { ...chosen, [id]: on };
    kept.remember(JSON.stringify(next));
    choose(next);
  };
  return { shown, show };
}

function parseShown(text: string | null): ShownColumns {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
    return Object.fromEntries(
      entries.filter((entry): entry is [string, boolean] => typeof entry[1] === "boolean"),
    );
  } catch {
    return {};
  }
}
