import { afterAll, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hour, minute } from "@/contract/vocabulary/time";
import { readConfig } from "@/core/settings/config";
import { commit } from "@/core/database/commit";
import { keepFact } from "@/core/database/key-values";
import { holdLease } from "@/core/jobs/lease";
import { operate, operated, operateWith, settingsOf } from "../../support/operator/run-operator";
import { eventually, openStage, type Stage } from "../../support/shop/stage";

const scratch = await mkdtemp(join(tmpdir(), "latchkey-scheduled-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));

const why = ["--reason", "a story"];
const kept = async (folder: string) =>
  (await readdir(folder).catch(() => [])).filter((name) => name.startsWith("shop-"));
const scheduled = (folder: string) => ({ BACKUP_EVERY: "24", BACKUP_TO: folder, BACKUP_KEEP: "2" });

/** Makes a backup if one is due, as the shop does once a minute. */
const look = (stage: Stage) => stage.shop.backups?.run();
const metricsOf = async (stage: Stage) => {
  const answer = await fetch(new URL("/metrics", stage.url), {
    headers: { authorization: "Bearer a-token-of-sixteen" },
  });
  return answer.text();
};

test("the running shop makes backups on schedule, keeps the configured number, and reports the age of the last", async () => {
  const folder = join(scratch, "due");
  await using stage = await openStage({ env: { ...scheduled(folder), METRICS_TOKEN: "a-token-of-sixteen" } });
  await look(stage);
  expect(await kept(folder)).toHaveLength(1);
  stage.advance(23 * hour);
  await look(stage);
  expect(await kept(folder)).toHaveLength(1);
  for (let day = 0; day < 3; day += 1) {
    stage.advance(24 * hour);
    await look(stage);
  }
  expect(await kept(folder)).toHaveLength(2);
  stage.advance(2 * hour);
  const metrics = await metricsOf(stage);
  expect(Number(/latchkey_backup_age_seconds (\d+)/.exec(metrics)?.[1])).toBeGreaterThanOrEqual(7200);
  expect(metrics).toContain('latchkey_backups_total{result="done"} 4');
  expect(await operated(stage, "audit", "show", "--action", "shop.backed_up")).toHaveLength(4);
  expect((await operate(stage, "audit", "show", "--actor", "shop", "--action", "shop")).out).toContain(
    "bytes",
  );
});

test("a wrong clock neither ends the schedule nor mixes up the order of backups", async () => {
  const folder = join(scratch, "future");
  await using stage = await openStage({ env: scheduled(folder) });
  const env = { ...settingsOf(stage), ...scheduled(folder) };
  const listed = async () =>
    JSON.parse((await operateWith(env, "backups", "--json")).out).backups as {
      name: string;
      number: number | null;
      future: boolean;
    }[];
  // the commands below run by the real clock
  stage.advance(-100 * hour);
  await look(stage);
  stage.advance(365 * 24 * hour);
  await look(stage);
  stage.advance(-365 * 24 * hour);
  expect(await listed()).toMatchObject([
    { number: 1, future: false },
    { number: 2, future: true },
  ]);
  const at = new Date(Date.now() + 365 * 24 * hour).toISOString();
  await commit(stage.ctx.store, [
    keepFact(stage.ctx, "last_backup", JSON.stringify({ at, bytes: 1, number: 2 })),
  ]);
  expect((await operateWith(env, "doctor")).out).toContain("in the future: check this machine's clock");
  const { key } = await stage.buy();
  await look(stage);
  expect(await listed()).toMatchObject([
    { number: 2, future: true },
    { number: 3, future: false },
  ]);
  // this one has neither a date nor an owner
  const unknown = `shop-${at.replace(/[:.]/g, "-")}.backup`;
  await writeFile(join(folder, unknown), "made by an earlier release");
  const machine = await mkdtemp(join(scratch, "machine-"));
  const restored = await operateWith({ ...env, DATA_DIR: machine }, "restore", folder, ...why);
  expect(restored.err).toContain(`Left aside, because they are dated in the future: ${unknown}.`);
  expect(await operateWith({ ...env, DATA_DIR: machine }, "licences", "show", key)).toMatchObject({
    code: 0,
  });
  // a clock that was set back far sorts none before an older one
  stage.advance(-50 * 365 * 24 * hour);
  await look(stage);
  stage.advance(50 * 365 * 24 * hour);
  stage.advance(25 * hour);
  await look(stage);
  expect((await listed()).map(({ number }) => number)).toEqual([4, 5, null]);
});

test("a failed backup is reported to staff once, and retried every ten minutes until one succeeds", async () => {
  const folder = join(scratch, "failing");
  await writeFile(folder, "not a folder");
  await using stage = await openStage({ env: { ...scheduled(folder), METRICS_TOKEN: "a-token-of-sixteen" } });
  const notices = () =>
    stage.lines.filter((line) => line.includes("staff notice") && line.includes("backup"));
  const failures = () => stage.lines.filter((line) => line.includes("the backup failed")).length;
  await look(stage);
  expect(failures()).toBe(1);
  await look(stage);
  expect(failures()).toBe(1);
  stage.advance(11 * minute);
  await look(stage);
  expect(failures()).toBe(2);
  await eventually(notices, (seen) => seen.length > 0);
  expect(notices()).toHaveLength(1);
  expect(await metricsOf(stage)).toContain('latchkey_backups_total{result="failed"} 2');
  const doctor = await operateWith({ ...settingsOf(stage), ...scheduled(folder) }, "doctor", "--json");
  expect(doctor.code).toBe(3);
  expect(doctor.out).toContain("The last scheduled backup failed");
  expect(doctor.out).toContain(`The folder ${folder} can't be used: it is not a folder.`);
  await rm(folder);
  stage.advance(11 * minute);
  await look(stage);
  expect(await kept(folder)).toHaveLength(1);
  const well = await operateWith({ ...settingsOf(stage), ...scheduled(folder) }, "doctor", "--json");
  expect(well.out).not.toContain("failed");
});

test("one of several processes makes the backup, and the operator's command waits for it", async () => {
  const folder = join(scratch, "one");
  await using stage = await openStage({ env: { BACKUP_TO: folder } });
  await holdLease(stage.ctx, { name: "backup", holder: "another process", milliseconds: minute });
  const refused = await operate(stage, "backup", "--to", folder);
  expect(refused).toMatchObject({
    code: 1,
    err: "Another backup is in progress. Try again when it's done.\n",
  });
  expect(await kept(folder)).toEqual([]);
  await stage.ctx.store.client.execute("UPDATE leases SET until = 0 WHERE name = 'backup'");
  const both = await Promise.all([1, 2, 3].map(() => operate(stage, "backup", "--to", folder)));
  const done = both.filter(({ code }) => code === 0).length;
  expect(done).toBeGreaterThanOrEqual(1);
  expect(await kept(folder)).toHaveLength(done);
  for (const { code, err } of both) if (code !== 0) expect(err).toContain("Another backup is in progress");
});

test("a shop stopped during a backup stops at once and leaves nothing unsealed", async () => {
  const folder = join(scratch, "stopped");
  await using stage = await openStage({ env: scheduled(folder) });
  const looking = look(stage);
  await stage.shop.backups?.stop();
  await looking;
  expect((await readdir(stage.dataDir)).filter((name) => name.includes("copy"))).toEqual([]);
});

test("impossible backup settings prevent startup with a one-sentence message", () => {
  const read = (env: Record<string, string>) => () => readConfig(env);
  expect(read({ BACKUP_EVERY: "often" })).toThrow(
    "The setting BACKUP_EVERY must be a whole number of hours from 1 to 8760.",
  );
  expect(read({ BACKUP_KEEP: "0" })).toThrow(
    "The setting BACKUP_KEEP must be a whole number from 1 to 10000.",
  );
  expect(read({ BACKUP_TO: "ftp://host" })).toThrow(
    "The setting BACKUP_TO must be a folder or s3://bucket/prefix.",
  );
  expect(read({ BACKUP_TO: "s3://backups" })).toThrow("The setting AWS_ACCESS_KEY_ID is missing.");
});
