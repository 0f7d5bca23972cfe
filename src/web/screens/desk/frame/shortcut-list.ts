import type { DeskMe } from "@/contract/wire/desk/staff";
import { ownSystem } from "../../../parts/own-system";
import type { ShortcutList } from "../../../parts/shortcuts";
import { deskPagesOf } from "../parts/desk-pages";

export const paletteKeys = ownSystem() === "mac" ? "⌘K" : "Ctrl K";

export const shortcutsOf = (me: DeskMe): ShortcutList => [
  [`/ or ${paletteKeys}`, "Search, and commands of this page"],
  ["?", "This list"],
  ["↑ ↓", "Move through a list's rows"],
  ["Enter", "Open the row"],
  ["X", "Select the row"],
  ...deskPagesOf(me).map(({ key, name }) => [`G ${key.toUpperCase()}`, `Go to ${name}`] as const),
  ["Esc", "Close what's open"],
];
