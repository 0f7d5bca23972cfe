import { useMemo, useState } from "react";

export type Selection = { ids: ReadonlySet<string>; toggle: (id: string) => void };

/** The shop takes no more ids at once. */
const most = 1_000;

/** The selected rows among those that are loaded; one that is no longer in the list is no longer selected. */
export function useSelected(rows: readonly { id: string }[]): Selection & { clear: () => void } {
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set());
  const ids = useMemo(() => new Set(rows.map(({ id }) => id).filter((id) => chosen.has(id))), [rows, chosen]);
  const toggle = (id: string) => {
    const next = new Set(ids);
    if (!next.delete(id) && next.size < most) next.add(id);
    choose(next);
  };
  return { ids, toggle, clear: () => choose(new Set()) };
}
