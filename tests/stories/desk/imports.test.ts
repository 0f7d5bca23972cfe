import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isNotNull } from "drizzle-orm";
import { maxImportBytes, maxImportLines } from "@/contract/vocabulary/import-files";
import { day, hour, minute } from "@/contract/vocabulary/time";
import { auditTrail } from "@/core/database/audit";
import type { Job } from "@/core/jobs/job-handlers";
import { runLicenceJob } from "@/domain/jobs/run";
import type { shopTopics } from "@/domain/outbox-topics";
import { accounts } from "@/domain/schema/accounts";
import { licenceJobItems, licenceJobs } from "@/domain/schema/jobs";
import { licences } from "@/domain/schema/licences";
import { atDesk, type Colleague } from "../../support/people/desk";
import { openStage, type Stage } from "../../support/shop/stage";

const reason = "moving in";

const send = (by: Colleague, what: string, body: string | Uint8Array<ArrayBuffer>) =>
  by.person.send("PUT", `/api/desk/imports/${what}`, {
    body,
    headers: { "content-type": "application/octet-stream" },
  });
const sent = async (by: Colleague, what: "keys" | "customers", body: string) =>
  (await send(by, what, body)).body.data;
const start = async (by: Colleague, id: string, more: object = {}): Promise<string> =>
  (await by.post(`imports/${id}`, { reason, ...more })).body.data.job;

async function finished(stage: Stage, by: Colleague, job: string) {
  await stage.shop.worker.drain();
  const { data } = (await by.get(`jobs/${job}`)).body;
  expect(data.finished_at).not.toBeNull();
  return data;
}
const resultOf = async (by: Colleague, job: string): Promise<string[]> =>
  (await by.get(`jobs/${job}/result.csv`)).body.replace("\uFEFF", "").trim().split("\n");

const kept = async (stage: Stage) =>
  (await readdir(join(stage.dataDir, "builds", "uploads")).catch(() => [])).length;
const imported = async (stage: Stage) =>
  (await auditTrail(stage.ctx, { action: "licence.imported", limit: 1_000 })).length;
const keysFile = (count: number) =>
  [
    "key,days",
    ...Array.from({ length: count }, (_, at) => `OLDSHOPKEY${String(at).padStart(6, "0")},30`),
  ].join("\n");

test("an owner says which column is what, sees what would become of each line, and a job does it", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const lines = [
    "License Key;Days;note",
    "AbCdE-FgHiJ-12345;30;a",
    "AbCdE-FgHiJ-12345;30;b",
    "OLDSHOPKEY0001;0,5;c",
    "short;;d",
    "OLDSHOPKEY0002;0.5;e",
  ];
  const file = await sent(olga, "keys", lines.join("\r\n"));
  expect(file).toMatchObject({
    what: "keys",
    format: "CSV with semicolons, UTF-8",
    lines: 5,
    columns: ["License Key", "Days", "note"],
  });
  expect(file.fields).toContainEqual({ name: "key", required: true, column: null });
  expect(file.fields).toContainEqual({ name: "days", required: true, column: "Days" });
  const nameless = await olga.post(`imports/${file.id}`, { preview: true, reason });
  expect(nameless.body.data).toContain("choose the column that is the key");
  const columns = { key: "license key", days: "Days", level: "" };
  const preview = (await olga.post(`imports/${file.id}`, { columns, preview: true, reason })).body.data;
  expect(preview).toMatchObject({
    total: 5,
    lines: { new: 1, changed: 1, merged: 1, left_out: 0, refused: 2 },
    ignored: ["note"],
  });
  expect(
    preview.sample.map(({ line, outcome }: { line: number; outcome: string }) => `${line} ${outcome}`),
  ).toEqual(["2 new", "6 changed", "3 merged", "4 refused", "5 refused"]);
  expect(JSON.stringify(preview)).not.toMatch(/OLDSHOP|AbCdE/i);
  expect(await stage.ctx.store.db.$count(licenceJobs)).toBe(0);
  const job = await start(olga, file.id, { columns });
  expect(await finished(stage, olga, job)).toMatchObject({
    action: "import_keys",
    done: 5,
    total: 5,
    refused: [],
    refused_total: 2,
    lines: { new: 1, changed: 1, merged: 1, left_out: 0, refused: 2 },
  });
  const result = await resultOf(olga, job);
  expect(result[0]).toBe("line,outcome,why,id");
  expect(result[1]).toMatch(/^2,new,,[-0-9a-f]{36}$/);
  expect(result.slice(2, 5)).toEqual([
    "3,merged,it is the same as line 2,",
    '4,refused,"days must be a whole number, or empty for a lifetime",',
    '5,refused,"the key must be 12 to 64 letters, digits or dashes",',
  ]);
  expect(result[5]).toMatch(/^6,changed,its 0.5 days become 1,/);
  expect((await stage.person().register("abcde-fghij-12345", "ada")).status).toBe(200);
  const [made] = await auditTrail(stage.ctx, { action: "licence_job.made", limit: 1 });
  expect(made).toMatchObject({
    subject: job,
    reason,
    actorRole: "owner",
    detail: { action: "import_keys", total: 5 },
  });
  // neither the file nor its lines are kept
  expect(await kept(stage)).toBe(0);
  expect(await stage.ctx.store.db.$count(licenceJobItems, isNotNull(licenceJobItems.content))).toBe(0);
  expect((await olga.post(`imports/${file.id}`, { columns, reason })).body.code).toBe("import_unknown");
});

