import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { contrast, colourOf, type Colour } from "../support/checks/contrast";

const css = readFileSync(join(import.meta.dir, "../../src/web/styles/app.css"), "utf8");
const themes = { dark: tokensOf('[data-theme="dark"]'), light: tokensOf('[data-theme="light"]') };

const grounds = ["background", "card", "popover", "sidebar", "well"];
const words = ["foreground", "soft", "muted-foreground", "link", "placeholder"];
const states = ["success", "warning", "info", "destructive-text", "dispute-text"];
/** The colour of a tint → the text on it. */
const tints = {
  success: "success",
  warning: "warning",
  info: "info",
  destructive: "destructive-text",
  dispute: "dispute-text",
};
const filled = { primary: "primary-foreground", "primary-hover": "primary-foreground" } as const;
const dangerous = {
  destructive: "destructive-foreground",
  "destructive-hover": "destructive-foreground",
} as const;

test("both themes give every token a value", () => {
  expect(Object.keys(themes.light).toSorted()).toEqual(Object.keys(themes.dark).toSorted());
});

for (const [theme, tokens] of Object.entries(themes)) {
  const colour = (name: string) => colourOf(tokens[name] ?? `no token ${name}`);
  const page = colour("background");
  const ground = (name: string) => over(colour(name), name === "well" ? colour("card") : page);

  test(`in the ${theme} theme text has 4.5:1 on every ground`, () => {
    const low = grounds.flatMap((on) =>
      [...words, ...states].flatMap((text) =>
        tooLow(4.5, `${text} on ${on}`, over(colour(text), ground(on)), ground(on)),
      ),
    );
    expect(low).toEqual([]);
  });

  test(`in the ${theme} theme text has 4.5:1 on hovered and selected rows`, () => {
    const low = ["accent", "secondary", "muted", "sidebar-accent"].flatMap((on) =>
      ["foreground", "muted-foreground"].flatMap((text) =>
        tooLow(4.5, `${text} on ${on}`, colour(text), ground(on)),
      ),
    );
    expect(low).toEqual([]);
  });

  test(`in the ${theme} theme a state's text has 4.5:1 on its tint of 10 %`, () => {
    const low = ["background", "card", "popover"].flatMap((on) =>
      Object.entries(tints).flatMap(([tint, text]) => {
        const tinted = over({ ...colour(tint), alpha: 0.1 }, ground(on));
        return tooLow(4.5, `${text} on its tint on ${on}`, colour(text), tinted);
      }),
    );
    expect(low).toEqual([]);
  });

  test(`in the ${theme} theme buttons' labels have 4.5:1, and fields' borders and focus rings 3:1`, () => {
    const labels = Object.entries({ ...filled, ...dangerous }).flatMap(([on, text]) =>
      tooLow(4.5, `${text} on ${on}`, colour(text), colour(on)),
    );
    const lines = ["background", "card", "popover"].flatMap((on) =>
      ["input", "ring"].flatMap((line) =>
        tooLow(3, `${line} on ${on}`, over(colour(line), ground(on)), ground(on)),
      ),
    );
    expect([...labels, ...lines]).toEqual([]);
  });
}

test("contrast is computed as WCAG does", () => {
  expect(contrast(colourOf("#ffffff"), colourOf("#000"))).toBe(21);
  expect(contrast(colourOf("#ffffff"), colourOf("#7f74e2"))).toBeCloseTo(3.82, 2);
  expect(over(colourOf("#00000080"), colourOf("#fff")).red).toBeCloseTo(127, 0);
  expect(tooLow(4.5, "white on primary", colourOf("#fff"), colourOf("#7f74e2"))).toEqual([
    "white on primary: 3.82",
  ]);
});

/** The custom properties of the rule with that selector. */
function tokensOf(selector: string): Record<string, string> {
  const rule = css.slice(css.indexOf(`${selector} {`));
  const body = rule.slice(0, rule.indexOf("\n}"));
  return Object.fromEntries(
    [...body.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = "", value = ""]) => [name, value]),
  );
}

/** What is seen where a colour lies on an opaque one. */
function over(top: Colour, { red, green, blue }: Colour): Colour {
  const mix = (above: number, below: number) => above * top.alpha + below * (1 - top.alpha);
  return { red: mix(top.red, red), green: mix(top.green, green), blue: mix(top.blue, blue), alpha: 1 };
}

function tooLow(least: number, what: string, text: Colour, ground: Colour): string[] {
  const ratio = contrast(text, ground);
  return ratio < least ? [`${what}: ${ratio.toFixed(2)}`] : [];
}
