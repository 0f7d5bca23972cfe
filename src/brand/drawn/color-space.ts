/** A color as eyes see it (OKLCH, https://bottosson.github.io/posts/oklab/): how much color, and which. */
export type Tone = { lightness: number; chroma: number; hue: number };

/** Red, green and blue from 0 to 1. */
type Rgb = readonly [red: number, green: number, blue: number];

/** The contrast of two colors, from 1 to 21: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminanceOf(one), luminanceOf(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** The relative luminance of `#rrggbb`, from 0 to 1. */
export const luminanceOf = (hex: string): number => luminance(linearOf(hex));

export function toneOf(hex: string): Tone {
  const [red, green, blue] = linearOf(hex);
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  return { lightness, chroma: Math.hypot(a, b), hue: Math.atan2(b, a) };
}

/** `#rrggbb` of a tone, with less color where a screen can't show as much. */
export const hexOf = (tone: Tone): string => hexOfLinear(shown(tone));

/** `#rrggbb` of a tone's hue with that luminance, as near as a screen shows it. */
export function hexOfLuminance(wanted: number, { chroma, hue }: Tone): string {
  const lightness = bisect(0, 1, (tried) => luminance(shown({ lightness: tried, chroma, hue })) < wanted);
  return hexOfLinear(shown({ lightness, chroma, hue }));
}

function shown({ lightness, chroma, hue }: Tone): Rgb {
  const fits = (tried: number) =>
    linear(lightness, tried, hue).every((channel) => channel > -tiny && channel < 1 + tiny);
  const most = fits(chroma) ? chroma : bisect(0, chroma, fits);
  return linear(lightness, most, hue);
}

/** What rounding makes of a color at the edge of what screens show. */
const tiny = 1e-4;

function linear(lightness: number, chroma: number, hue: number): Rgb {
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

const luminance = ([red, green, blue]: Rgb) => 0.2126 * red + 0.7152 * green + 0.0722 * blue;

function linearOf(hex: string): Rgb {
  const [red = 0, green = 0, blue = 0] = (hex.slice(1).match(/../g) ?? []).map((pair) => {
    const channel = parseInt(pair, 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return [red, green, blue];
}

function hexOfLinear(rgb: Rgb): string {
  const digits = rgb.map((channel) => {
    const light = Math.min(Math.max(channel, 0), 1);
    const encoded = light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;
    return Math.round(encoded * 255)
      .toString(16)
      .padStart(2, "0");
  });
  return `#${digits.join("")}`;
}

/** Where `isBelow`, true at `low`, becomes false. */
function bisect(low: number, high: number, isBelow: (tried: number) => boolean): number {
  let [from, to] = [low, high];
  for (let step = 0; step < 32; step += 1) {
    const middle = (from + to) / 2;
    if (isBelow(middle)) from = middle;
    else to = middle;
  }
  return from;
}
