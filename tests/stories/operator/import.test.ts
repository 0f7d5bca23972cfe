import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { day } from "@/contract/vocabulary/time";
import { randomKey } from "@/domain/licences/keys/keys";
import { operate, operated } from "../../support/operator/run-operator";
import { openStage, type Stage } from "../../support/shop/stage";

const why = ["--reason", "moving in"];

test("another shop's keys are imported once and redeemed as their owners type them", async () => {
  await using stage = await openStage();
  const folder = await mkdtemp(join(tmpdir(), "latchkey-import-"));
  const path = join(folder, "keys.csv");
  await Bun.write(path, "key,level,days\nAbCdE-FgHiJ-12345,premium,30\nOLDSHOPKEY0001,,\n");
  expect(await operated(stage, "import", "keys", path, ...why)).toMatchObject({ made: 2, known: 0 });
  expect(await operated(stage, "import", "keys", path, ...why)).toMatchObject({ made: 0, known: 2 });
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
  for (const line of ["short,,30", "LONGENOUGHKEY01,,soon", "LONGENOUGHKEY01,,-5"]) {
    await Bun.write(path, `key,level,days\nAbCdE-FgHiJ-12345,,30\n${line}\n`);
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
  await Bun.write(path, "AbCdE-FgHiJ-12345,1,30 | OLDSHOPKEY0001,2,7|");
  const dry = await operated(
    stage,
    "import",
    "keys",
    path,
    "--dry-run",
    "--level",
    "1=premium",
    "--level",
    "2=premium",
    ...why,
  );
  expect(dry).toMatchObject({ made: 2, known: 0, dry_run: true });
  expect(await operated(stage, "stats")).toMatchObject({ licences: { issued: 0 } });
  expect(
    await operated(stage, "import", "keys", path, "--level", "1=premium", "--level", "2=premium", ...why),
  ).toMatchObject({ made: 2, known: 0 });
  await Bun.write(path, "OLDSHOPKEY0001,2,7|short,1,1|OLDSHOPKEY0002,2,often");
  const { err } = await operate(
    stage,
    "import",
    "keys",
    path,
    "--level",
    "1=premium",
    "--level",
    "2=premium",
    ...why,
  );
  expect(err).toContain("Line 2: the key must be 12 to 64 letters");
  expect(err).toContain("Line 3: days must be a whole number");
  await rm(folder, { recursive: true });
});

const importFile = async (stage: Stage, bytes: string | Uint8Array, ...args: string[]) => {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-import-"));
  const path = join(folder, "keys.csv");
  await Bun.write(path, bytes);
  const ended = await operate(stage, "import", "keys", path, ...args, ...why);
  await rm(folder, { recursive: true });
  return ended;
};
const importedAs = async (stage: Stage, bytes: string | Uint8Array, ...args: string[]) => {
  const { out, err } = await importFile(stage, bytes, "--json", ...args);
  return out === "" ? err : JSON.parse(out);
};

test("KeyAuth's JSON is imported; a part of a day is given whole and named", async () => {
  await using stage = await openStage();
  const list = [
    { key: "AbCdE-FgHiJ-12345", level: "1", expiry: 30 },
    { key: "OLDSHOPKEY0001", level: "1", expiry: 0.5 },
    { key: "OLDSHOPKEY0002", level: "2", expiry: "7" },
  ];
  const report = await importedAs(
    stage,
    JSON.stringify(list),
    "--level",
    "1=premium",
    "--level",
    "2=premium",
  );
  expect(report).toMatchObject({
    made: 3,
    refused: 0,
    changed: 1,
    read: { format: "JSON, UTF-8", lines: 3 },
  });
  expect(report.notes).toEqual([{ line: 2, sentence: "its 0.5 days become 1", kind: "changed" }]);
  const owner = stage.person();
  expect((await owner.register("oldshopkey0001", "owner")).status).toBe(200);
  const [licence] = (await owner.get("/api/licenses/me")).body.data;
  expect(Date.parse(licence.expiry_date) - Date.parse(licence.redeemed_date)).toBeCloseTo(day, -4);
  const wrong = await importFile(stage, '[{"key":"short","expiry":3},{"key":"OLDSHOPKEY0009","expiry":-1}]');
  expect(wrong.err).toBe(
    "Entry 1: the key must be 12 to 64 letters, digits or dashes.\nEntry 2: days must be a whole number, or empty for a lifetime.\nNothing was imported.\n",
  );
  for (const text of ['[{"key":', '["OLDSHOPKEY0001"]', "[[1]]"]) {
    expect((await importFile(stage, text)).err).toStartWith("Line 1: ");
  }
});

test("files with semicolons, tabs or UTF-16 are read, and columns have the names that the file gives them", async () => {
  await using stage = await openStage();
  const rows = (separator: string, at: number) =>
    [
      ["License Key", "Duration", "note"],
      [`OLDSHOPKEY00${at}`, "30", "a, b | c"],
    ]
      .map((cells) => `${cells.join(separator)}\r\n`)
      .join("");
  const named = ["--column", "key=License Key", "--column", "days=duration"];
  expect(await importedAs(stage, `sep=;\r\n${rows(";", 10)}`, ...named)).toMatchObject({
    made: 1,
    ignored_columns: ["note"],
    read: { format: "CSV with semicolons, UTF-8", lines: 1 },
  });
  const utf16 = Buffer.from(`\uFEFF${rows("\t", 11)}`, "utf16le");
  expect(await importedAs(stage, utf16, ...named)).toMatchObject({
    made: 1,
    read: { format: "CSV with tabs, UTF-16", lines: 1 },
  });
  expect(await importedAs(stage, utf16.swap16(), ...named)).toMatchObject({ made: 0, known: 1 });
  expect((await importFile(stage, rows(",", 12), "--column", "colour=red")).err).toContain(
    "key, level, days",
  );
  expect((await importFile(stage, rows(";", 12), "--column", "key=Key")).err).toStartWith(
    "Line 1: it has no column Key.",
  );
  expect((await importFile(stage, rows(",", 12), ...named)).err).toStartWith("Line 2: it has more cells");
});

test("a file in another encoding is refused with its line, also when letters were lost before", async () => {
  await using stage = await openStage();
  const text = "key,level,days\r\nOLDSHOPKEY0001,1,30\r\nOLDSHOPKEY0002,müller,30\r\n";
  const refused = async (bytes: Uint8Array) => (await importFile(stage, bytes, "--skip")).err;
  expect(await refused(Buffer.from(text, "latin1"))).toStartWith(
    "Line 3: it is not UTF-8 but seems to be Windows-1252",
  );
  expect(await refused(Buffer.from(text.replace("ü", "\uFFFD")))).toStartWith("Line 3: ");
  expect(await refused(Buffer.from(`\uFEFF${text}`, "utf16le").subarray(0, -1))).toContain("is not UTF-16");
  expect(await refused(Buffer.from("PK\u0003\u0004"))).toContain("workbook");
  expect(await operated(stage, "stats")).toMatchObject({ licences: { issued: 0 } });
});

test("keys that would be merged, changed or refused are named and counted, and --skip continues without them", async () => {
  await using stage = await openStage();
  const own = randomKey();
  const lines = [
    "key,level,days",
    "AbCdE-FgHiJ-12345,,30",
    "aBcDe-FgHiJ-12345,,30",
    "AbCdE-FgHiJ-12345,,30",
    "AbCdE-FgHiJ-12345,,90",
    `${"A".repeat(65)},,30`,
    "short,,30",
    `${own.slice(own.indexOf("-") + 1)},,30`,
  ];
  const refused = await importFile(stage, lines.join("\n"));
  expect(refused.err.split("\n")).toEqual([
    "Line 3: its key differs by case alone from that on line 2.",
    "Line 5: its key is on line 2 as well, with other terms.",
    "Line 6: the key must be 12 to 64 letters, digits or dashes.",
    "Line 7: the key must be 12 to 64 letters, digits or dashes.",
    "Nothing was imported.",
    "",
  ]);
  const dry = await importFile(stage, lines.join("\n"), "--skip", "--dry-run");
  expect(dry.out).toBe(
    "2 keys would be imported, 0 were already known. Nothing was changed.\n4 refused, 1 changed, 1 merged with another.\n",
  );
  expect(dry.err).toContain("4 refused:\nLine 3: ");
  expect(dry.err).toContain("1 merged with another:\nLine 4: it is the same as line 2.");
  expect(dry.err).toContain("1 changed:\nLine 8: its key is read as one of this shop's");
  const report = await importedAs(stage, lines.join("\n"), "--skip");
  expect(report).toMatchObject({ made: 2, known: 0, refused: 4, merged: 1, changed: 1 });
  expect(report.notes.map(({ line }: { line: number }) => line)).toEqual([3, 5, 6, 7, 8, 4]);
});

test("a key comes with the computers it is for", async () => {
  await using stage = await openStage();
  const report = await importedAs(stage, "key,days,devices\nOLDSHOPKEY0001,,3\nOLDSHOPKEY0002,30,\n");
  expect(report).toMatchObject({ made: 2 });
  const owner = stage.person();
  await owner.register("OLDSHOPKEY0001", "owner");
  expect((await owner.get("/api/user/me")).body.data.devices.places).toBe(3);
  expect((await importFile(stage, "key,days,devices\nOLDSHOPKEY0003,,0\n")).err).toStartWith(
    "Line 2: devices",
  );
});
