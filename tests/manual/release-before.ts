import { mkdir } from "node:fs/promises";
import { join } from "node:path";

const here = join(import.meta.dir, "../..");

/**
 * The last commit of the release before this one, by the version in `package.json`; or why there is none. In a clone
 * without its history the commit that changed the version is not there. `LATCHKEY_RELEASE_BEFORE` names another commit.
 */
export function releaseBefore(): { commit: string; version: string } | { none: string } {
  const named = process.env["LATCHKEY_RELEASE_BEFORE"];
  if (named) return { commit: named, version: named };
  const none = { none: "this clone's history holds no earlier release" };
  const changes = git("log", "--format=%H", "-G", '^  "version":', "--", "package.json");
  const [latest] = changes?.split("\n") ?? [];
  if (!latest) return none;
  const commit = git("rev-parse", "--verify", "--quiet", `${latest}^`);
  const manifest = commit ? git("show", `${commit}:package.json`) : null;
  if (!commit || !manifest) return none;
  return { commit, version: String(JSON.parse(manifest).version) };
}

/** Puts the files of a commit into a folder. */
export async function unpack(commit: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const script = `git archive "$1" | tar -x -C "$2"`;
  const { exitCode, stderr } = Bun.spawnSync(["sh", "-ec", script, "sh", commit, folder], { cwd: here });
  if (exitCode !== 0) throw new Error(stderr.toString());
}

function git(...words: string[]): string | null {
  const { exitCode, stdout } = Bun.spawnSync(["git", ...words], { cwd: here, stderr: "ignore" });
  return exitCode === 0 ? stdout.toString().trim() : null;
}
