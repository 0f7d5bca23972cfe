import { useEffect, useState } from "react";
import { ownSystem } from "../download/own-system";

/** Whether the palette is open; Ctrl K or Cmd K opens and closes it. */
export function usePalette() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const held = event.ctrlKey !== event.metaKey && !event.altKey && !event.shiftKey;
      if (!held || event.key.toLowerCase() !== "k") return;
      event.preventDefault();
      if (!event.repeat) setOpen((was) => !was);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return [open, setOpen] as const;
}

export const shortcutName = () => (ownSystem() === "mac" ? "⌘K" : "Ctrl K");
