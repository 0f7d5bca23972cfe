import { type LucideIcon, Monitor, Moon, Sun } from "lucide-react";
import type { Theme } from "./theme";

/** The themes by their names, as Settings and the palette offer them. */
export const themeChoices: readonly [Theme, string, LucideIcon][] = [
  ["dark", "Dark", Moon],
  ["light", "Light", Sun],
  ["system", "System", Monitor],
];
