import { compile, optimize } from "@tailwindcss/node";
import { Scanner } from "@tailwindcss/oxide";
import type { BunPlugin } from "bun";
import { dirname, join } from "node:path";
import { colorsFrom, inColors } from "@/brand/drawn/colors";

/** Compiles the stylesheet that imports Tailwind. The published Bun plugin embeds an older Tailwind. */
export const tailwind: BunPlugin = {
  name: "tailwind",
  setup(build) {
    // `url("/fonts/…")` names a file in `public/`, which the shop serves unchanged
    build.onResolve({ filter: /^\/(?:fonts|images)\// }, ({ path }) => ({ path, external: true }));
    build.onLoad({ filter: /[\\/]styles[\\/]app\.css$/ }, async ({ path }) => ({
      contents: await compileStyles(path),
      loader: "css",
    }));
  },
};

/**
 * The compiled CSS of a stylesheet: imports resolved, with only the classes that its sources use, and in the colors of
 * a brand.
 */
export async function compileStyles(path: string, colors = colorsFrom()): Promise<string> {
  const beside = await Bun.file(join(dirname(path), "public.css")).text();
  const whole = (await Bun.file(path).text()).replace('@import "./public.css";', () => beside);
  const source = inColors(whole, colors);
  const compiler = await compile(source, { base: dirname(path), from: path, onDependency: () => {} });
  const candidates = new Scanner({ sources: compiler.sources }).scan();
  return optimize(compiler.build(candidates), { file: path, minify: true }).code;
}
