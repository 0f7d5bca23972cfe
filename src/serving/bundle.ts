import type { BunPlugin } from "bun";
import { basename, join, resolve } from "node:path";
import { type Colors, colorsFrom, inHue } from "@/brand/drawn/colors";
import type { Brand } from "@/brand/read";
import type * as Prerendered from "./prerender";
import { brandModules } from "./brand-modules";
import { root } from "./root";
import { compileStyles } from "./tailwind";
import { withHome } from "./with-home";
import { withoutStyleTags } from "./without-style-tags";

/** What the browser loads, by the paths in the pages' links. */
export type Bundle = {
  script: string;
  /** What every page carries itself: the script that it runs before its first paint, and its style sheet. */
  first: string;
  /** The script inside the page of the dashboard's home. */
  statusScript: string;
  styles: string;
  /** The chunk of a lazy `module` (a path below `src/web`) and everything it imports. */
  chunksOf(module: string): string[];
};

const naming = {
  entry: "assets/[name]-[hash].[ext]",
  chunk: "assets/[name]-[hash].[ext]",
  asset: "assets/[name]-[hash].[ext]",
};

const shared = {
  publicPath: "/",
  naming,
  define: { "process.env.NODE_ENV": '"production"', "import.meta.hot": "undefined" },
} as const;

/** Bundles scripts for the browser into `outdir`, with hashed names, and what pages carry themselves. */
export async function bundleForBrowser(outdir: string, brand: Brand): Promise<Bundle> {
  const colors = colorsFrom(brand.color);
  const plugins = [brandModules(brand), themeIn(colors)];
  const [built, first, statusScript, styles] = await Promise.all([
    Bun.build({
      ...shared,
      plugins: [withoutStyleTags, await withHome(), ...plugins],
      entrypoints: [join(root, "src/web/start.ts")],
      outdir,
      root: join(root, "src/web"),
      target: "browser",
      splitting: true,
      minChunkSize: 12_288,
      minify: true,
      // makes V8 compile during loading, off the main thread: https://v8.dev/blog/explicit-compile-hints
      banner: "//# allFunctionsCalledOnLoad",
      metafile: true,
    }),
    inlineScript("first.ts", plugins),
    inlineScript("early-status.ts", plugins),
    compileStyles(join(root, "src/web/styles/app.css"), colors),
  ]);
  const graph = outputGraph(built.metafile?.outputs ?? {});
  return {
    script: graph.named("src/web/start.ts"),
    first,
    statusScript,
    styles,
    chunksOf: (module) => graph.imports(graph.named(`src/web/${module}`)),
  };
}

/** Bundles the same screens for the server, so that their pictures get the same names, and imports them. */
export async function bundleForServer(outdir: string, brand: Brand): Promise<typeof Prerendered> {
  const built = await Bun.build({
    ...shared,
    plugins: [brandModules(brand, "server")],
    entrypoints: [join(root, "src/serving/prerender.tsx")],
    outdir,
    target: "bun",
  });
  const script = built.outputs.find((output) => output.kind === "entry-point");
  if (!script) throw new Error("The bundle for prerendering is empty");
  return import(script.path);
}

async function inlineScript(name: string, plugins: BunPlugin[]): Promise<string> {
  const built = await Bun.build({
    define: shared.define,
    plugins,
    entrypoints: [join(root, "src/web", name)],
    target: "browser",
    format: "iife",
    minify: true,
  });
  const text = (await built.outputs[0]?.text())?.trim();
  if (!text) throw new Error(`${name} is empty`);
  return inPage(text);
}

/** A script whose texts can neither end a `<script>` element nor begin what hides its end. */
export const inPage = (script: string): string => script.replaceAll(/<(?=!--|\/|script)/gi, "\\x3c");

/** The colors that a page gives the browser's own bars. */
const themeIn = (colors: Colors): BunPlugin => ({
  name: "theme",
  setup(build) {
    build.onLoad({ filter: /[\\/]web[\\/]page[\\/]theme\.ts$/ }, async ({ path }) => ({
      contents: inHue(await Bun.file(path).text(), colors),
      loader: "ts",
    }));
  },
});

type Outputs = NonNullable<Bun.BuildOutput["metafile"]>["outputs"];

function outputGraph(outputs: Outputs) {
  const byFile = new Map(Object.entries(outputs).map(([path, output]) => [basename(path), output]));
  return {
    named(source: string) {
      const wanted = join(root, source);
      // Bun names sources relative to the working directory, which could be any folder
      const found = Object.entries(outputs).find(
        ([, output]) => output.entryPoint !== undefined && resolve(output.entryPoint) === wanted,
      );
      if (!found) throw new Error(`No chunk was built from ${source}`);
      return urlOf(found[0]);
    },
    /** The file itself and everything it imports statically, in no particular order. */
    imports(url: string) {
      const seen = new Set<string>();
      const queue = [url];
      for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
        if (seen.has(next)) continue;
        seen.add(next);
        const output = byFile.get(basename(next));
        for (const used of output?.imports ?? [])
          if (used.kind === "import-statement") queue.push(urlOf(used.path));
      }
      return [...seen];
    },
  };
}

function urlOf(path: string) {
  return `/assets/${basename(path)}`;
}
