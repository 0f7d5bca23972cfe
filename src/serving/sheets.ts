import { join } from "node:path";
import { type Css, parseCss, printCss } from "./css";
import { ownStyles } from "./own-styles";
import { root } from "./root";
import { compileStyles } from "./tailwind";

/** A stylesheet of `web/styles`, as it is served. */
export type Sheet = {
  /** All of it but the typeface, which each page names itself. */
  href: string;
  /** The typeface's rules. */
  fonts: string;
  /** The typeface's rules, and what this markup needs of all others (`own-styles.ts`). */
  ownOf(markup: string): string;
};

/** Writes `web/styles/NAME.css`, compiled, below `outdir`, under a name that says its content. */
export async function writeSheet(outdir: string, name: string): Promise<Sheet> {
  const whole = parseCss(await compileStyles(join(root, `src/web/styles/${name}.css`)));
  // Named by both the page and the sheet, a typeface would be taken up anew when the sheet arrives.
  const css = printCss(whole.filter((block) => !isFont(block)));
  const href = `/assets/${name}-${Bun.hash(css).toString(36).slice(0, 8)}.css`;
  await Bun.write(join(outdir, href), css);
  return {
    href,
    fonts: printCss(whole.filter(isFont)),
    ownOf: (markup) => ownStyles(whole, markup),
  };
}

function isFont({ head }: Css) {
  return head === "@font-face";
}
