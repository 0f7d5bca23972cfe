export type Colour = { red: number; green: number; blue: number; alpha: number };

/** `#rgb`, `#rrggbb` or `#rrggbbaa`. */
export function colourOf(hex: string): Colour {
  const digits = /^#([0-9a-f]{3,8})$/.exec(hex)?.[1];
  if (!digits) throw new Error(`${hex} is no colour`);
  const whole = digits.length < 6 ? [...digits].map((digit) => digit + digit).join("") : digits;
  const [red = 0, green = 0, blue = 0, alpha = 255] = (whole.match(/../g) ?? []).map((pair) =>
    parseInt(pair, 16),
  );
  return { red, green, blue, alpha: alpha / 255 };
}

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrast(one: Colour, other: Colour): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance({ red, green, blue }: Colour): number {
  const linear = [red, green, blue].map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const [r = 0, g = 0, b = 0] = linear;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
