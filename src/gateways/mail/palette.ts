import { theLook } from "@/brand/look";

const { color, label, turned } = theLook.colors;

/** Inline, for every mail program. */
export const light = {
  page: turned("#f3f2f8"),
  card: "#ffffff",
  panel: turned("#f4f2fd"),
  line: turned("#dedbea"),
  ink: turned("#1b1a22"),
  quiet: turned("#5b586b"),
  link: turned("#4a3fb5"),
  accent: color,
  onAccent: label,
} as const;

export type Palette = Record<keyof typeof light, string>;

/** For mail programs that know dark mode; the others show the light colours, or invert them in their own way. */
export const dark: Palette = {
  page: turned("#0b0a12"),
  card: turned("#14131f"),
  panel: turned("#232232"),
  line: turned("#34324a"),
  ink: turned("#f4f3fa"),
  quiet: turned("#b5b2c6"),
  link: turned("#a39bef"),
  accent: color,
  onAccent: label,
};

export const sans = "system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
export const mono = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace";
