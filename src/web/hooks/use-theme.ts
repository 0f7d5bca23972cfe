import { useSyncExternalStore } from "react";
import { chosenTheme, drawnTheme, onThemeChange, type Theme } from "../page/theme";

/** The theme chosen in this browser. */
export const useChosenTheme = (): Theme => useSyncExternalStore(onThemeChange, chosenTheme, () => "dark");

/** The theme that the page is drawn in. */
export const useDrawnTheme = () => useSyncExternalStore(onThemeChange, drawnTheme, () => "dark" as const);
