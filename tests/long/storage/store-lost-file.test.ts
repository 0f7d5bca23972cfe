import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { copyFile, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hour } from "@/contract/vocabulary/time";
import { operateWith, settingsOf } from "../../support/operator/run-operator";
import { openStage } from "../../support/shop/stage";

test("a running shop backs up no file that is not its own, and creates none in place of a missing one", async () => {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-lost-"));
  await using stage = await openStage({ env: { BACKUP_EVERY: "1", BACKUP_TO: folder } });
  try {
    const made = () => readdir(folder);
    await stage.shop.backups?.run();
    const before = await made();
    expect(before).toHaveLength(1);
    await rm(join(stage.dataDir, "shop.db"));
    stage.advance(2 * hour);
    await stage.shop.backups?.run();
    expect(await made()).toEqual(before);
    expect(existsSync(join(stage.dataDir, "shop.db"))).toBe(false);
    expect(stage.lines.join("\n")).toContain("DatabaseFileLost");
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a running shop whose database file is gone or replaced is not ready, and says so once", async () => {
  await using stage = await openStage();
  const file = join(stage.dataDir, "shop.db");
  const aside = join(stage.dataDir, "aside.db");
  const readiness = async () => (await stage.person().get("/api/ready")).status;
  const logged = async () => {
    for (const _ of [1, 2]) await stage.shop.periodicJobs.run();
    const lines = stage.lines.map((line): Record<string, unknown> => JSON.parse(line));
    return lines.filter(({ message }) => message === "the database file was deleted or replaced").length;
  };
  expect([await readiness(), await logged()]).toEqual([200, 0]);

  await rename(file, aside);
  expect([await readiness(), await logged()]).toEqual([503, 1]);
  for (const verb of ["doctor", "backup"]) {
    const { code, err } = await operateWith(settingsOf(stage), verb);
    expect(code).toBe(1);
    expect(err).toStartWith(
      `The database ${file} is missing although it was created earlier: restore it, or`,
    );
  }
  await copyFile(aside, file);
  expect([await readiness(), await logged()]).toEqual([503, 1]);

  await rm(file);
  await rename(aside, file);
  expect([await readiness(), await logged()]).toEqual([200, 1]);
  await rename(file, aside);
  expect([await readiness(), await logged()]).toEqual([503, 2]);
});
