import { appendFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { places } from "./machine";
import { runProcess } from "../support/operator/run-process";
import { openTerminal } from "../support/operator/typist";

/** The machine beside which this runs, or why there is none; see `enter.ts`. */
const { LATCHKEY_MACHINE: root = "", LATCHKEY_MACHINE_PID: pid = "", LATCHKEY_MACHINE_LACKS } = process.env;
export const lacks =
  LATCHKEY_MACHINE_LACKS ?? (root && pid ? null : "it runs beside no machine: bun run test manual");

export type Outcome = { line: string; code: number; out: string; err: string };

/** The path by which the tests reach a file of the machine. */
export const inMachine = (path: string) => join(root, path);

export async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(inMachine(path)), { recursive: true });
  await Bun.write(inMachine(path), text);
}

export const add = (path: string, text: string) => appendFile(inMachine(path), text);

const enter = ["nsenter", "--target", pid, "--all", "--root", "env", "-i", `--chdir=${places.shop}`];
const home = [
  "HOME=/root",
  "TERM=xterm-256color",
  "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
];

/** Types a line as root in the shop's folder. */
async function type(line: string): Promise<Outcome> {
  const script = ["bash", "-ec", line];
  return { line, ...(await runProcess([...enter, ...home, ...script])) };
}

/** The same for a line that has to succeed; resolves to what it printed. */
export async function must(line: string): Promise<string> {
  const outcome = await type(line);
  if (outcome.code === 0) return outcome.out;
  const { out: log } = await type("journalctl --no-pager --lines 30 --output cat");
  throw new Error(
    `${line}\nended with ${outcome.code}\n${outcome.out}${outcome.err}\nthe machine's log:\n${log}`,
  );
}

/** Types a line at a terminal. */
export const atTerminal = (line: string) => openTerminal([...enter, ...home, "bash", "-ec", line], {});

const shell = "runuser -u latchkey -- env NODE_ENV=production DATA_DIR=/var/lib/latchkey bash";

/** Types a line in the shell of the shop's own user, perhaps with other settings. */
export const asShop = (line: string, others = "") =>
  `${shell} <<'END'\nset -ae; ${others}\nset +a; ${line}\nEND`;
