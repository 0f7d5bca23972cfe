import { chmod, cp, mkdir, readdir, stat } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { environmentOf, lettingIn, readDockerfile, type Stage } from "./dockerfile";

const root = join(import.meta.dir, "../..");
/** Where an image built without an engine is: its root, and the folder that its commands run in. */
export type Built = { root: string; workdir: string; stage: Stage };

/**
 * Does what the Dockerfile says, in folders instead of layers: copies what `.dockerignore` lets in, runs each RUN,
 * and resolves to the last stage. The base image is a Bun of the right version and nothing else. Absolute paths
 * in RUN are those of the folder, and ownership is changed only where the user may.
 */
export async function buildImage(folder: string): Promise<Built> {
  const text = await Bun.file(join(root, "Dockerfile")).text();
  const letIn = lettingIn(await Bun.file(join(root, ".dockerignore")).text());
  const stages = new Map<string, Built>();
  let last: Built | undefined;
  for (const stage of readDockerfile(text)) {
    const own = join(folder, stage.name);
    const base = stages.get(stage.base);
    await (base ? share(base.root, own) : baseImage(own));
    last = { root: own, workdir: base ? join(own, relative(base.root, base.workdir)) : own, stage };
    for (const { name, flags, words, rest } of stage.instructions) {
      if (name === "WORKDIR") {
        last.workdir = join(own, rest);
        await mkdir(last.workdir, { recursive: true });
      } else if (name === "COPY") {
        const from = flags["from"] === undefined ? undefined : stages.get(flags["from"]);
        const to = words.at(-1) ?? "";
        for (const path of words.slice(0, -1)) {
          if (!from && !letIn(path)) throw new Error(`${path} is not let in`);
          const target = to.endsWith("/") ? join(last.workdir, to, basename(path)) : join(last.workdir, to);
          if (from) await share(join(from.root, path), target);
          else await cp(join(root, path), target, { recursive: true });
        }
      } else if (name === "RUN") await run(last, rest);
    }
    stages.set(stage.name, last);
  }
  if (!last) throw new Error("there is no stage");
  return last;
}

async function baseImage(folder: string): Promise<void> {
  const bin = join(folder, "usr/local/bin");
  await mkdir(bin, { recursive: true });
  await mkdir(join(folder, "tmp"));
  await chmod(join(folder, "tmp"), 0o1777);
  await cp(process.execPath, join(bin, "bun"));
}

/** Hard links to the same files, as layers have them: none of them is written to any more. */
async function share(from: string, to: string): Promise<void> {
  const child = Bun.spawn(["cp", "-rl", from, to], { stdout: "ignore", stderr: "inherit" });
  if ((await child.exited) !== 0) throw new Error(`${from} could not be copied`);
}

/** The environment of a command in the image. */
export const insideOf = (built: Built): Record<string, string> => ({
  ...environmentOf(built.stage),
  PATH: `${join(built.root, "usr/local/bin")}:/usr/bin:/bin`,
  HOME: join(built.root, "tmp"),
  TMPDIR: join(built.root, "tmp"),
});

async function run(built: Built, command: string): Promise<void> {
  const here = command
    .replace(/(?<= )\/(?=\w)/g, `${built.root}/`)
    .replaceAll("chown bun:bun", process.getuid?.() === 0 ? "chown nobody" : "true");
  const child = Bun.spawn(["sh", "-ec", here], {
    cwd: built.workdir,
    // what this folder already has is not fetched again
    env: { ...insideOf(built), BUN_INSTALL_CACHE_DIR: await packageCache() },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const errors = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`RUN ${command}: ${errors}`);
}

async function packageCache(): Promise<string> {
  const asked = Bun.spawn([process.execPath, "pm", "cache"], { cwd: root, stdout: "pipe", stderr: "ignore" });
  return (await new Response(asked.stdout).text()).trim();
}

/** The prefix that runs a command as a user who may write only their own files, as in a read-only container. */
export async function asNobody(built: Built): Promise<string[]> {
  if (process.getuid?.() === 0) {
    // a temporary folder belongs to the user who created it
    for (const folder of [dirname(built.root), built.root]) await chmod(folder, 0o755);
    return ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--"];
  }
  await Bun.spawn(["chmod", "-R", "a-w", built.workdir]).exited;
  return [];
}

/** Every file of the image with its size and age, except those in folders that may change. */
export async function filesOf(built: Built, but: string[]): Promise<string[]> {
  const entries = await readdir(built.root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((one) => one.isFile() && !one.parentPath.includes("node_modules"))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !but.some((folder) => path.startsWith(join(built.root, folder))));
  return Promise.all(
    files.toSorted().map(async (path) => {
      const { size, mtimeMs } = await stat(path);
      return `${path} ${size} ${mtimeMs}`;
    }),
  );
}
