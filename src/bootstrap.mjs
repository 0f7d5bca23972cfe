// The one file that must run before anything is installed: plain JavaScript without dependencies, for node >= 18
// or Bun, whichever the machine has. It installs what bun.lock names, then hands over to the pinned Bun:
//
//   node src/bootstrap.mjs src/main.ts        is        bun src/main.ts, on a machine that has no Bun
//
// The version of Bun is pinned once, in package.json's devDependencies. Where only another one is there, that one is
// handed over to, and the program says what it needs (src/core/settings/bun-version.ts): restoring a backup can't wait for it.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, "node_modules");
const stamp = join(modules, ".installed");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const pinned = manifest.devDependencies.bun;
const oldestNode = 18;

await main(process.argv.slice(2)).catch((problem) => {
  console.error(problem.message);
  process.exit(1);
});

async function main(args) {
  if (!process.versions.bun && Number(process.versions.node.split(".")[0]) < oldestNode)
    throw new Error(
      `Node ${process.versions.node} is too old: node ${oldestNode} or newer, or Bun, is needed.`,
    );
  // In production the operator has installed what is needed, and the folder may be nobody's to write to.
  const isSettled = process.env.NODE_ENV === "production" && existsSync(modules);
  if (!isSettled && readIfThere(stamp) !== fingerprint()) await install();
  const bun = findBun() ?? nearestBun();
  if (!bun)
    throw new Error(
      `There is no Bun in ${modules} or on the PATH: run \`npx bun@${pinned} install --frozen-lockfile\` in ${root}, or install Bun ${pinned} from https://github.com/oven-sh/bun/releases/tag/bun-v${pinned}.`,
    );
  // one that was found on PATH is there already
  const first = isAbsolute(bun) ? `${dirname(bun)}${delimiter}` : "";
  const env = { ...process.env, PATH: `${first}${process.env.PATH}` };
  leaveAs(await run(() => spawn(bun, ["--no-orphans", ...args], { stdio: "inherit", env })));
}

/** What node_modules was installed from: another lock file, Bun or kind of machine means installing again. */
function fingerprint() {
  const lock = readFileSync(join(root, "bun.lock"));
  return createHash("sha256")
    .update(lock)
    .update(`${pinned} ${process.platform} ${process.arch}`)
    .digest("hex");
}

/** The pinned Bun: the one running this, the one in node_modules, or the one on PATH; never another version. */
function findBun() {
  if (process.versions.bun === pinned) return process.execPath;
  return installedBuns().find((path) => versionOf(path) === pinned);
}

/** Another patch release of the pinned Bun, or else any other version. */
function nearestBun() {
  const series = /^\d+\.\d+\./;
  const running = process.versions.bun ? [process.execPath] : [];
  const found = [...running, ...installedBuns()].filter((path) => series.test(versionOf(path)));
  const [wanted] = series.exec(pinned);
  return found.find((path) => versionOf(path).startsWith(wanted)) ?? found[0];
}

function installedBuns() {
  const vendor = join(modules, "@oven");
  const unpacked = existsSync(vendor)
    ? readdirSync(vendor).map((name) => join(vendor, name, "bin", "bun"))
    : [];
  // Where install scripts are off, node_modules/bun holds a stub, and only the package it unpacks from is real.
  return [join(modules, "bun", "bin", "bun.exe"), ...unpacked, "bun"];
}

/** Empty if it can't be run. */
function versionOf(bun) {
  return spawnSync(bun, ["--version"], { encoding: "utf8" }).stdout?.trim() ?? "";
}

async function install() {
  rmSync(stamp, { force: true });
  const started = Date.now();
  const [command, args] = installer();
  const env = {
    npm_config_fetch_retry_mintimeout: "1000",
    npm_config_fetch_retry_maxtimeout: "5000",
    ...process.env,
  };
  env.npm_config_ignore_scripts = "false";
  // npm tells its children which project they stand in; npx would then take that project's stub for Bun.
  delete env.npm_config_local_prefix;
  const said = [];
  const stopProgress = showProgress(() => said.join("").trim().split("\n").at(-1), started);
  const end = await run(() => {
    const child = spawn(command, args, { cwd: tmpdir(), env, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => said.push(String(text)));
    return child;
  }).finally(stopProgress);
  if (end.signal) leaveAs(end);
  if (end.code !== 0) throw new Error(whyNotInstalled(said.join(""), command));
  mkdirSync(modules, { recursive: true });
  writeFileSync(stamp, fingerprint());
  console.log(`Packages installed in ${((Date.now() - started) / 1000).toFixed(1)} s.`);
}

/** What installs: the pinned Bun if it is there, else the one that npx fetches, else any other Bun. */
function installer() {
  const args = ["install", "--frozen-lockfile", "--cwd", root];
  const bun = findBun();
  if (bun) return [bun, args];
  const npx = process.platform === "win32" ? "npx.cmd" : "npx";
  if (!spawnSync(npx, ["--version"]).error)
    return [npx, ["--yes", "--prefer-offline", `bun@${pinned}`, ...args]];
  if (process.versions.bun) return [process.execPath, args];
  throw new Error(`Neither npm nor Bun is on this machine's PATH: install one of them (Bun ${pinned}).`);
}

function whyNotInstalled(said, command) {
  const noNetwork =
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ConnectionRefused|FailedToOpenSocket|DNS/;
  if (noNetwork.test(said))
    return "No network: the package registry did not answer; connect and start again.";
  if (/ENOSPC|No space left/i.test(said)) return "The disk is full: the packages could not be installed.";
  if (/EACCES|EROFS|permission denied/i.test(said)) return `No permission to write below ${root}.`;
  return `The packages could not be installed; ${command} said:\n${said.trim()}`;
}

/** One living line on a terminal; elsewhere a plain line now and every ten seconds. Returns how to end it. */
function showProgress(lastLine, started) {
  const seconds = () => Math.round((Date.now() - started) / 1000);
  const living = process.stdout.isTTY;
  console.log(`Installing packages (Bun ${pinned} and what bun.lock names)…`);
  const timer = living
    ? setInterval(
        () => process.stdout.write(`\r\x1b[K  ${seconds()} s  ${(lastLine() ?? "").slice(0, 70)}`),
        200,
      )
    : setInterval(() => console.log(`  still installing, ${seconds()} s`), 10_000);
  return () => {
    clearInterval(timer);
    if (living) process.stdout.write("\r\x1b[K");
  };
}

/**
 * Waits for a child, passing on the signals that ask to stop, so that no child outlives this process. It listens for
 * them before the child starts: on a busy machine the child may be up before this process runs again.
 */
function run(start) {
  const signals = ["SIGTERM", "SIGINT", "SIGHUP"];
  let child;
  const passOn = (signal) => child.kill(signal);
  for (const signal of signals) process.on(signal, passOn);
  child = start();
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal }));
  }).finally(() => signals.forEach((signal) => process.off(signal, passOn)));
}

/** Ends as the child ended; a death by signal is told as shells tell it, 128 and the signal's number. */
function leaveAs({ code, signal }) {
  process.exit(signal ? 128 + constants.signals[signal] : code);
}

function readIfThere(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}
