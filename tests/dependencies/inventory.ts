import { existsSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "../..");

/** A package that a running shop is made of. */
export type Part = {
  name: string;
  version: string;
  /** The hash from the lock file, in the notation of subresource integrity. */
  integrity: string;
  /** According to its own manifest; null if it isn't installed here because it is for another system. */
  licence: string | null;
  /** Whether installing it would run a script. */
  installs: boolean;
};

type Needs = { dependencies?: Record<string, string>; optionalDependencies?: Record<string, string> };
type Locked = [id: string, from: string, needs: Needs & { hasInstallScript?: boolean }, integrity: string];
type Lock = { workspaces: { "": Needs }; packages: Record<string, Locked> };

/** The shop's dependencies and theirs from `bun.lock`, by name, without what only builds and tests need. */
export async function inventory(): Promise<Part[]> {
  // Bun writes the lock file as JSON with trailing commas
  const { default: lock }: { default: Lock } = await import(join(root, "bun.lock"));
  const found = new Map<string, Part>();
  const visit = async (needs: Needs, within: string) => {
    for (const name of Object.keys({ ...needs.dependencies, ...needs.optionalDependencies })) {
      const place = placeOf(lock, name, within);
      const locked = lock.packages[place];
      // not all of those for other systems are locked
      if (found.has(place) || (!locked && needs.optionalDependencies?.[name])) continue;
      if (!locked) throw new Error(`bun.lock lacks ${name}, which ${within} needs`);
      const [id, , own, integrity] = locked;
      const { hasInstallScript: installs = false } = own;
      const version = id.slice(id.lastIndexOf("@") + 1);
      found.set(place, { name, version, integrity, licence: await licenceAt(place), installs });
      await visit(own, place);
    }
  };
  await visit(lock.workspaces[""], "");
  const byName = Map.groupBy(found.values(), ({ name, version }) => `${name}@${version}`);
  return [...byName.values()].map(([one]) => one!).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The nearest one, resolved as Node does: `a/b` is in the folder of `a`. */
function placeOf({ packages }: Lock, name: string, within: string): string {
  for (let folder = within; folder !== ""; folder = folder.replace(/\/?(@[^/]+\/)?[^/]+$/, "")) {
    if (packages[`${folder}/${name}`]) return `${folder}/${name}`;
  }
  return name;
}

async function licenceAt(place: string): Promise<string | null> {
  const folder = place.match(/(@[^/]+\/)?[^/]+/g)!.join("/node_modules/");
  const manifest = join(root, "node_modules", folder, "package.json");
  if (!existsSync(manifest)) return null;
  const { license } = await Bun.file(manifest).json();
  return typeof license === "string" ? license : String(license?.type ?? "none");
}
