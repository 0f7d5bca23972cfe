import type { BunPlugin } from "bun";
import { dirname, join } from "node:path";
import { root } from "./root";

const web = join(root, "src/web");
const home = ["frame/frame", "home/home"].map((module) => join(web, `screens/dashboard/${module}.tsx`));

/** What is shown in the dashboard's frame, which is loaded by then; other pages load no more than they need. */
const framed = /\/screens\/dashboard\/|\/parts\/shortcuts\./;

/**
 * Has each late part of the dashboard import its home. Bun makes a file of the modules that the same late parts use,
 * which cuts home into forty: each a request, and on a slow line a wait. Like this most of them are one file.
 */
export async function withHome(): Promise<BunPlugin> {
  const late = await lateParts();
  return {
    name: "with-home",
    setup(build) {
      build.onLoad({ filter: /\.tsx$/ }, async ({ path }) => {
        if (!late.has(path)) return undefined;
        const imports = home
          .filter((module) => module !== path)
          .map((module) => `import ${JSON.stringify(module)};\n`);
        return { contents: imports.join("") + (await Bun.file(path).text()), loader: "tsx" };
      });
    },
  };
}

/** The files that `import()` names. */
async function lateParts(): Promise<Set<string>> {
  const read = { ts: new Bun.Transpiler({ loader: "ts" }), tsx: new Bun.Transpiler({ loader: "tsx" }) };
  const named = new Set<string>();
  for (const file of new Bun.Glob("**/*.{ts,tsx}").scanSync({ cwd: web, absolute: true })) {
    for (const { kind, path } of read[file.endsWith("x") ? "tsx" : "ts"].scanImports(
      await Bun.file(file).text(),
    )) {
      if (kind !== "dynamic-import" || !path.startsWith(".")) continue;
      const part = Bun.resolveSync(path, dirname(file));
      if (framed.test(part.replaceAll("\\", "/"))) named.add(part);
    }
  }
  return named;
}
