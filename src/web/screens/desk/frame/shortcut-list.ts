import { ownSystem } from "../../dashboard/download/own-system";
import type { ShortcutList } from "../../dashboard/frame/shortcuts";
import { places } from "./places";

export const paletteKeys = ownSystem() === "mac" ? "⌘K" : "Ctrl K";

export const deskShortcuts: ShortcutList = [
  [paletteKeys, "Search, and commands of this page"],
  ["?", "This list"],
  ["/", "Find something in this list"],
  ["↑ ↓", "Go through a list's rows"],
  ["Enter", "Open the row"],
  ["X", "Select the row"],
  ...places.map(({ key, name }) => [`G ${key.toUpperCase()}`, `Go to ${name}`] as const),
  ["Esc", "Close what is open"],
];
