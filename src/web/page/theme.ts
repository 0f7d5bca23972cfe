import { stored } from "./stored";

export const themes = ["dark", "light", "system"] as const;
/** What a visitor chose; `system` follows the device. */
export type Theme = (typeof themes)[number];

const kept = stored("theme", "browser");
/** The page's background colours, for the browser's own bars. */
const grounds = { dark: "#0b0a12", light: "#f7f6fb" };

/** The theme chosen in this browser; dark by default. */
export const chosenTheme = (): Theme => themeFrom(document.documentElement.dataset["appearance"]);

/** Draws the page in that theme, and stores the choice in this browser. */
export function chooseTheme(theme: Theme): void {
  kept.remember(theme);
  draw(theme);
}

/** Draws the page in the stored theme, and again when the device or another tab changes it. */
export function followTheme(): void {
  draw(themeFrom(kept.recall()));
  lightDevice().addEventListener("change", () => draw(chosenTheme()));
  window.addEventListener("storage", ({ key }) => {
    if (key === "theme") draw(themeFrom(kept.recall()));
  });
}

/** How the page is drawn now. */
export const drawnTheme = (): "dark" | "light" =>
  document.documentElement.dataset["theme"] === "light" ? "light" : "dark";

/** Calls back when {@link chosenTheme} or {@link drawnTheme} changes; returns a function that stops. */
export function onThemeChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ["data-appearance", "data-theme"] });
  return () => observer.disconnect();
}

/** On the root, where the style sheet and every script of the page find it. */
function draw(theme: Theme) {
  const drawn = theme === "system" ? (lightDevice().matches ? "light" : "dark") : theme;
  Object.assign(document.documentElement.dataset, { appearance: theme, theme: drawn });
  for (const [name, content] of [
    ["color-scheme", drawn],
    ["theme-color", grounds[drawn]],
  ] as const)
    document.querySelector(`meta[name=${name}]`)?.setAttribute("content", content);
}

const lightDevice = () => matchMedia("(prefers-color-scheme: light)");
const themeFrom = (text: string | null | undefined): Theme => themes.find((one) => one === text) ?? "dark";
