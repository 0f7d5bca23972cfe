import { readFileSync } from "node:fs";

/** Seconds. */
export interface RunTimes {
  wall: number;
  user: number;
  system: number;
}

/**
 * What this run has taken: the processor's time of this process and of all its children that have ended, and the wall
 * time since `src/bootstrap.mjs` began, which installs what is missing. NaN where there is no /proc: proc_pid_stat(5).
 */
export function runTimes(): RunTimes {
  const { user, system } = process.cpuUsage();
  const [childrenUser, childrenSystem] = [13, 14].map((at) => statOf("self", at)) as [number, number];
  const begun = isBootstrap(process.ppid) ? process.ppid : "self";
  return {
    wall: Number(read("/proc/uptime").split(" ")[0]) - statOf(begun, 19),
    user: user / 1e6 + childrenUser,
    system: system / 1e6 + childrenSystem,
  };
}

const isBootstrap = (pid: number) => read(`/proc/${pid}/cmdline`).includes("src/bootstrap.mjs");

/** A field of a process's times in seconds, counted from the field after its name. */
function statOf(pid: number | "self", at: number): number {
  const fields = read(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ") ?? [];
  return Number(fields[at]) / ticksInSecond;
}

const ticksInSecond = 100;

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** `612` → `10 min 12 s`. */
export const minutes = (seconds: number) => `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
