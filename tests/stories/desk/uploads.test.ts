import { afterAll, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { partBytes } from "@/contract/wire/desk/releases";
import { day, minute } from "@/contract/vocabulary/time";
import { operator } from "@/core/base/actor";
import { commit } from "@/core/database/commit";
import type { Job } from "@/core/jobs/job-handlers";
import type { shopTopics } from "@/domain/outbox-topics";
import type { Refusal } from "@/core/base/refusal";
import type { BuildStore } from "@/domain/releases/store";
import { beginUpload, takePart } from "@/domain/releases/upload/uploads";
import { publishUpload } from "@/domain/releases/upload/finish-upload";
import { createPartStore } from "@/gateways/storage/build-store";
import { atDesk, type Colleague } from "../../support/people/desk";
import { release } from "../../support/shop/publish-release";
import { eventually, openStage } from "../../support/shop/stage";

const stage = await openStage();
afterAll(() => stage[Symbol.asyncDispose]());
const olga = await atDesk(stage, "olga", "owner");
const sam = await atDesk(stage, "sam", "support");
const reason = "a story";

const digest = (bytes: Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
/** Bytes that differ from part to part. */
const bytesOf = (size: number, seed = 1) =>
  Uint8Array.from({ length: size }, (_, at) => (at * 31 + seed) % 251);
const partOf = (bytes: Uint8Array<ArrayBuffer>, part: number) =>
  bytes.slice(part * partBytes, (part + 1) * partBytes);

type Build = { name: string; bytes: Uint8Array<ArrayBuffer> };
const announcedFile = ({ name, bytes }: Build) => ({ name, size: bytes.length, sha256: digest(bytes) });

const begin = (version: string, builds: Build[], more: object = {}, by: Colleague = olga) =>
  by.post("releases/uploads", { version, title: "New", files: builds.map(announcedFile), reason, ...more });

/** Sends a part as a browser does. */
const put = (
  path: string,
  bytes: Uint8Array<ArrayBuffer>,
  by: Colleague = olga,
  headers: Record<string, string> = {},
) =>
  by.person.send("PUT", `/api/desk/releases/uploads/${path}`, {
    body: bytes,
    headers: { "content-type": "application/octet-stream", ...headers },
  });

const published = async (id: string) => {
  await stage.shop.worker.drain();
  return eventually(
    async () => (await olga.get(`releases/uploads/${id}`)).body.data,
    ({ state }) => state !== "publishing",
  );
};

/** A store with room that holds nothing. */
const nowhere: BuildStore = {
  keep: () => Promise.resolve(),
  find: () => Promise.resolve(null),
  sizeOf: () => Promise.resolve(null),
  remove: () => Promise.resolve(),
  hasSpace: () => Promise.resolve(true),
};
const jobOf = (subject: string) => ({ subject }) as Job<typeof shopTopics.publishUpload>;

/** The parts that are kept on the disk. */
const partsOnDisk = async () => {
  await stage.shop.worker.drain();
  return readdir(join(stage.dataDir, "builds", "uploads")).catch(() => []);
};

test("parts arrive in order, one that arrived before changes nothing, and the release is the files", async () => {
  const [setup, image] = [bytesOf(partBytes + 10), bytesOf(100, 9)];
  const builds = [
    { name: "Wisp-Setup.exe", bytes: setup },
    { name: "Wisp.dmg", bytes: image },
  ];
  const all = new Uint8Array(Buffer.concat([setup, image]));
  const begun = (await begin("2.0.0", builds)).body.data;
  expect(begun).toMatchObject({ state: "sending", part_bytes: partBytes, received: 0 });
  expect(begun.files).toMatchObject([{ platform: "win_exe" }, { platform: "mac_dmg" }]);
  const send = async (part: number, bytes = partOf(all, part)) => {
    const { status, body } = await put(`${begun.id}/parts/${part}`, bytes);
    return [status, body.code ?? body.data.received];
  };
  expect(await send(1)).toEqual([409, "upload_incomplete"]);
  expect(await send(0)).toEqual([200, partBytes]);
  // the answer was lost
  expect(await send(0)).toEqual([200, partBytes]);
  expect(await send(0, bytesOf(partBytes, 3))).toEqual([200, partBytes]);
  const early = await olga.post(`releases/uploads/${begun.id}/finish`, { reason });
  expect([early.status, early.body.code]).toEqual([409, "upload_incomplete"]);
  expect(await send(1)).toEqual([200, all.length]);
  expect(await send(1)).toEqual([200, all.length]);
  const shown = (await olga.get(`releases/uploads/${begun.id}`)).body.data;
  expect(shown.received).toBe(all.length);
  const finished = await olga.post(`releases/uploads/${begun.id}/finish`, { reason });
  expect(["publishing", "published"]).toContain(finished.body.data.state);
  expect((await published(begun.id)).state).toBe("published");
  const [row] = (await olga.get("releases")).body.data.rows;
  expect(row).toMatchObject({ id: begun.id, version: "2.0.0" });
  for (const bytes of [setup, image])
    expect((await stage.shop.builds.find(digest(bytes)))?.size).toBe(bytes.length);
  expect(await partsOnDisk()).toEqual([]);
  const log = await stage.ctx.store.client.execute(
    "SELECT actor, reason FROM audit_log WHERE action = 'release.published'",
  );
  expect(log.rows).toMatchObject([{ reason }]);
});

test("a part that arrives many times at once, by any process, is appended once", async () => {
  const bytes = bytesOf(100, 12);
  const { id } = (await begin("2.0.5", [{ name: "Wisp-Setup.exe", bytes }])).body.data;
  const parts = createPartStore({ folder: join(stage.dataDir, "builds") });
  const sent = { id, part: 0, bytes };
  const received = await Promise.all(
    Array.from({ length: 10 }, () => takePart(stage.ctx, parts, sent, operator)),
  );
  expect(new Set(received)).toEqual(new Set([100]));
  await olga.post(`releases/uploads/${id}/finish`, { reason });
  expect((await published(id)).state).toBe("published");
});

test("a part that is stored while its upload is cancelled stays nowhere", async () => {
  const bytes = bytesOf(100, 13);
  const { id } = (await begin("2.0.6", [{ name: "Wisp-Setup.exe", bytes }])).body.data;
  const parts = createPartStore({ folder: join(stage.dataDir, "builds") });
  const late: BuildStore = {
    ...parts,
    async keep(address, file) {
      await olga.post(`releases/uploads/${id}/cancel`, { reason });
      await stage.shop.worker.drain();
      await parts.keep(address, file);
    },
  };
  const taken = takePart(stage.ctx, late, { id, part: 0, bytes }, operator);
  expect(await taken.catch((error: unknown) => (error as Refusal).code)).toBe("upload_over");
  expect(await partsOnDisk()).toEqual([]);
});

test("two people who finish one upload at once publish it once", async () => {
  const bytes = bytesOf(100, 3);
  const { id } = (await begin("2.1.0", [{ name: "Wisp-Setup.exe", bytes }])).body.data;
  await put(`${id}/parts/0`, bytes);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => olga.post(`releases/uploads/${id}/finish`, { reason })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect((await published(id)).state).toBe("published");
  const log = await stage.ctx.store.client.execute({
    sql: "SELECT count(*) AS n FROM audit_log WHERE action = 'release.published' AND subject = ?",
    args: [id],
  });
  expect(log.rows[0]?.["n"]).toBe(1);
});

test("a shop that stops while an upload is published publishes it once after its start", async () => {
  const bytes = bytesOf(100, 2);
  const { id } = (await begin("2.1.5", [{ name: "Wisp-Setup.exe", bytes }])).body.data;
  await put(`${id}/parts/0`, bytes);
  await stage.shop.worker.stop();
  expect((await olga.post(`releases/uploads/${id}/finish`, { reason })).body.data.state).toBe("publishing");
  await stage.restart();
  expect((await published(id)).state).toBe("published");
  // as if the process was killed between the publication and the end of its job
  await stage.ctx.store.client.execute({
    sql: "UPDATE release_uploads SET state = 'publishing' WHERE id = ?",
    args: [id],
  });
  const again = publishUpload(stage.ctx, { parts: nowhere, builds: stage.shop.builds });
  await commit(stage.ctx.store, await again(jobOf(id)));
  expect((await published(id)).state).toBe("published");
});

test("a full disk is reported before, while and after parts are sent", async () => {
  const bytes = bytesOf(100, 20);
  const file = announcedFile({ name: "Wisp-Setup.exe", bytes });
  const terms = { version: "2.1.6", channel: "latest", title: "New", content: "", rollout: 100 } as const;
  const wanted = { ...terms, minimumVersion: null, keep: [], tell: false, publicKey: null, files: [file] };
  const by = { actor: operator, reason };
  const code = (tried: Promise<unknown>) => tried.catch((error: unknown) => (error as Refusal).code);
  const full = { ...nowhere, hasSpace: () => Promise.resolve(false) };
  expect(await code(beginUpload(stage.ctx, { parts: full, newsChannelProblem: null }, wanted, by))).toBe(
    "no_space",
  );
  const { id } = await beginUpload(stage.ctx, { parts: nowhere, newsChannelProblem: null }, wanted, by);
  const part = { id, part: 0, bytes };
  expect(await code(takePart(stage.ctx, full, part, operator))).toBe("no_space");
  const noRoom = Object.assign(new Error("no space left"), { code: "ENOSPC" });
  const failing = { ...nowhere, keep: () => Promise.reject(noRoom) };
  expect(await code(takePart(stage.ctx, failing, part, operator))).toBe("no_space");
  expect((await olga.get(`releases/uploads/${id}`)).body.data.received).toBe(0);
  await put(`${id}/parts/0`, bytes);
  await stage.shop.worker.stop();
  await olga.post(`releases/uploads/${id}/finish`, { reason });
  const parts = createPartStore({ folder: join(stage.dataDir, "builds") });
  const onFullDisk = publishUpload(stage.ctx, { parts, builds: failing });
  await commit(stage.ctx.store, await onFullDisk(jobOf(id)));
  const refused = (await olga.get(`releases/uploads/${id}`)).body.data;
  expect([refused.state, refused.refusal.code]).toEqual(["refused", "no_space"]);
  await stage.restart();
  await olga.post(`releases/uploads/${id}/finish`, { reason });
  expect((await published(id)).state).toBe("published");
});

test("a part of another size, one too many, or one of no upload is refused", async () => {
  const bytes = bytesOf(100, 4);
  const { id } = (await begin("2.2.0", [{ name: "Wisp-Setup.exe", bytes }])).body.data;
  const short = await put(`${id}/parts/0`, bytes.slice(1));
  expect([short.status, short.body.code]).toEqual([400, "part_damaged"]);
  for (const path of [`${id}/parts/1`, "nothing/parts/0"]) {
    const unknown = await put(path, bytes);
    expect([path, unknown.status, unknown.body.code]).toEqual([path, 404, "upload_unknown"]);
  }
  const large = await put(`${id}/parts/0`, bytesOf(partBytes + 1));
  expect([large.status, large.body.code]).toEqual([413, "body_too_large"]);
  await olga.post(`releases/uploads/${id}/cancel`, { reason });
});

test("a part is taken from owners on the desk's own pages alone, and nothing is read from others", async () => {
  const bytes = bytesOf(100, 5);
  const { id } = (await begin("2.3.0", [{ name: "Wisp-Setup.exe", bytes }])).body.data;
  const path = `${id}/parts/0`;
  const support = await put(path, bytesOf(partBytes + 1), sam);
  expect([support.status, support.body.code]).toEqual([403, "forbidden"]);
  const stranger = await stage
    .person()
    .send("PUT", `/api/desk/releases/uploads/${path}`, { body: bytesOf(partBytes + 1) });
  expect(stranger.status).toBe(401);
  const foreign = await put(path, bytes, olga, { "sec-fetch-site": "cross-site" });
  expect([foreign.status, foreign.body.code]).toEqual([403, "cross_site"]);
  const elsewhere = await olga.person.send("PUT", `/api/desk/releases/uploads/${id}`, {
    body: bytes,
    headers: { "content-type": "application/octet-stream" },
  });
  expect(elsewhere.status).toBe(415);
  await olga.post(`releases/uploads/${id}/cancel`, { reason });
});

test("a build whose name has blanks is published with dashes, and both architectures beside each other", async () => {
  const names = ["My App Setup 2.3.5.exe", "My App-2.3.5.dmg", "My App-2.3.5-arm64.dmg"];
  const builds = names.map((name, at) => ({ name, bytes: bytesOf(10, at) }));
  const begun = (await begin("2.3.5", builds)).body.data;
  expect(begun.files).toMatchObject([
    { name: "My-App-Setup-2.3.5.exe", platform: "win_exe" },
    { name: "My-App-2.3.5.dmg", platform: "mac_dmg" },
    { name: "My-App-2.3.5-arm64.dmg", platform: "mac_dmg_arm64" },
  ]);
  await put(`${begun.id}/parts/0`, new Uint8Array(builds.flatMap(({ bytes }) => [...bytes])));
  await olga.post(`releases/uploads/${begun.id}/finish`, { reason });
  expect((await published(begun.id)).state).toBe("published");
});

test("an upload that can't be published is refused before anything is sent", async () => {
  await release(stage, "2.4.0");
  const bytes = bytesOf(10);
  const setup = [{ name: "Wisp-Setup.exe", bytes }];
  const refused: [Promise<{ status: number; body: { code: string } }>, number, string][] = [
    [begin("2.4.0", setup), 409, "release_exists"],
    [begin("two", setup), 400, "release_invalid"],
    [begin("2.5.0", []), 400, "release_invalid"],
    [begin("2.5.0", [{ name: "notes.xyz", bytes }]), 400, "release_invalid"],
    [begin("2.5.0", setup, { minimum_version: "9.0.0" }), 400, "release_invalid"],
    [begin("2.5.0", setup, { public_key: "none" }), 400, "release_invalid"],
    [begin("2.5.0", setup, { tell: true }), 400, "release_invalid"],
    [begin("2.5.0", setup, { rollout: 101 }), 400, "invalid_field"],
    [begin("2.5.0", setup, {}, sam), 403, "forbidden"],
  ];
  for (const [asked, status, code] of refused) {
    const answer = await asked;
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  }
  const many = await begin("2.5.0", Array(99).fill(setup[0]));
  expect([many.status, JSON.stringify(many.body)]).toEqual([
    400,
    expect.stringMatching(/files has more than \d+ entries\./),
  ]);
});

test("a file that is not what was announced is not published, and says why", async () => {
  const bytes = bytesOf(100, 6);
  const other = { ...announcedFile({ name: "Wisp-Setup.exe", bytes }), sha256: "1".repeat(64) };
  const { id } = (
    await olga.post("releases/uploads", { version: "2.6.0", title: "New", files: [other], reason })
  ).body.data;
  await put(`${id}/parts/0`, bytes);
  await olga.post(`releases/uploads/${id}/finish`, { reason });
  const { state, refusal } = await published(id);
  expect([state, refusal.code]).toEqual(["refused", "release_invalid"]);
  expect(refusal.sentence).toContain("SHA-256");
  expect(
    (await olga.get("releases")).body.data.rows.map((row: { version: string }) => row.version),
  ).not.toContain("2.6.0");
  expect((await olga.post(`releases/uploads/${id}/cancel`, { reason })).body.data.state).toBe("cancelled");
});

test("an upload whose bytes the disk lost is refused, and one that is over takes nothing", async () => {
  const bytes = bytesOf(100, 7);
  const { id } = (await begin("2.7.0", [{ name: "Wisp-Setup.exe", bytes }])).body.data;
  await put(`${id}/parts/0`, bytes);
  for (const one of await partsOnDisk())
    await Bun.file(join(stage.dataDir, "builds", "uploads", one)).delete();
  await olga.post(`releases/uploads/${id}/finish`, { reason });
  expect(await published(id)).toMatchObject({
    state: "refused",
    refusal: { code: "upload_incomplete", sentence: "Its bytes are gone. Start it again." },
  });
  const code = async (asked: Promise<{ body: { code: string } }>) => (await asked).body.code;
  expect(await code(put(`${id}/parts/0`, bytes))).toBe("upload_over");
  await olga.post(`releases/uploads/${id}/cancel`, { reason });
  expect(await code(olga.post(`releases/uploads/${id}/finish`, { reason }))).toBe("upload_over");
});

test("a publication whose job was dropped is cancelled", async () => {
  const bytes = bytesOf(100, 8);
  const { id } = (await begin("2.8.0", [{ name: "Wisp-Setup.exe", bytes }])).body.data;
  await put(`${id}/parts/0`, bytes);
  await stage.shop.worker.stop();
  await olga.post(`releases/uploads/${id}/finish`, { reason });
  await stage.shop.periodicJobs.run();
  const state = async () => (await olga.get(`releases/uploads/${id}`)).body.data.state;
  expect(await state()).toBe("publishing");
  expect((await olga.post(`releases/uploads/${id}/cancel`, { reason })).body.code).toBe("upload_over");
  const job = Buffer.from(`release.upload:${id}`).toString("base64url");
  expect((await olga.post(`outbox/${job}/drop`, { reason })).status).toBe(200);
  await stage.shop.periodicJobs.run();
  expect(await state()).toBe("cancelled");
  await stage.restart();
  expect(await partsOnDisk()).toEqual([]);
});

test("four uploads may be open; one that nobody continues is cancelled after a day", async () => {
  const bytes = bytesOf(100, 9);
  const build = { name: "Wisp-Setup.exe", bytes };
  const begun = await Promise.all(Array.from({ length: 6 }, (_, at) => begin(`3.0.${at}`, [build])));
  expect(begun.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    200, 200, 200, 200, 409, 409,
  ]);
  const open = (await olga.get("releases/uploads")).body.data.rows;
  expect(open).toHaveLength(4);
  await put(`${open[0].id}/parts/0`, bytes);
  stage.advance(day + minute);
  await stage.shop.periodicJobs.run();
  expect(await partsOnDisk()).toEqual([]);
  stage.advance(8 * day);
  await stage.shop.periodicJobs.run();
  const left = await stage.ctx.store.client.execute("SELECT count(*) AS n FROM release_uploads");
  expect(left.rows[0]?.["n"]).toBe(0);
});
