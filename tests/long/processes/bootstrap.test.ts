import { afterEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import manifest from "../../../package.json";
import { runProcess } from "../../support/operator/run-process";

const root = join(import.meta.dir, "../../..");
const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A version that no real Bun has, so that the stand-in on PATH is used whatever runs the bootstrap. */
const pinned = "0.0.0-story";

/** On PATH as `bun`: answers its version, records that it installed, and runs everything else for real. */
const bunStandIn = `#!/bin/sh
case "$1" in
  --version) echo "\${STAND_IN:-${pinned}}" ;;
  install) [ -e "$4/no-network" ] && { echo "error: ConnectionRefused downloading package manifest"; exit 1; }
           echo "$@" >> "$4/installs" ;;
  *) export RAN=stand-in; exec ${process.execPath} "$@" ;;
esac
`;

/** Prints when it is up; on SIGTERM takes a moment, as draining does, and prints that too. */
const server = `
process.on("SIGTERM", () => setTimeout(() => { console.log("drained"); process.exit(0); }, 50));
setInterval(() => {}, 1000);
console.log("ready " + process.pid);
`;

interface Project {
  folder: string;
  env: Record<string, string | undefined>;
}

function project(): Project {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-bootstrap-"));
  folders.push(folder);
  const scripts = { start: manifest.scripts.start };
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
  for (const name of ["src", "bin"]) mkdirSync(join(folder, name));
  cpSync(join(root, "src/bootstrap.mjs"), join(folder, "src/bootstrap.mjs"));
  write("package.json", JSON.stringify({ type: "module", scripts, devDependencies: { bun: pinned } }));
  write("bun.lock", "first");
  write("src/main.ts", server);
  write("src/exit.ts", "process.exit(Number(process.argv[2]));");
  write("src/ran.ts", "console.log(process.env.RAN ?? 'the one on this machine', process.env.PATH);");
  write("bin/bun", bunStandIn);
  chmodSync(join(folder, "bin/bun"), 0o755);
  // Bun first, so that `bun start` is the real one and the bootstrap's children find the stand-in.
  const env = { ...process.env, PATH: `${join(folder, "bin")}:${process.env.PATH}` };
  return { folder, env };
}

function start({ folder, env }: Project, command: string[]) {
  return Bun.spawn(command, { cwd: folder, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
}

const run = ({ folder, env }: Project, command: string[]) => runProcess(command, { cwd: folder, env });

function installsOf({ folder }: Project): number {
  const path = join(folder, "installs");
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n").length : 0;
}

/** Reads until the server says that it is up; resolves to its pid, and how to read what it says after that. */
async function untilReady(stream: ReadableStream<Uint8Array>) {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let output = "";
  const more = async () => {
    const { done, value } = await reader.read();
    output += decoder.decode(value);
    return !done;
  };
  while (!/ready \d+/.test(output) && (await more()));
  const pid = Number(/ready (\d+)/.exec(output)?.[1]);
  const rest = async () => {
    while (await more());
    return output;
  };
  return { pid, rest };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function untilGone(pid: number): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (isAlive(pid)) {
    if (Date.now() > deadline) throw new Error(`process ${pid} outlived what started it`);
    await Bun.sleep(10);
  }
}

const runtimes = [process.execPath, Bun.which("node")].filter((path) => path !== null);
for (const runtime of runtimes)
  describe(`the bootstrap under ${runtime.split("/").at(-1)}`, () => {
    const bootstrap = [runtime, "src/bootstrap.mjs"];

    test("in production uses the packages that are there, and installs no others", async () => {
      const at = project();
      mkdirSync(join(at.folder, "node_modules"));
      at.env["NODE_ENV"] = "production";
      expect((await run(at, [...bootstrap, "src/exit.ts", "7"])).code).toBe(7);
      expect(installsOf(at)).toBe(0);
    });

    test("when the pinned Bun is missing, production runs on another patch release of it, or else on any", async () => {
      const at = project();
      mkdirSync(join(at.folder, "node_modules"));
      at.env["NODE_ENV"] = "production";
      const ran = async (standIn: string) => {
        at.env["STAND_IN"] = standIn;
        const { out, err } = await run(at, [...bootstrap, "src/ran.ts"]);
        expect(err).toBe("");
        // no program of the current folder's
        expect(out).not.toContain(" .:");
        return out;
      };
      expect(await ran("0.0.9")).toStartWith("stand-in");
      const any = runtime === process.execPath ? "the one on this machine" : "stand-in";
      expect(await ran("9.9.9")).toContain(any);
      expect(installsOf(at)).toBe(0);
    });

    test("an exit code passes through", async () => {
      expect((await run(project(), [...bootstrap, "src/exit.ts", "3"])).code).toBe(3);
    });

    test("packages are installed once, and again when the lock file changed", async () => {
      const at = project();
      for (const _ of [1, 2]) await run(at, [...bootstrap, "src/exit.ts", "0"]);
      expect(installsOf(at)).toBe(1);
      writeFileSync(join(at.folder, "bun.lock"), "second");
      await run(at, [...bootstrap, "src/exit.ts", "0"]);
      expect(installsOf(at)).toBe(2);
      rmSync(join(at.folder, "node_modules"), { recursive: true });
      await run(at, [...bootstrap, "src/exit.ts", "0"]);
      expect(installsOf(at)).toBe(3);
      expect(readFileSync(join(at.folder, "installs"), "utf8")).toContain("--frozen-lockfile");
    });

    test("a missing network is named in one sentence, and the next start tries again", async () => {
      const at = project();
      writeFileSync(join(at.folder, "no-network"), "");
      const { err, code } = await run(at, [...bootstrap, "src/exit.ts", "0"]);
      expect(err.trim()).toBe("No network: the package registry did not answer; connect and start again.");
      expect(code).toBe(1);
      rmSync(join(at.folder, "no-network"));
      expect((await run(at, [...bootstrap, "src/exit.ts", "0"])).code).toBe(0);
    });

    test("SIGTERM lets the shop drain, and leaves nothing behind", async () => {
      const child = start(project(), [...bootstrap, "src/main.ts"]);
      const { pid, rest } = await untilReady(child.stdout);
      child.kill("SIGTERM");
      expect(await rest()).toContain("drained");
      expect(await child.exited).toBe(0);
      expect(isAlive(pid)).toBe(false);
    });

    test("a bootstrap that is killed takes the shop with it", async () => {
      const child = start(project(), [...bootstrap, "src/main.ts"]);
      const { pid } = await untilReady(child.stdout);
      child.kill("SIGKILL");
      await untilGone(pid);
    });
  });

test.skipIf(!Bun.which("node"))("without any Bun, one sentence says how to get the right one", async () => {
  const at = project();
  mkdirSync(join(at.folder, "node_modules"));
  const { err, code } = await run({ ...at, env: { NODE_ENV: "production", PATH: "" } }, [
    Bun.which("node") ?? "",
    "src/bootstrap.mjs",
    "src/exit.ts",
    "0",
  ]);
  expect(err).toBe(
    `There is no Bun in ${at.folder}/node_modules or on the PATH: run \`npx bun@${pinned} install --frozen-lockfile\` in ${at.folder}, or install Bun ${pinned} from https://github.com/oven-sh/bun/releases/tag/bun-v${pinned}.\n`,
  );
  expect(code).toBe(1);
});

const npm = Bun.which("npm");
const launchers = [[process.execPath, "start"], ...(npm && Bun.which("node") ? [[npm, "start"]] : [])];
for (const launcher of launchers)
  test(`SIGTERM to \`${launcher.join(" ").split("/").at(-1)}\` lets the shop drain, and leaves nothing behind`, async () => {
    const child = start(project(), launcher);
    const { pid, rest } = await untilReady(child.stdout);
    child.kill("SIGTERM");
    expect(await rest()).toContain("drained");
    await child.exited;
    await untilGone(pid);
  });

/** Loaded before the bootstrap: blocks it for half a second after it has started the shop, as a busy machine may. */
const holdsAfterStart = `
const children = require("node:child_process");
const { spawn } = children;
children.spawn = (...all) => {
  const child = spawn(...all);
  if (all[1].includes("src/main.ts")) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  return child;
};
require("node:module").syncBuiltinESMExports();
`;

test.skipIf(!Bun.which("node"))(
  "SIGTERM reaches a shop that was up before the bootstrap went on",
  async () => {
    const at = project();
    writeFileSync(join(at.folder, "hold.cjs"), holdsAfterStart);
    const child = start(at, ["node", "--require=./hold.cjs", "src/bootstrap.mjs", "src/main.ts"]);
    const { pid, rest } = await untilReady(child.stdout);
    child.kill("SIGTERM");
    expect(await rest()).toContain("drained");
    await untilGone(pid);
  },
);
