import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Seconds. */
export interface RunTimes {
  wall: number;
  user: number;
  system: number;
}

/**
 * What this run has taken: the processor's time of this process and of all its children that have ended, and the wall
 * time since `src/bootstrap.mjs` began, which installs what is missing. Without /proc, those of this process alone:
 * proc_pid_stat(5).
 */
export function runTimes(): RunTimes {
  const { user, system } = process.cpuUsage();
  const own = { wall: process.uptime(), user: user / 1e6, system: system / 1e6 };
  if (!existsSync("/proc/self/stat")) return own;
  const begun = isBootstrap(process.ppid) ? process.ppid : "self";
  return {
    wall: Number(read("/proc/uptime").split(" ")[0]) - statOf(begun, 19),
    user: own.user + statOf("self", 13),
    system: own.system + statOf("self", 14),
  };
}

const isBootstrap = (pid: number) => read(`/proc/${pid}/cmdline`).includes("src/bootstrap.mjs");

/** One of a process's times in seconds, by its place after the name. */
const statOf = (pid: number | "self", at: number) => Number(fieldsOf(pid)[at]) / ticksInSecond;

/** The fields of proc_pid_stat(5) after the name; none if the process has ended. */
const fieldsOf = (pid: number | string): string[] =>
  read(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ").filter(Boolean) ?? [];

const ticksInSecond = 100;

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/**
 * Adds up the processor's time of a process and of all that come from it, of which nobody may wait for the end, such as
 * Chromium's. `stop` returns seconds; a process that lives for less than a quarter of one may be missed. Null without
 * /proc.
 */
export function watchTree(root: number): { stop(): { user: number; system: number } } | null {
  if (!existsSync("/proc/self/stat")) return null;
  const seen = new Map<string, { user: number; system: number }>();
  const look = () => {
    const rows = readdirSync("/proc").flatMap((name) => {
      const fields = /^\d+$/.test(name) ? fieldsOf(name) : [];
      return fields.length > 0 ? [{ pid: Number(name), parent: Number(fields[1]), fields }] : [];
    });
    const tree = new Set([root]);
    // a child may stand before its parent
    for (let before = 0; before < tree.size;) {
      before = tree.size;
      for (const { pid, parent } of rows) if (tree.has(parent)) tree.add(pid);
    }
    for (const { pid, fields } of rows) {
      const [user = 0, system = 0] = [11, 12].map((at) => Number(fields[at]) / ticksInSecond);
      if (tree.has(pid)) seen.set(`${pid} ${fields[19]}`, { user, system });
    }
  };
  const timer = setInterval(look, 250);
  return {
    stop() {
      clearInterval(timer);
      const all = [...seen.values()];
      const sumOf = (which: "user" | "system") => all.reduce((sum, one) => sum + one[which], 0);
      return { user: sumOf("user"), system: sumOf("system") };
    },
  };
}

/** `612` → `10 min 12 s`. */
export function minutes(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
