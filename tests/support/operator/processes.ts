import { readdirSync, readFileSync } from "node:fs";

/** The arguments and the environment of a process and of all that it has started and that run, as anybody on Linux sees them. */
export function processesBelow(pid: number): string[] {
  const own = ["cmdline", "environ"].map((file) => textOf(`/proc/${pid}/${file}`));
  return [...own, ...childrenOf(pid).flatMap(processesBelow)];
}

const childrenOf = (pid: number): number[] =>
  threadsOf(pid)
    .flatMap((thread) => textOf(`/proc/${pid}/task/${thread}/children`).split(" "))
    .filter((child) => child !== "")
    .map(Number);

/** None of a process that has ended meanwhile. */
function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