test("what becomes of a customer is decided at their turn: whoever came between preview and act stays as they are", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const lines = [
    "email,username,key,discord_id",
    "ada@example.com,ada,OLDSHOPKEY0001,",
    "bert@example.com,bert,OLDSHOPKEY0002,123456789012345000",
    "cleo@example.com,,,",
    "dora@example.com,dora,OLDSHOPKEY0003,",
    "erik@example.com,erik,,",
  ];
  const [file, again] = [
    await sent(olga, "customers", lines.join("\n")),
    await sent(olga, "customers", lines.join("\n")),
  ];
  const before = (await olga.post(`imports/${file.id}`, { preview: true, reason })).body.data;
  expect(before.lines).toEqual({ new: 3, changed: 2, merged: 0, left_out: 0, refused: 0 });
  expect(before.sample.find(({ line }: { line: number }) => line === 3)).toMatchObject({
    name: "bert",
    sentence: "discord_id ends in zeros, as ids that a spreadsheet rounded do, so it is not linked",
  });
  await stage.shop.worker.drain();
  const job = await start(olga, file.id);
  // the first lines may have had their turn by now
  await stage.person().register(await stage.handOut(), "erik");
  const shown = await finished(stage, olga, job);
  expect(shown).toMatchObject({ action: "import_customers", done: 5, total: 5 });
  const second = await finished(stage, olga, await start(olga, again.id));
  expect(second.lines).toMatchObject({ new: 0, changed: 0 });
  expect(second.lines.left_out + second.lines.refused).toBe(5);
  expect(await stage.ctx.store.db.$count(accounts)).toBe(6);
  expect(await imported(stage)).toBe(0);
  // the name that was made is the customer's, whom the result only points to
  const result = await resultOf(olga, job);
  expect(result[3]).toMatch(/^4,changed,its user name is made from the email,[-0-9a-f]{36}$/);
});

test("a file that is no such file is refused in words", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const sentenceOf = async (body: string | Uint8Array<ArrayBuffer>, what = "keys") => {
    const { status, body: answer } = await send(olga, what, body);
    return `${status} ${answer.data}`;
  };
  const cases: [file: string | Uint8Array<ArrayBuffer>, sentence: string][] = [
    ["", "400 Line 1: the file is empty."],
    ["\n \n", "400 Line 1: the file is empty."],
    [
      new Uint8Array(Buffer.from("key,days\nmüller,1", "latin1")),
      "400 Line 2: it is not UTF-8 but seems to be Windows-1252",
    ],
    ["PK\u0003\u0004rest", "400 Line 1: the file is a workbook of a spreadsheet"],
    [
      JSON.stringify(Array.from({ length: 201 }, (_, at) => ({ [`name-${at}`]: 1 }))),
      "400 Line 1: its entries have more than 200 different names.",
    ],
    ['{"keys": []}', "400 Line 1: JSON must be a list of objects"],
    ["A letter to the shop\nDear shop", "400 Line 1: it names only one column, and key and days are needed."],
    ['key,days\n"OLDSHOPKEY0001,3', "400 Line 2: a quote is not closed"],
    ["key,days\nOLDSHOPKEY0001,3,4", "400 Line 2: it has more cells than the first line."],
    [keysFile(maxImportLines + 1), "400 That file has more than 10,000 lines."],
    ["x".repeat(maxImportBytes + 1), "413 That file is larger than 2 MB."],
  ];
  for (const [file, sentence] of cases) expect(await sentenceOf(file)).toStartWith(sentence);
  expect((await send(olga, "people", "email\na@example.com")).status).toBe(400);
  expect(await kept(stage)).toBe(0);
  const twice = await sent(olga, "keys", "key,Key,days\nOLDSHOPKEY0001,OLDSHOPKEY0002,3");
  const wrong = await olga.post(`imports/${twice.id}`, { preview: true, reason });
  expect(wrong.body.data).toContain("two of its columns are the key");
});

