import { useEffect, useEffectEvent, useRef } from "react";
import { useNavigate } from "react-router";
import { stored } from "../page/stored";

/** Pages by the letter that leads to them after G. */
export type GoKeys = Readonly<Record<string, { name: string; to: string }>>;

/** The pages that G and a letter lead to. */
export const goKeys: GoKeys = {
  h: { name: "Dashboard", to: "/dashboard" },
  d: { name: "Download", to: "/dashboard/download" },
  l: { name: "License", to: "/dashboard/license" },
  p: { name: "Payments", to: "/dashboard/payments" },
  t: { name: "Tickets", to: "/dashboard/tickets" },
  s: { name: "Settings", to: "/dashboard/settings" },
};

const kept = stored("single-keys", "browser");

/** Whether keys without Ctrl act in this browser (https://www.w3.org/WAI/WCAG22/Understanding/character-key-shortcuts). */
export const singleKeys = {
  areOn: () => kept.recall() !== "off",
  turn: (on: boolean) => (on ? kept.forget() : kept.remember("off")),
};

/** How long after G a letter still leads to its page. */
const goTimeoutMilliseconds = 1_500;

/** The keys of a frame's pages, outside of fields and dialogs. */
export function useKeys(frame: {
  places: GoKeys;
  onPalette: () => void;
  onShortcuts: () => void;
  /** Pressed is `/`. */
  onFind?: () => void;
}) {
  const { places, onPalette, onShortcuts, onFind } = frame;
  const navigate = useNavigate();
  const pressedG = useRef(-Infinity);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const held = event.ctrlKey !== event.metaKey && !event.altKey && !event.shiftKey;
    const key = event.key.toLowerCase();
    if (held && key === "k") {
      event.preventDefault();
      if (!event.repeat) onPalette();
      return;
    }
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      event.repeat ||
      !singleKeys.areOn() ||
      isBusy(event.target)
    )
      return;
    const after = event.timeStamp - pressedG.current;
    pressedG.current = key === "g" ? event.timeStamp : -Infinity;
    if (event.key === "?") return onShortcuts();
    if (event.key === "/" && onFind) {
      event.preventDefault();
      return onFind();
    }
    const place = after < goTimeoutMilliseconds ? places[key] : undefined;
    if (place) void navigate(place.to);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}

/** Whether the visitor is typing, or something over the page takes the keys. */
export const isBusy = (target: EventTarget | null) =>
  (target instanceof HTMLElement &&
    target.closest("input, textarea, select, [contenteditable=true]") !== null) ||
  document.querySelector("dialog[open], [role=dialog], [role=alertdialog], [role=menu]") !== null;
