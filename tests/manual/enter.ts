/**
 * Runs a command beside an empty machine, on which the manual can be followed exactly:
 *
 *     bun tests/manual/enter.ts COMMAND…
 *
 * The machine is this one's own system with everything that is written kept in memory, its own network of loopback
 * addresses, its own processes and its own systemd, and without this folder, Node, or what else is installed outside the
 * system's packages. COMMAND shares its network and finds it in `LATCHKEY_MACHINE` (its root folder) and
 * `LATCHKEY_MACHINE_PID` (its systemd). Where there can't be such a machine, COMMAND runs all the same, and
 * `LATCHKEY_MACHINE_LACKS` says why. Nothing outlives the command.
 */
import { existsSync, readdirSync } from "node:fs";
import { mkdir, mkdtemp, rm, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bootMachine, makeMachine } from "./machine";

const namespaces = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"];
const [stage = "", ...rest] = process.argv.slice(2);

if (stage === "--within") await within(rest);
else if (stage === "--connected") await connected(rest);
else await outside(process.argv.slice(2));

/** Decides whether there can be a machine, and takes care of what a namespace doesn't clean up by itself. */
async function outside(command: string[]): Promise<never> {
  const lacks = whatIsLacking();
  if (lacks) process.exit(await run(command, { LATCHKEY_MACHINE_LACKS: lacks }));
  const folder = await mkdtemp(join(tmpdir(), "latchkey-machine-"));
  const cgroup = ownCgroup();
  if (cgroup) await mkdir(cgroup);
  const env = { LATCHKEY_MACHINE_FOLDER: folder, LATCHKEY_MACHINE_CGROUP: cgroup ?? "" };
  const code = await run([...namespaces, ...again("--within"), ...command], env);
  if (cgroup) await removeCgroups(cgroup);
  await rm(folder, { recursive: true, force: true });
  process.exit(code);
}

/** In namespaces of its own, with the network of this machine, from which the packages come. */
async function within(command: string[]): Promise<never> {
  const folder = process.env["LATCHKEY_MACHINE_FOLDER"] ?? "";
  const { root, authority, lacks } = await makeMachine(folder);
  if (lacks) process.exit(await run(command, { LATCHKEY_MACHINE_LACKS: lacks }));
  const env = { LATCHKEY_MACHINE: root, NODE_EXTRA_CA_CERTS: authority };
  process.exit(await run(["unshare", "--net", ...again("--connected"), ...command], env));
}

/** The same, from now on with the machine's own network. */
async function connected(command: string[]): Promise<never> {
  const machine = await bootMachine(process.env["LATCHKEY_MACHINE"] ?? "");
  const settings: Record<string, string> =
    "pid" in machine
      ? { LATCHKEY_MACHINE_PID: String(machine.pid) }
      : { LATCHKEY_MACHINE_LACKS: machine.lacks };
  process.exit(await run(command, settings));
}

function again(stage: string): string[] {
  return [process.execPath, import.meta.path, stage];
}

async function run(command: string[], env: Record<string, string>): Promise<number> {
  const child = Bun.spawn(command, {
    env: { ...process.env, ...env },
    stdio: ["inherit", "inherit", "inherit"],
  });
  return child.exited;
}

function whatIsLacking(): string | null {
  if (process.platform !== "linux") return "an empty machine is made of Linux";
  if (process.getuid?.() !== 0) return "only root can make an empty machine";
  const missing = ["unshare", "nsenter", "mount", "chroot", "openssl", "curl"].filter(
    (name) => !Bun.which(name),
  );
  if (missing.length > 0) return `this machine has no ${missing.join(", ")}`;
  const tried = [
    "mount -t tmpfs none /mnt; mkdir /mnt/upper /mnt/work /mnt/root; mknod /mnt/null c 1 3",
    "mount -t overlay none -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work /mnt/root",
  ];
  const { exitCode } = Bun.spawnSync([...namespaces, "--net", "--cgroup", "sh", "-ec", tried.join("; ")]);
  return exitCode === 0 ? null : "this machine allows no namespaces, devices or overlays";
}

/** A folder below this process's own cgroup, so that the machine's systemd touches no other. */
function ownCgroup(): string | null {
  const mounted = ["/sys/fs/cgroup/unified", "/sys/fs/cgroup"].find((path) =>
    existsSync(join(path, "cgroup.procs")),
  );
  const listed = Bun.spawnSync(["cat", "/proc/self/cgroup"]).stdout.toString();
  const own = /^0::(.+)$/m.exec(listed)?.[1];
  return mounted && own ? join(mounted, own, `latchkey-machine-${process.pid}`) : null;
}

async function removeCgroups(path: string): Promise<void> {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await removeCgroups(join(path, entry.name));
  }
  // its processes were killed, and the kernel takes a moment to notice
  for (let attempt = 0; attempt < 50; attempt += 1) {
    if (
      await rmdir(path).then(
        () => true,
        () => false,
      )
    )
      return;
    await Bun.sleep(100);
  }
}