test("two files with the same keys at once import each key once, and so does one file that is started twice", async () => {
  await using stage = await openStage();
  const [olga, otto] = [await atDesk(stage, "olga", "owner"), await atDesk(stage, "otto", "owner")];
  const [one, other] = [await sent(olga, "keys", keysFile(60)), await sent(otto, "keys", keysFile(60))];
  const starts = await Promise.all([
    olga.post(`imports/${one.id}`, { reason }),
    otto.post(`imports/${one.id}`, { reason }),
    otto.post(`imports/${other.id}`, { reason }),
  ]);
  await stage.shop.worker.drain();
  const jobs = starts.flatMap(({ body }) => (body.data?.job ? [body.data.job] : []));
  expect(new Set(jobs).size).toBe(jobs.length);
  const shown = await Promise.all(jobs.map((job) => finished(stage, olga, job)));
  expect(shown.reduce((sum, { lines }) => sum + lines.new, 0)).toBe(60);
  expect(await imported(stage)).toBe(60);
});

test("a job of which two processes work at the same lines imports each once", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const people = Array.from({ length: 40 }, (_, at) => `someone-${at}@example.com,OLDSHOPKEY${1_000 + at}`);
  const { id } = await sent(olga, "customers", ["email,key", ...people].join("\n"));
  const starting = start(olga, id);
  const run = runLicenceJob(stage.ctx);
  const job = { subject: await starting } as Job<typeof shopTopics.runLicenceJob>;
  await Promise.all([run(job), run(job), run(job)]);
  expect(await finished(stage, olga, id)).toMatchObject({ done: 40, lines: { changed: 40 } });
  expect(await auditTrail(stage.ctx, { action: "account.imported", limit: 100 })).toHaveLength(40);
  expect(await stage.ctx.store.db.$count(licences, isNotNull(licences.redeemedAt))).toBe(41);
});

test("a canceled import forgets the lines that it had not reached, and the result says so", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const { id } = await sent(olga, "keys", keysFile(500));
  const job = await start(olga, id);
  const cancelled = (await olga.post(`jobs/${job}/cancel`, { reason: "the wrong file" })).body.data;
  expect(cancelled.done).toBeLessThan(500);
  await stage.shop.worker.drain();
  expect(await imported(stage)).toBe(cancelled.done);
  expect(await stage.ctx.store.db.$count(licenceJobItems, isNotNull(licenceJobItems.content))).toBe(0);
  const result = await resultOf(olga, job);
  expect(result.filter((line) => line.includes(",canceled,"))).toHaveLength(500 - cancelled.done);
});

test("an import needs a fresh code at the act alone, its file is kept for an hour, and its result for a week", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const { id } = await sent(olga, "keys", keysFile(2));
  const other = await sent(olga, "keys", keysFile(3));
  stage.advance(10 * minute);
  expect((await olga.post(`imports/${id}`, { preview: true, reason })).status).toBe(200);
  expect((await olga.post(`imports/${id}`, { reason })).body).toMatchObject({ status: 403, code: "confirm" });
  expect((await olga.post(`imports/${id}`, { preview: true })).status).toBe(400);
  await olga.confirm();
  const job = await start(olga, id);
  await finished(stage, olga, job);
  expect((await olga.get(`jobs/${job}/keys.csv`)).body.code).toBe("job_without_keys");
  stage.advance(hour);
  await stage.shop.worker.drain();
  expect(await kept(stage)).toBe(0);
  const otto = await atDesk(stage, "otto", "owner");
  expect((await otto.post(`imports/${other.id}`, { preview: true, reason })).body.code).toBe(
    "import_unknown",
  );
  expect((await otto.get(`jobs/${job}/result.csv`)).status).toBe(200);
  stage.advance(7 * day);
  const omar = await atDesk(stage, "omar", "owner");
  expect((await omar.get(`jobs/${job}/result.csv`)).body.code).toBe("job_without_result");
});

test("an import that was cut off before its lines were stored is forgotten, and the file can be chosen again", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const { id } = await sent(olga, "keys", keysFile(2));
  const { db } = stage.ctx.store;
  const job = await start(olga, id);
  await finished(stage, olga, job);
  // as a kill leaves it
  await db.update(licenceJobs).set({ readyAt: null, finishedAt: null });
  expect((await olga.get(`jobs/${job}`)).body.code).toBe("job_unknown");
  stage.advance(hour + minute);
  await stage.shop.periodicJobs.run();
  expect(await db.$count(licenceJobs)).toBe(0);
  expect(await db.$count(licenceJobItems)).toBe(0);
  const otto = await atDesk(stage, "otto", "owner");
  const again = await start(otto, (await sent(otto, "keys", keysFile(3))).id);
  expect(await finished(stage, otto, again)).toMatchObject({ lines: { new: 1, left_out: 2 } });
});
