import { existsSync } from "node:fs";
import { cp, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { lettingIn } from "../image/dockerfile";
import { differ, nextRelease } from "../support/shop/other-release";

const here = join(import.meta.dir, "../..");
/** Where the things are that the manual's reader brings: see `manual.test.ts`. */
export const places = { shop: "/opt/latchkey", next: "/srv/next", authority: "/srv/authority.pem" };

/** Not on a bare host: the tests' own folder, this machine's other programs, and other people's files. */
const hidden = ["/opt", "/srv", "/home", "/root", "/usr/local", "/tmp", "/run", "/mnt"];
const removed = [
  ...["node", "npm", "npx", "bun", "bunx"].map((name) => `usr/bin/${name}`),
  // a shop that this machine runs itself
  "var/lib/latchkey",
  "etc/latchkey.env",
  "etc/systemd/system/latchkey.service",
  "etc/nginx/conf.d/latchkey.conf",
];
/** Of a system's units only those that an empty machine in a namespace may have: none that sets up a computer. */
const noUnits = [
  "systemd-udevd.service",
  "systemd-udev-trigger.service",
  "systemd-udevd-kernel.socket",
  "systemd-udevd-control.socket",
  "systemd-modules-load.service",
  "systemd-sysctl.service",
  "systemd-binfmt.service",
  "systemd-remount-fs.service",
  "systemd-journal-flush.service",
  "systemd-tmpfiles-setup-dev.service",
  "systemd-update-utmp.service",
  "systemd-resolved.service",
  "systemd-networkd.service",
  "systemd-timesyncd.service",
  "dev-hugepages.mount",
  "dev-mqueue.mount",
  "sys-kernel-debug.mount",
  "sys-kernel-tracing.mount",
  "sys-kernel-config.mount",
  "sys-fs-fuse-connections.mount",
  "proc-sys-fs-binfmt_misc.automount",
];

/** Programs that the manual's steps name beside Bun, by a file of their package. */
const packages: Record<string, string> = {
  "usr/sbin/nginx": "nginx-light",
  "usr/sbin/postfix": "postfix",
  "usr/bin/systemd-analyze": "systemd",
  "usr/bin/pgrep": "procps",
  // under either path, by the distribution's age
  "sbin/ip": "iproute2",
};

/** `lacks` says why the machine can't be used. */
type Machine = { root: string; authority: string; lacks: string | null };

/**
 * The machine's root folder, made of this machine's system; `authority` is the certificate that vouches for
 * `https://shop.example.com`. Must run in a mount namespace of its own.
 */
export async function makeMachine(folder: string): Promise<Machine> {
  mount("tmpfs", "tmpfs", folder);
  const root = join(folder, "root");
  for (const name of ["upper", "work", "root"]) await mkdir(join(folder, name));
  mount("overlay", "overlay", root, `lowerdir=/,upperdir=${folder}/upper,workdir=${folder}/work`);
  for (const path of hidden) {
    await mkdir(join(root, path), { recursive: true });
    mount("tmpfs", "tmpfs", join(root, path), path === "/tmp" ? "mode=1777" : "mode=0755");
  }
  await makeDevices(root);
  mount("tmpfs", "tmpfs", join(root, "sys"));
  mount("proc", "proc", join(root, "proc"));
  // this folder, unless it is below one of those or on a disk that the machine doesn't have
  if (existsSync(join(root, here))) mount("tmpfs", "tmpfs", join(root, here));
  await Promise.all(removed.map((path) => rm(join(root, path), { recursive: true, force: true })));
  Bun.spawnSync(["chroot", root, "userdel", "latchkey"]);
  const lacks = addPackages(root);
  await bringFiles(root);
  await makeAuthority(root);
  await Bun.write(join(root, "etc/hosts"), hosts);
  Bun.spawnSync(["mount", "--bind", join(root, "etc/hosts"), "/etc/hosts"]);
  await quietUnits(root);
  return { root, authority: join(root, places.authority), lacks };
}

const hosts = ["127.0.0.1 localhost shop.example.com mail.example.com", "::1 localhost", ""].join("\n");

/**
 * Gives the network its addresses, loopback and those that the manual names for other machines, and starts the
 * machine's systemd. Resolves to its process, or to why it doesn't start.
 */
export async function bootMachine(root: string): Promise<{ pid: number } | { lacks: string }> {
  const manual = await Bun.file(join(here, "docs/operations.md")).text();
  command("chroot", root, "ip", "link", "set", "lo", "up");
  for (const address of new Set(manual.match(/\b10\.0\.0\.\d+\b/g))) {
    command("chroot", root, "ip", "address", "add", `${address}/32`, "dev", "lo");
  }
  const cgroup = process.env["LATCHKEY_MACHINE_CGROUP"] ?? "";
  const script = [
    ...(cgroup ? [`echo $$ > ${cgroup}/cgroup.procs`] : []),
    `exec unshare --mount --pid --fork --kill-child --uts --ipc --cgroup sh -ec '`,
    `  mount -t proc proc ${root}/proc`,
    `  mount --bind ${root}/proc/sys ${root}/proc/sys && mount -o remount,ro,bind ${root}/proc/sys`,
    `  mkdir -p ${root}/sys/fs/cgroup && mount -t cgroup2 none ${root}/sys/fs/cgroup`,
    `  exec env -i container=lxc PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot ${root} /lib/systemd/systemd`,
    `'`,
  ].join("\n");
  const child = Bun.spawn(["sh", "-ec", script], { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  const deadline = Date.now() + 20_000;
  while (Date.now() < deadline && child.exitCode === null) {
    const listed = await Bun.file(`/proc/${child.pid}/task/${child.pid}/children`)
      .text()
      .catch(() => "");
    const pid = Number(listed.trim());
    const asked = ["nsenter", "--target", String(pid), "--all", "--root", "systemctl", "is-system-running"];
    if (pid && /running|degraded/.test(Bun.spawnSync(asked).stdout.toString())) return { pid };
    await Bun.sleep(100);
  }
  child.kill("SIGKILL");
  return { lacks: `systemd does not start in a namespace here: ${await new Response(child.stderr).text()}` };
}

function mount(type: string, from: string, to: string, options?: string): void {
  command("mount", "-t", type, ...(options ? ["-o", options] : []), from, to);
}

function command(...words: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(words, { stdin: "ignore" });
  const output = [stdout, stderr].map(String);
  if (exitCode !== 0) throw new Error(`${words.join(" ")}: ${exitCode} ${output.join(" ")}`);
  return output[0] ?? "";
}

async function makeDevices(root: string): Promise<void> {
  const dev = join(root, "dev");
  mount("tmpfs", "tmpfs", dev, "mode=0755");
  const numbers = { null: "1 3", zero: "1 5", full: "1 7", random: "1 8", urandom: "1 9", tty: "5 0" };
  for (const [name, number] of Object.entries(numbers)) {
    command("mknod", "-m", "666", join(dev, name), "c", ...number.split(" "));
  }
  for (const name of ["pts", "shm"]) await mkdir(join(dev, name));
  mount("devpts", "devpts", join(dev, "pts"), "newinstance,ptmxmode=0666");
  mount("tmpfs", "tmpfs", join(dev, "shm"));
  const links = {
    fd: "/proc/self/fd",
    stdin: "/proc/self/fd/0",
    stdout: "/proc/self/fd/1",
    stderr: "/proc/self/fd/2",
  };
  for (const [name, to] of Object.entries({ ...links, ptmx: "pts/ptmx" }))
    command("ln", "-s", to, join(dev, name));
}

/**
 * In a continuous integration run, what this machine lacks comes from its distribution, onto the empty machine alone.
 * Returns what is still missing.
 */
function addPackages(root: string): string | null {
  const missing = () =>
    Object.entries(packages).flatMap(([file, name]) => (existsSync(join(root, file)) ? [] : [name]));
  if (missing().length > 0 && process.env["CI"] && Bun.which("apt-get")) {
    command("cp", "--dereference", "--remove-destination", "/etc/resolv.conf", join(root, "etc/resolv.conf"));
    const script = [
      // nothing is started: the machine isn't running yet
      "printf '#!/bin/sh\\nexit 101\\n' > /usr/sbin/policy-rc.d; chmod 755 /usr/sbin/policy-rc.d",
      "echo postfix postfix/main_mailer_type select No configuration | debconf-set-selections",
      "apt-get -q update",
      `apt-get -q install --yes --no-install-recommends ${missing().join(" ")}`,
    ].join("\n");
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const { exitCode, stderr } = Bun.spawnSync(["chroot", root, "sh", "-ec", script], {
      stdin: "ignore",
      env,
    });
    if (exitCode !== 0) return `the packages can't be installed: ${stderr.toString().trim()}`;
  }
  return missing().length > 0 ? `this machine has no ${missing().join(", ")}` : null;
}

/** What the manual has the reader bring: Node and npm, for which Bun stands in, the shop's files, and the next release's. */
async function bringFiles(root: string): Promise<void> {
  await mkdir(join(root, "usr/local/bin"), { recursive: true });
  await cp(process.execPath, join(root, "usr/local/bin/bun"));
  const npm = '#!/bin/sh\nshift 2\nexec bun src/bootstrap.mjs src/operator/main.ts "$@"\n';
  await writeFile(join(root, "usr/local/bin/npm"), npm, { mode: 0o755 });
  const letIn = lettingIn(await Bun.file(join(here, ".dockerignore")).text());
  for (const name of (await readdir(here)).filter(letIn)) {
    await cp(join(here, name), join(root, places.shop, name), { recursive: true });
  }
  // what this machine has fetched is not fetched again
  const cache = command(process.execPath, "pm", "cache").trim();
  const there = join(
    root,
    "root",
    cache.startsWith(homedir()) ? cache.slice(homedir().length) : ".bun/install/cache",
  );
  await mkdir(there, { recursive: true });
  command("mount", "--bind", cache, there);
  const next = join(root, places.next);
  await cp(join(root, places.shop), next, { recursive: true });
  await differ(next, nextRelease);
}

/** In place of certbot's: an authority of its own, which the tests and the machine's curl trust. */
async function makeAuthority(root: string): Promise<void> {
  const folder = join(root, "etc/letsencrypt/live/shop.example.com");
  await mkdir(folder, { recursive: true });
  await mkdir(dirname(join(root, places.authority)), { recursive: true });
  const [authority, key] = [join(root, places.authority), join(folder, "privkey.pem")];
  const made = [
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-days",
    "2",
    "-subj",
    "/CN=shop.example.com",
  ];
  const names = ["-addext", "subjectAltName=DNS:shop.example.com"];
  command("openssl", ...made, ...names, "-keyout", key, "-out", authority);
  await cp(authority, join(folder, "fullchain.pem"));
}

async function quietUnits(root: string): Promise<void> {
  const units = join(root, "etc/systemd/system");
  await mkdir(units, { recursive: true });
  for (const name of noUnits) command("ln", "-sfn", "/dev/null", join(units, name));
  await rm(join(units, "default.target"), { force: true });
  await Bun.write(join(units, "default.target"), "[Unit]\nDescription=An empty machine\nAllowIsolate=yes\n");
  await Bun.write(join(root, "etc/machine-id"), "");
}
