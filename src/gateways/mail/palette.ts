export type Palette = Record<
  "page" | "card" | "panel" | "line" | "ink" | "quiet" | "link" | "accent" | "onAccent",
  string
>;

/** Inline, for every mail program. The accent colour is the site's. */
export const light = {
  page: "#f3f2f8",
  card: "#ffffff",
  panel: "#f4f2fd",
  line: "#dedbea",
  ink: "#1b1a22",
  quiet: "#5b586b",
  link: "#4a3fb5",
  accent: "#7f74e2",
  onAccent: "#0a0a0a",
} as const satisfies Palette;

/** For mail programs that know dark mode; the others show the light colours, or invert them in their own way. */
export const dark = {
  page: "#0b0a12",
  card: "#14131f",
  panel: "#232232",
  line: "#34324a",
  ink: "#f4f3fa",
  quiet: "#b5b2c6",
  link: "#a39bef",
  accent: "#7f74e2",
  onAccent: "#0a0a0a",
} as const satisfies Palette;

export const sans = "system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
export const mono = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace";
