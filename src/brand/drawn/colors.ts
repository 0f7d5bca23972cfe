import { BrandError } from "../brand-error";
import { contrast, hexOf, hexOfLuminance, luminanceOf, type Tone, toneOf } from "./color-space";

/** Everything that follows from a brand's one color. */
export type Colors = {
  /** `#rrggbb`: what buttons are filled with. */
  color: string;
  /** The text on it: nearly black, or white. */
  label: string;
  /** For lines and fills without text, which need 3:1: the color itself, or as much darker or lighter as that takes. */
  seen: Record<Theme, string>;
  /** For Discord, which takes 0 for none. */
  embed: number;
  /** The design's color of a button under a pointer, in this brand's. */
  hovered: (hex: string) => string;
  /** A color of the design in this brand's hue. It keeps its luminance, and so its contrast with all others. */
  turned: (hex: string) => string;
};

type Theme = "dark" | "light";

/** What the style sheets and emails are drawn in, and the color of a brand that names none. */
export const designColor = "#7f74e2";
const design = toneOf(designColor);

const labels = ["#0a0a0a", "#ffffff"] as const;
/** Below it a color of the design is a grey, which belongs to every brand. */
const grey = 0.001;
/** Of each theme's grounds, the one that is nearest to a color in the middle. */
const grounds = { dark: "#191826", light: "#f1eff8" };

/** @throws a {@link BrandError} */
export function colorsFrom(given: string = designColor): Colors {
  const color = given.toLowerCase();
  if (!/^#[0-9a-f]{6}$/.test(color)) throw refused("must be written as # and six digits, such as #2f6fed");
  const tone = toneOf(color);
  const [dark, white] = labels.map((label) => contrast(label, color)) as [number, number];
  const label = labels[dark > white ? 0 : 1];
  if (Math.max(dark, white) < 4.5) throw refused(tooMiddling(tone, dark, white));
  const fade = Math.min(1, tone.chroma / design.chroma);
  const turn = tone.hue - design.hue;
  return {
    color,
    label,
    seen: { dark: seenOn("dark", color, tone), light: seenOn("light", color, tone) },
    embed: parseInt(color.slice(1), 16) || 1,
    hovered(hex) {
      const own = toneOf(hex);
      const step = (own.lightness - design.lightness) * (label === labels[0] ? 1 : -1);
      const chroma = tone.chroma * (own.chroma / design.chroma);
      const moved = (by: number) => ({
        lightness: tone.lightness + by,
        chroma,
        hue: tone.hue + own.hue - design.hue,
      });
      // away from the label, unless there is no room before black or white
      const away = moved(step);
      const back = hexOf(moved(-step));
      const hasRoom = away.lightness > 0.05 && away.lightness < 0.95;
      return hasRoom || contrast(back, label) < 4.5 ? hexOf(away) : back;
    },
    turned(hex) {
      const own = toneOf(hex);
      if (own.chroma < grey) return hex;
      return hexOfLuminance(luminanceOf(hex), {
        ...own,
        chroma: own.chroma * fade,
        hue: own.hue + turn,
      });
    },
  };
}

const refused = (sentence: string) => new BrandError("brand.json", "color", sentence);

/** A style sheet of the design in a brand's colors. What has a meaning of its own, such as an error's red, stays. */
export function inColors(sheet: string, colors: Colors): string {
  const light = sheet.indexOf('[data-theme="light"] {');
  return sheet.replaceAll(declaration, (all, name: string | undefined, value: string, at: number) => {
    const variable = name?.replace(/^--(?:sidebar-)?/, "");
    if (variable === "primary") return all.replace(value, colors.color);
    if (variable === "primary-foreground") return all.replace(value, colors.label);
    if (variable === "primary-hover") return all.replace(value, colors.hovered(value));
    if (variable === "chart-1")
      return all.replace(value, colors.seen[light >= 0 && at > light ? "light" : "dark"]);
    return name === undefined || meaningful.test(name) ? all : inHue(all, colors);
  });
}

/** Or a comment, so that a colon in one isn't taken for a declaration's. */
const declaration = /\/\*[^]*?\*\/|([\w-]+):\s*([^;{}]+)(?=[;}])/g;
const meaningful = /^--(?:discord|destructive|success|warning|info|dispute|chart-[2-5]|color-sample)/;

/** The same for any text: every color of the design in it. */
export const inHue = (text: string, { turned }: Colors): string =>
  text.replaceAll(/(#[0-9a-f]{6})([0-9a-f]{2})?\b/g, (_, hex: string, alpha = "") => turned(hex) + alpha);

function tooMiddling(tone: Tone, dark: number, white: number): string {
  // 4.6 leaves room for what rounding takes
  const darker = hexOfLuminance(1.05 / 4.6 - 0.05, tone);
  const found = `black has ${short(dark)}:1 on it and white ${short(white)}:1`;
  return `must leave a button's text readable, with a contrast of 4.5:1, but ${found}. Take ${darker}, or a lighter one`;
}

const short = (ratio: number) => Math.floor(ratio * 100) / 100;

function seenOn(theme: Theme, color: string, tone: Tone): string {
  const ground = grounds[theme];
  if (contrast(color, ground) >= 3) return color;
  const wanted = luminanceOf(ground) + 0.05;
  return hexOfLuminance(theme === "dark" ? wanted * 3.1 - 0.05 : wanted / 3.1 - 0.05, tone);
}
