/**
 * Preloaded into a process of Bun's: kills it before a change of files, or half-way through writing one. `KILLED_AT` is
 * the change's number, or `renameSync@2` for the second call of a function.
 */
const fs = process.getBuiltinModule("node:fs");
const [name, passes] = (process.env["KILLED_AT"] ?? "").split("@");
let left = Number(passes ?? name);
const reach = () => (left -= 1) === 0;
const die = () => process.kill(process.pid, "SIGKILL");

const changes = [
  "mkdirSync",
  "rmSync",
  "openSync",
  "fchmodSync",
  "writeFileSync",
  "fsyncSync",
  "renameSync",
] as const;
for (const change of changes.filter((one) => passes === undefined || one === name)) {
  const act = fs[change] as (...given: unknown[]) => unknown;
  const counted = (...given: unknown[]) => {
    if (reach()) die();
    if (change === "writeFileSync" && reach()) {
      const [file, content, ...options] = given as [unknown, string | Uint8Array, ...unknown[]];
      act(file, content.slice(0, content.length / 2), ...options);
      die();
    }
    return act(...given);
  };
  Object.assign(fs, { [change]: counted });
}
