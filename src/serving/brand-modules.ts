import type { BunPlugin } from "bun";
import { randomUUID } from "node:crypto";
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
      build.onLoad({ filter: /[\\/]src[\\/]brand[\\/][\w-]+\.ts$/ }, ({ path }) => {
        const contents = modules.get(basename(path, ".ts"));
        return contents === undefined ? undefined : { contents, loader: "js" };
      });
    },
  };
}

function modulesOf(brand: Brand, target: "browser" | "server"): Map<string, string> {
  // by texts that no brand can know
  const files = new Map<string, string>();
  const parts = partsOf(brand, (file) => {
    const place = randomUUID();
    files.set(place, file);
    return place;
  });
  const { topics, hours } = parts.tickets.support;
  const { premium, offer, ...names } = parts.brand.brand;
  const { id, name, days } = offer;
  const { description, ...landing } = parts.landing.landing;
  const shown = {
    ...parts,
    legal: { ...parts.legal, texts: {} },
    // for search engines, in the built page
    landing: { landing: target === "server" ? { description, ...landing } : landing },
    brand: { brand: { ...names, offer: { id, name, days }, premium } },
    tickets: { support: { topics, hours } },
  };
  return new Map(Object.entries(shown).map(([name, exported]) => [name, moduleOf(exported, files)]));
}

/** A module with these exports; pictures are imported, so that the bundler hashes their names. */
function moduleOf(exported: object, files: ReadonlyMap<string, string>): string {
  const imports: string[] = [];
  function literal(value: unknown): string {
    const file = typeof value === "string" ? files.get(value) : undefined;
    if (file !== undefined) {
      const name = `file${imports.length}`;
      imports.push(`import ${name} from ${JSON.stringify(file)};\n`);
      return name;
    }
    if (Array.isArray(value)) return `[${value.map(literal).join(",")}]`;
    if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
    const fields = Object.entries(value).filter(([, one]) => one !== undefined);
    return `{${fields.map(([key, one]) => `${literalKey(key)}:${literal(one)}`).join(",")}}`;
  }
  const lines = Object.entries(exported).map(
    ([name, value]) => `export const ${name} = ${literal(value)};\n`,
  );
  return [...imports, ...lines].join("");
}

/** In brackets, or `__proto__` would be no field. */
const literalKey = (key: string): string => (key === "__proto__" ? `["${key}"]` : JSON.stringify(key));
