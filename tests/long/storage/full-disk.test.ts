import { afterAll, beforeAll, expect, test } from "bun:test";
import { cp, mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hour, minute } from "@/contract/vocabulary/time";
import { fileClient } from "@/core/database/file-client";
import { mayMount, withOwnMounts } from "../../support/checks/own-mounts";
import { operateAlone, settingsOf } from "../../support/operator/run-operator";
import { openStage } from "../../support/shop/stage";
import { runProcess } from "../../support/operator/run-process";

const why = ["--reason", "a story"];
const scratch = await mkdtemp(join(tmpdir(), "latchkey-full-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));

/** A shop that is down, with one sale and one backup, and builds of an application. */
const data = join(scratch, "data");
const backups = join(scratch, "backups");
const release = join(scratch, "release");
let env: Record<string, string> = {};
beforeAll(async () => {
  await using stage = await openStage();
  await stage.buy();
  await stage.shop.worker.drain();
  env = settingsOf(stage);
  await operateAlone({ ...env, BACKUP_TO: backups }, "backup");
  await stage.shop.stop();
  await cp(stage.dataDir, data, { recursive: true });
  await Bun.write(join(release, "Wisp-Setup.exe"), crypto.getRandomValues(new Uint8Array(65_536)));
  await Bun.write(join(release, "notes.md"), "# One\n\nText.");
});

type Disk = { megabytes: number; leave: number };

/** Runs a program with its data on a disk of its own, which it fills but for some bytes; `left` is what the program left there. */
async function onDisk({ megabytes, leave }: Disk, filled: boolean, program: string, ...args: string[]) {
  const disk = await mkdtemp(join(scratch, "disk-"));
  const list = `${disk}-left`;
  const script = `mount -t tmpfs -o size=${megabytes}m latchkey ${disk}
    ${filled ? `cp -a ${data}/. ${disk}/` : ""}
    free=$(df --output=avail -B1 ${disk} | tail -n 1)
    head -c $((free > ${leave} ? free - ${leave} : 0)) /dev/zero > ${disk}/fill
    before=$(find ${disk} | sort)
    "$0" "$@" && code=0 || code=$?
    find ${disk} | sort | comm -13 <(echo "$before") - > ${list}
    exit $code`;
  const { DATABASE_URL: _, ...settings } = env;
  const inside = args.map((arg) => arg.replace("DISK", disk));
  const printed = await runProcess([...withOwnMounts, script, process.execPath, program, ...inside], {
    env: { PATH: process.env["PATH"] ?? "", ...settings, DATA_DIR: disk, PORT: "0" },
  });
  const left = (await Bun.file(list).text()).trim().replaceAll(disk, "").split("\n").filter(Boolean);
  return { ...printed, err: printed.err.replaceAll(disk, "DISK"), left };
}

const operator = (disk: Disk, ...args: string[]) => onDisk(disk, true, "src/operator/main.ts", ...args);
const nearlyFull = { megabytes: 24, leave: 36_864 };
const full = { megabytes: 24, leave: 0 };
/** What SQLite keeps beside a database that is open. */
const own = (left: string[]) => left.filter((path) => !path.startsWith("/shop.db-"));

test.skipIf(!mayMount)("publishing to a full disk says so, and leaves nothing behind", async () => {
  const { code, err, left } = await operator(nearlyFull, "releases", "publish", "1.0.0", release, ...why);
  expect({ code, err }).toEqual({
    code: 1,
    err: "The folder DISK/builds can't be used: its disk is full.\n",
  });
  expect(own(left).filter((path) => path !== "/builds")).toEqual([]);
});

test.skipIf(!mayMount)("an export to a full disk says so", async () => {
  const { code, err, left } = await operator(full, "export", "DISK/export", ...why);
  expect({ code, err }).toEqual({
    code: 1,
    err: "The folder DISK/export can't be used: its disk is full.\n",
  });
  expect(own(left)).toEqual(["/export"]);
});

test.skipIf(!mayMount)(
  "a backup on a full disk says so, also where one before could not say that it ended",
  async () => {
    const copied = await operator(nearlyFull, "backup", "--to", join(scratch, "more"));
    const sentence = "The database could not be copied: the disk is full or failing.\n";
    expect(copied).toMatchObject({ code: 1, err: sentence });
    expect(own(copied.left)).toEqual([]);
    const client = fileClient(join(data, "shop.db"), 1_000);
    const until = Date.now() + minute;
    await client.execute(
      `INSERT INTO leases (name, holder, until) VALUES ('backup', 'a dead process', ${until})`,
    );
    const stored = await operator(full, "backup", "--to", join(scratch, "more"));
    expect(stored).toMatchObject({
      code: 1,
      err: "The database can't be used: the disk is full. Nothing was changed; try again.\n",
    });
    await client.execute("DELETE FROM leases");
    client.close();
  },
);

test.skipIf(!mayMount)("a restore to a full disk says so, and leaves no half database", async () => {
  const disk = { megabytes: 1, leave: 65_536 };
  const { code, err, left } = await onDisk(disk, false, "src/operator/main.ts", "restore", backups, ...why);
  expect({ code, err }).toEqual({ code: 1, err: "The folder DISK can't be used: its disk is full.\n" });
  expect(left).toEqual([]);
});

test.skipIf(!mayMount)("a demo on a full disk says so", async () => {
  const before = env;
  env = {};
  try {
    const { code, err } = await onDisk({ megabytes: 1, leave: 0 }, false, "src/main.ts");
    expect(err).toBe(
      "The shop could not start: The folder DISK/demo/simulators can't be used: its disk is full.\n",
    );
    expect(code).toBe(1);
  } finally {
    env = before;
  }
});

test("a publish deletes what a killed one left half written, but not what another is writing", async () => {
  const builds = join(scratch, "killed", "builds");
  const settings = { ...env, DATA_DIR: data, BUILDS_URL: builds };
  const abandoned = join(builds, `.incoming-${crypto.randomUUID()}`);
  const recent = join(builds, `.incoming-${crypto.randomUUID()}`);
  const backup = join(backups, ".shop-2026-01-01T00-00-00.000Z.backup.part");
  for (const path of [abandoned, recent, backup]) await Bun.write(path, "half");
  const before = new Date(Date.now() - 2 * hour);
  for (const path of [abandoned, backup]) await utimes(path, before, before);
  const published = await operateAlone(settings, "releases", "publish", "1.0.0", release, ...why);
  expect(published).toMatchObject({ code: 0, err: "" });
  const names = await readdir(builds);
  expect(names.filter((name) => name.startsWith("."))).toEqual([recent.slice(builds.length + 1)]);
  expect((await operateAlone({ ...settings, BACKUP_TO: backups }, "backup")).code).toBe(0);
  expect((await readdir(backups)).filter((name) => name.startsWith("."))).toEqual([]);
});
