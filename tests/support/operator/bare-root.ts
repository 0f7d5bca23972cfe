import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { codeFolder } from "@/operator/setup/machine/start-files";

/** Programs of the machine in a folder, by their names, as scripts of the shell. Returns the PATH that begins with it. */
export function putPrograms(folder: string, scripts: Record<string, string>): string {
  mkdirSync(folder, { recursive: true });
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  return `${folder}:${process.env["PATH"]}`;
}

/**
 * The root folder of a machine with systemd and Caddy, and programs that write down how they were called and change only
 * what is below it. Commands that run as another user stay this one's.
 */
export function openBareRoot(scripts: Record<string, string> = {}) {
  const below = mkdtempSync(join(tmpdir(), "latchkey-root-"));
  // others may enter, as in a root folder
  chmodSync(below, 0o711);
  const calls = join(below, "calls");
  const path = putPrograms(join(below, "programs"), {
    useradd: `echo "useradd $*" >> ${calls}; echo "latchkey:x:65534:65534::/:/usr/sbin/nologin" >> ${below}/etc/passwd`,
    systemctl: `echo "systemctl $*" >> ${calls}; [ "$1" != is-active ]`,
    ...scripts,
    runuser: `as="$1 $2"
while [ "$1" != -- ]; do shift; done; shift
case "$*" in "test -w ${codeFolder}"* | "test -w ${process.execPath}") [ -e ${below}/writable ]; exit ;; test*) ;; *) echo "runuser $as" >> ${calls} ;; esac
${scripts["runuser"] ?? 'exec "$@"'}`,
  });
  for (const folder of ["etc/caddy", "run/systemd/system"])
    mkdirSync(join(below, folder), { recursive: true });
  return {
    below,
    path,
    dataDir: join(below, "var/lib/latchkey"),
    backups: join(below, "var/backups/latchkey"),
    /** From now on the shop's user may write everywhere. */
    letsWrite: () => writeFileSync(join(below, "writable"), ""),
    at: (file: string) => join(below, file),
    put(file: string, text: string) {
      mkdirSync(dirname(join(below, file)), { recursive: true });
      writeFileSync(join(below, file), text);
    },
    /** How the programs were called since this was asked last. */
    calls(): string[] {
      const called = existsSync(calls) ? readFileSync(calls, "utf8").trim().split("\n") : [];
      rmSync(calls, { force: true });
      return called;
    },
    [Symbol.dispose]: () => rmSync(below, { recursive: true, force: true }),
  };
}
