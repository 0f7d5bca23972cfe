import type { BunPlugin } from "bun";
import { basename } from "node:path";
import { partsOf } from "@/brand/parts";
import type { Brand } from "@/brand/read";

/**
 * Puts data in place of the modules of `src/brand`: pages carry neither what reads a brand nor what only staff and
 * emails use.
 */
export function brandModules(brand: Brand, target: "browser" | "server" = "browser"): BunPlugin {
  const modules = modulesOf(brand, target);
  return {
    name: "brand",
    setup(build) {
      build.onLoad({ filter: /[\\/]src[\\/]brand[\\/](?:legal[\\/])?[\w-]+\.ts$/ }, ({ path }) => {
        const contents = modules.get(basename(path, ".ts"));
        return contents === undefined ? undefined : { contents, loader: "js" };
      });
    },
  };
}

function modulesOf(brand: Brand, target: "browser" | "server"): Map<string, string> {
  const files: string[] = [];
  // a text that no brand can hold, because it is no path
  const parts = partsOf(brand, (file) => `\u0000${files.push(file) - 1}`);
  const { topics, hours } = parts.tickets.support;
  const { premium, offer, ...names } = parts.brand.brand;
  const { id, name, days } = offer;
  const { description, ...landing } = parts.landing.landing;
  const shown = {
    ...parts,
    texts: {},
    // for search engines, in the built page
    landing: { landing: target === "server" ? { description, ...landing } : landing },
    brand: { brand: { ...names, offer: { id, name, days }, premium: { name: premium.name } } },
    tickets: { support: { topics, hours } },
  };
  return new Map(Object.entries(shown).map(([name, exported]) => [name, moduleOf(exported, files)]));
}

/** A module with these exports; pictures are imported, so that the bundler hashes their names. */
function moduleOf(exported: object, files: readonly string[]): string {
  const used = new Set<number>();
  const lines = Object.entries(exported).map(([name, value]) => {
    const json = JSON.stringify(value) as string | undefined;
    const code = json?.replaceAll(/"\\u0000(\d+)"/g, (_, at: string) => {
      used.add(Number(at));
      return `file${at}`;
    });
    return `export const ${name} = ${code};\n`;
  });
  const imports = [...used].map((at) => `import file${at} from ${JSON.stringify(files[at])};\n`);
  return [...imports, ...lines].join("");
}
