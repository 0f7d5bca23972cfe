import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { minute, second } from "@/contract/vocabulary/time";
import { program } from "../machine/program";
import {
  caddyFile,
  caddyOf,
  codeFolder,
  commandFile,
  commandOf,
  expectPlain,
  foregroundOf,
  isPackaged,
  type Machine,
  nginxFile,
  nginxOf,
  unitFile,
  unitOf,
} from "../machine/start-files";
import type { ShopUser } from "../machine/user";
import type { Ui } from "../ui/ui";
import { isProxied, machineOf, whatToOpen } from "./start";
import { configSoFar, type Setup } from "./state";

type Place = {
  /** Who runs the shop. */
  user: string;
  /** The folder that the machine's files are written below. */
  below: string;
  patienceMilliseconds?: number;
  run?: typeof program;
};

/**
 * What root does once everything is set up: writes the machine's files, starts the shop, and says what comes next.
 * False if the shop was started and isn't open.
 */
export async function startShop(setup: Setup, { user, below, ...waiting }: Place): Promise<boolean> {
  const { ui } = setup;
  const machine = { ...machineOf(setup), user };
  expectPlain(machine.folders);
  const hasCaddy = writeStartFiles(ui, machine, below);
  const hasSystemd = existsSync(join(below, "run/systemd/system"));
  if (!hasSystemd) ui.note("There is no systemd here. Start the shop:", foregroundOf(machine));
  const isOpen = hasSystemd ? await startBySystemd(setup, { hasCaddy, ...waiting }) : null;
  const link = "If you have no account yet, open the link above, or the one mailed to you. ";
  const next = isOpen ? "Now open" : "Once it runs, open";
  ui.note(`${ui.isTerminal ? link : ""}${next} ${whatToOpen(setup)}.`);
  return isOpen !== false;
}

/**
 * Writes systemd's unit, the command `shop`, and Caddy's file where Caddy is; what stands there already is left alone.
 * Returns whether Caddy's file is this one.
 */
export function writeStartFiles(ui: Ui, machine: Machine, below: string): boolean {
  const hasCaddy = existsSync(join(below, dirname(caddyFile))) && isProxied(machine);
  const write = (file: string, text: string, mode: number, then = "It needs") => {
    const isOurs = writeNew(join(below, file), text, mode);
    if (isOurs) ui.proved(`${file} is written.`);
    else ui.note(`There is another ${file}, which was left as it is. ${then}:`, text);
    return isOurs;
  };
  write(unitFile, unitOf(machine), 0o644);
  write(commandFile, commandOf(machine), 0o755);
  if (hasCaddy) {
    const file = join(below, caddyFile);
    if (existsSync(file) && isPackaged(readFileSync(file, "utf8"))) renameSync(file, `${file}.package`);
    return write(caddyFile, caddyOf(machine), 0o644, "Put this into it, and type systemctl reload caddy");
  }
  if (isProxied(machine)) ui.note(`For nginx, ${nginxFile}:`, nginxOf(machine));
  return false;
}

/** Writes the command `shop` before anything is set up, so that it continues a set-up that was left, or restores. */
export function writeCommand({ name, dataDir }: ShopUser, below: string): void {
  expectPlain([codeFolder, process.execPath, name, dataDir]);
  const text = commandOf({ root: codeFolder, bun: process.execPath, user: name, dataDir });
  writeNew(join(below, commandFile), text, 0o755);
}

/** False if another text stands there. */
function writeNew(file: string, text: string, mode: number): boolean {
  if (existsSync(file)) return readFileSync(file, "utf8") === text;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { flag: "wx" });
  // whatever root's umask
  chmodSync(file, mode);
  return true;
}

type Start = Omit<Place, "user" | "below"> & { hasCaddy: boolean };

/** Null if the person doesn't want it now. */
async function startBySystemd(
  setup: Setup,
  { hasCaddy, patienceMilliseconds = minute, run = program }: Start,
): Promise<boolean | null> {
  const { ui } = setup;
  const isRunning = (await run("systemctl", "is-active", "--quiet", "latchkey")).code === 0;
  const asks = isRunning ? "Restart the shop, so that it reads this?" : "Start the shop now?";
  const own = ["daemon-reload", "enable latchkey", "restart latchkey"];
  const all = hasCaddy ? [...own, "reload caddy"] : own;
  if (!(await ui.confirm({ name: "START", asks, proposal: true }))) {
    ui.note("Start it later:", all.map((words) => `systemctl ${words}`).join(" && "));
    return null;
  }
  const failed: string[] = [];
  for (const words of all) {
    const { code, said } = await run("systemctl", ...words.split(" "));
    if (code === 0) continue;
    failed.push(words);
    ui.note(`systemctl ${words} failed. ${instead(words)} It says:`, said);
  }
  if (failed.some((words) => own.includes(words))) return false;
  if (await ui.work("Waiting until the shop is open", () => opens(setup, patienceMilliseconds))) {
    ui.proved("The shop runs.");
    return true;
  }
  const { said } = await run("journalctl", "-u", "latchkey", "-n", "20", "--no-pager", "-o", "cat");
  ui.note("The shop isn't open yet. What journalctl -u latchkey -n 20 shows:", said);
  return false;
}

const instead = (words: string) =>
  words === "reload caddy"
    ? "If Caddy isn't running, type systemctl enable --now caddy."
    : `Once you know why, type systemctl ${words} again.`;

const pauseMilliseconds = 500;

async function opens(setup: Setup, patienceMilliseconds: number): Promise<boolean> {
  const { host, port } = configSoFar(setup);
  const named = host.includes(":") ? `[${host}]` : host;
  const url = `http://${/^(0\.0\.0\.0|\[::\])$/.test(named) ? "127.0.0.1" : named}:${port}/api/ready`;
  const deadline = Date.now() + patienceMilliseconds;
  for (;;) {
    const isReady = await fetch(url, { signal: AbortSignal.timeout(2 * second) }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady || Date.now() > deadline) return isReady;
    await Bun.sleep(pauseMilliseconds);
  }
}
