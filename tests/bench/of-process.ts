/** What Linux's /proc tells of a process. */
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";

/** Processor time so far (proc_pid_stat(5), in hundredths of a second); NaN elsewhere. */
export function processorSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return Number.NaN;
  }
}

/** Resident memory in MB; 0 elsewhere. */
export async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Math.round((Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024) / 1e6);
}
