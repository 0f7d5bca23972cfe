import type { BunPlugin } from "bun";

/**
 * Sonner inserts its styles by script, which a strict style-src refuses. The toaster adds them
 * as an object instead, and the insertion is taken out of the build.
 */
export const sonnerWithoutStyles: BunPlugin = {
  name: "sonner-without-styles",
  setup(build) {
    build.onLoad({ filter: /[\\/]sonner[\\/]dist[\\/]index\.m?js$/ }, async ({ path }) => ({
      contents: withoutInsertion(await Bun.file(path).text()),
      loader: "js",
    }));
  },
};

/** Throws when sonner has changed so that there is nothing to take out. */
export function withoutInsertion(source: string): string {
  const stripped = source.replace(/^__insertCSS\(".*"\);?$/m, "");
  if (stripped === source)
    throw new Error("sonner no longer inserts its styles by __insertCSS: look at its build again");
  return stripped;
}
