import { dark, type Palette } from "./palette";

/** The classes that dark mode changes, with the colour of each. */
const texts: Record<string, keyof Palette> = {
  ink: "ink",
  quiet: "quiet",
  link: "link",
  "button-text": "onAccent",
};
const grounds: Record<string, keyof Palette> = {
  page: "page",
  card: "card",
  panel: "panel",
  button: "accent",
};
const lines: Record<string, keyof Palette> = { card: "line", rule: "line", panel: "accent" };

const rules = (property: string, classes: Record<string, keyof Palette>, within = "") =>
  Object.entries(classes).map(([name, color]) => `${within}.${name}{${property}:${dark[color]}!important}`);

/**
 * For dark mode and for phones. Colours need `!important` to win over the inline ones.
 * https://www.caniemail.com/features/css-at-media-prefers-color-scheme/
 */
export const styleSheet = [
  ":root{color-scheme:light dark;supported-color-schemes:light dark}",
  "@media (max-width:480px){.card{padding:24px 20px!important}.button{width:100%!important}}",
  "@media (prefers-color-scheme:dark){",
  ...rules("color", texts),
  ...rules("background-color", grounds),
  ...rules("border-color", lines),
  "}",
].join("");

/**
 * Outlook's apps and its website mark what they recolour in dark mode: `data-ogsc` on text and `data-ogsb` on grounds.
 * Apart from the others, because Gmail drops a style sheet that it can't read.
 */
export const outlookStyleSheet = [
  ...rules("color", texts, "[data-ogsc] "),
  ...rules("border-color", lines, "[data-ogsc] "),
  ...rules("background-color", grounds, "[data-ogsb] "),
].join("");
