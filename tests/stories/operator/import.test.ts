import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { day } from "@/contract/time";
import { operate, operated } from "../../support/operator/run-operator";
import { openStage } from "../../support/shop/stage";

const why = ["--reason", "moving in"];

test("another shop's keys are imported once and redeemed as their owners type them", async () => {
  await using stage = await openStage();
  const folder = await mkdtemp(join(tmpdir(), "latchkey-import-"));
  const path = join(folder, "keys.csv");
  await Bun.write(path, "key,level,days\nAbCdE-FgHiJ-12345,1,30\nOLDSHOPKEY0001,2,\n");
  expect(await operated(stage, "import", "keys", path, ...why)).toEqual({ made: 2, known: 0 });
  expect(await operated(stage, "import", "keys", path, ...why)).toEqual({ made: 0, known: 2 });
  const owner = stage.person();
  expect((await owner.register(" abcde-fghij-12345 ", "owner")).status).toBe(200);
  const [licence] = (await owner.get("/api/licenses/me")).body.data;
  const days = (Date.parse(licence.expiry_date) - Date.parse(licence.redeemed_date)) / day;
  expect(days).toBeCloseTo(30, 3);
  expect((await stage.person().register("OLDSHOPKEY0001", "lifer")).status).toBe(200);
  expect((await stage.person().register("abcde-fghij-12345", "again")).body.code).toBe("license_taken");
  expect((await stage.person().register("NOSUCHKEY000001", "guess")).body.code).toBe("license_malformed");
  // nothing that is shown or recorded contains such a key in full
  const shown = await operated(stage, "licences", "show", "OLDSHOPKEY0001");
  expect(shown.key).toBe("••••0001");
  expect(JSON.stringify(await operated(stage, "audit", "show"))).not.toContain("OLDSHOPKEY");
  await rm(folder, { recursive: true });
});

test("a file with one wrong line imports nothing, and the line is named but not quoted", async () => {
  await using stage = await openStage();
  const folder = await mkdtemp(join(tmpdir(), "latchkey-import-"));
  const path = join(folder, "keys.csv");
  for (const line of ["short,1,30", "LONGENOUGHKEY01,1,soon", "LONGENOUGHKEY01,1,-5"]) {
    await Bun.write(path, `key,level,days\nAbCdE-FgHiJ-12345,1,30\n${line}\n`);
    const { code, err } = await operate(stage, "import", "keys", path, ...why);
    expect(code).toBe(1);
    expect(err).toStartWith("Line 3: ");
    expect(err).not.toContain("KEY01");
  }
  expect(await operated(stage, "stats")).toMatchObject({ licences: { issued: 0 } });
  await rm(folder, { recursive: true });
});

test("KeyAuth's own list of keys is read as it is, and a dry run changes nothing", async () => {
  await using stage = await openStage();
  const folder = await mkdtemp(join(tmpdir(), "latchkey-import-"));
  const path = join(folder, "keys.txt");
  await Bun.write(path, "AbCdE-FgHiJ-12345,1,30|OLDSHOPKEY0001,2,7|");
  const dry = await operated(stage, "import", "keys", path, "--dry-run", ...why);
  expect(dry).toEqual({ made: 2, known: 0, dry_run: true });
  expect(await operated(stage, "stats")).toMatchObject({ licences: { issued: 0 } });
  expect(await operated(stage, "import", "keys", path, ...why)).toEqual({ made: 2, known: 0 });
  await Bun.write(path, "OLDSHOPKEY0001,2,7|short,1,1|OLDSHOPKEY0002,2,often");
  const { err } = await operate(stage, "import", "keys", path, ...why);
  expect(err).toContain("Line 2: the key must be 12 to 64 letters");
  expect(err).toContain("Line 3: days must be a whole number");
  await rm(folder, { recursive: true });
});
