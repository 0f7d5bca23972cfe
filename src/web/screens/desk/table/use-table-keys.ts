import { type KeyboardEvent as ReactKeyboardEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { isBusy, singleKeys } from "../../../parts/keys";
import type { Selection } from "./use-selected";

/** The grid's keys, and which of its rows Tab stops at. An arrow pressed elsewhere on the page enters the grid. */
export function useTableKeys<Row extends { id: string }>(props: {
  rows: readonly Row[];
  to: (row: Row) => string | null;
  selection: Selection | undefined;
  onEnd: (() => void) | undefined;
}) {
  const { rows, to, selection, onEnd } = props;
  const grid = useRef<HTMLDivElement>(null);
  const [wanted, setAt] = useState(0);
  const at = Math.min(wanted, Math.max(0, rows.length - 1));
  const navigate = useNavigate();
  const { pathname: list } = useLocation();

  const move = (next: number) => {
    const within = Math.min(Math.max(next, 0), rows.length - 1);
    const row = grid.current?.querySelector<HTMLElement>(`[data-row="${within}"]`);
    row?.focus();
    row?.scrollIntoView({ block: "nearest" });
    if (next >= rows.length - 1) onEnd?.();
  };
  const onKeyDown = (event: ReactKeyboardEvent) => {
    const isOnRow = event.target instanceof HTMLElement && event.target.dataset.row !== undefined;
    if (!isOnRow || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = rows[at];
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      move(next);
    } else if (event.key === "Enter" && row) {
      const path = to(row);
      if (path !== null) void navigate(path, { state: { list } });
    } else if (event.key === " " || (event.key.toLowerCase() === "x" && singleKeys.areOn())) {
      if (!selection || !row) return;
      event.preventDefault();
      selection.toggle(row.id);
    }
  };
  const enter = useEffectEvent((event: KeyboardEvent) => {
    if ((event.key !== "ArrowDown" && event.key !== "ArrowUp") || isBusy(event.target)) return;
    const { activeElement } = document;
    // only where an arrow does nothing else
    const isFree = activeElement === document.body || activeElement?.matches("h1, main") === true;
    if (!isFree || rows.length === 0) return;
    event.preventDefault();
    move(at);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => enter(event);
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
  return { grid, at, focused: setAt, onKeyDown };
}
