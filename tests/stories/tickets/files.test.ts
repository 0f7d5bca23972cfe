import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { eq, inArray } from "drizzle-orm";
import { day, minute } from "@/contract/vocabulary/time";
import { commit } from "@/core/database/commit";
import type { BuildStore } from "@/domain/releases/store";
import { copyFile, fileComplaints } from "@/domain/tickets/writing/files";
import { eraseTicketsWrites } from "@/domain/tickets/discord/erase";
import { openTicket } from "@/domain/tickets/writing/open";
import { ticketFiles, ticketMessages, tickets } from "@/domain/schema/tickets";
import { startBucket } from "../../support/network/bucket";
import { openStage, type Stage } from "../../support/shop/stage";

const mebibyte = 1024 * 1024;

/** A ticket with this many files of the same size, none copied yet. */
async function sent(stage: Stage, { count, bytes, by = "1", text }: Sent) {
  const { ctx } = stage;
  const { db } = ctx.store;
  const topic = `topic-${crypto.randomUUID()}`;
  const ticketId = await openTicket(ctx, { topic, member: { id: by, name: "Ada" }, question: "x" });
  const messageId = crypto.randomUUID();
  const ids = Array.from({ length: count }, () => crypto.randomUUID());
  await commit(ctx.store, [
    db.insert(ticketMessages).values({
      id: messageId,
      ticketId,
      author: "member",
      authorId: by,
      authorName: "Ada",
      content: "",
      at: ctx.now(),
    }),
    ...ids.map((id) =>
      db.insert(ticketFiles).values({ id, messageId, ticketId, name: "a.bin", size: bytes, url: text ?? id }),
    ),
  ]);
  return { ticketId, ids };
}
type Sent = { count: number; bytes: number; by?: string; text?: string };

/** Discord's side: every file's content is its own URL, repeated. */
const channels = (bytes: number) => ({ fetchFile: async (url: string) => Buffer.alloc(bytes, url) });

const copy = async (stage: Stage, id: string, bytes: number, files: BuildStore = stage.shop.files) =>
  commit(stage.ctx.store, await copyFile(stage.ctx, { channels: channels(bytes), files }, id));

const copyAtOnce = (stage: Stage, ids: string[], bytes: number) =>
  Promise.all(ids.map((id) => copy(stage, id, bytes)));

async function erase(stage: Stage, ticketId: string) {
  await commit(stage.ctx.store, await eraseTicketsWrites(stage.ctx, eq(tickets.id, ticketId)));
  await stage.shop.worker.drain();
}

async function statesOf(stage: Stage): Promise<Record<string, number>> {
  const { rows } = await stage.ctx.store.client.execute(
    "SELECT state, count(*) AS n FROM ticket_files GROUP BY state",
  );
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
}

/** The files in the folder of tickets' files. */
const stored = (stage: Stage): Promise<string[]> =>
  readdir(join(stage.dataDir, "builds", "tickets")).catch(() => []);

test("a ticket keeps at most 64 MiB of files, even when they are copied at once", async () => {
  await using stage = await openStage();
  const { ids } = await sent(stage, { count: 20, bytes: 8 * mebibyte });
  await copyAtOnce(stage, ids, 8 * mebibyte);
  expect(await statesOf(stage)).toEqual({ kept: 8, over_quota: 12 });
  expect(await stored(stage)).toHaveLength(8);
});

test("at most 64 MiB of files per person a day are kept, across all their tickets", async () => {
  await using stage = await openStage();
  const each = async () => (await sent(stage, { count: 6, bytes: 8 * mebibyte })).ids;
  const ids = [...(await each()), ...(await each()), ...(await each())];
  await copyAtOnce(stage, ids, 8 * mebibyte);
  expect(await statesOf(stage)).toEqual({ kept: 8, over_quota: 10 });

  const other = await sent(stage, { count: 1, bytes: 100, by: "2" });
  await copyAtOnce(stage, other.ids, 100);
  stage.advance(day);
  // a person may have three open tickets
  await stage.ctx.store.db.update(tickets).set({ state: "closed", closedAt: stage.ctx.now() });
  const nextDay = await sent(stage, { count: 1, bytes: 100 });
  await copyAtOnce(stage, nextDay.ids, 100);
  expect(await statesOf(stage)).toEqual({ kept: 10, over_quota: 10 });
});

test("small files count as 128 KiB each, which bounds their number", async () => {
  await using stage = await openStage();
  const { ids } = await sent(stage, { count: 520, bytes: 1, text: "x" });
  const { db } = stage.ctx.store;
  await db
    .update(ticketFiles)
    .set({ state: "kept" })
    .where(inArray(ticketFiles.id, ids.slice(0, 508)));
  await copyAtOnce(stage, ids.slice(508), 1);
  expect(await statesOf(stage)).toEqual({ kept: 512, over_quota: 8 });
});

test("all files together take at most 4 GiB, and staff are notified at that limit", async () => {
  await using stage = await openStage();
  const { ctx } = stage;
  const { ids } = await sent(stage, { count: 3, bytes: 8 * mebibyte });
  const [huge = "", ...others] = ids;
  expect(await fileComplaints(ctx, stage.shop.files)).toEqual([]);
  await commit(ctx.store, [
    ctx.store.db
      .update(ticketFiles)
      .set({
        state: "kept",
        size: 4_088 * mebibyte,
        ticketId: "another",
        messageId: await messageOf(stage, "2"),
      })
      .where(eq(ticketFiles.id, huge)),
  ]);
  await copyAtOnce(stage, others, 8 * mebibyte);
  expect(await statesOf(stage)).toEqual({ kept: 2, over_quota: 1 });
  expect(await fileComplaints(ctx, stage.shop.files)).toEqual([expect.stringContaining("4 GiB")]);
});

/** Another member's message. */
async function messageOf(stage: Stage, by: string): Promise<string> {
  await sent(stage, { count: 0, bytes: 0, by });
  const { id, authorId } = ticketMessages;
  const [message] = await stage.ctx.store.db.select({ id }).from(ticketMessages).where(eq(authorId, by));
  return message?.id ?? "";
}

test("when disk space is low, copying waits until there is space again", async () => {
  await using stage = await openStage();
  const { ids } = await sent(stage, { count: 1, bytes: 100 });
  const full: BuildStore = { ...stage.shop.files, hasSpace: async () => false };
  expect(await copy(stage, ids[0] ?? "", 100, full).catch(String)).toContain("unavailable");
  expect(await statesOf(stage)).toEqual({ waiting: 1 });
  expect(await fileComplaints(stage.ctx, full)).toEqual([expect.stringContaining("disk is almost full")]);
  await copy(stage, ids[0] ?? "", 100);
  expect(await statesOf(stage)).toEqual({ kept: 1 });
});

test("a copy interrupted before its bytes are stored is repeated, and counted once", async () => {
  await using stage = await openStage();
  const { ids } = await sent(stage, { count: 8, bytes: 8 * mebibyte });
  const broken: BuildStore = {
    ...stage.shop.files,
    keep: async () => {
      throw new Error("the disk died");
    },
  };
  for (const id of ids)
    expect(await copy(stage, id, 8 * mebibyte, broken).catch(String)).toContain("the disk died");
  expect(await statesOf(stage)).toEqual({ copying: 8 });
  for (const id of ids) await copy(stage, id, 8 * mebibyte);
  expect(await statesOf(stage)).toEqual({ kept: 8 });
});

test("a file in two tickets is stored once, and removed when both are erased", async () => {
  await using stage = await openStage();
  const one = await sent(stage, { count: 2, bytes: 100, text: "same" });
  const two = await sent(stage, { count: 1, bytes: 100, text: "same" });
  await copyAtOnce(stage, [...one.ids, ...two.ids], 100);
  expect(await stored(stage)).toHaveLength(1);
  await erase(stage, one.ticketId);
  expect(await stored(stage)).toHaveLength(1);
  await erase(stage, two.ticketId);
  expect(await stored(stage)).toEqual([]);
});

test("a file whose ticket is erased during the copy leaves nothing in the store", async () => {
  await using stage = await openStage();
  const { ticketId, ids } = await sent(stage, { count: 1, bytes: 100 });
  const slow: BuildStore = {
    ...stage.shop.files,
    async keep(address, file) {
      await erase(stage, ticketId);
      await stage.shop.files.keep(address, file);
    },
  };
  await copy(stage, ids[0] ?? "", 100, slow);
  await stage.shop.worker.drain();
  expect(await stored(stage)).toEqual([]);
  expect(await statesOf(stage)).toEqual({});
});

test("a file sent again while its bytes are being removed is copied afterwards", async () => {
  await using stage = await openStage();
  const old = await sent(stage, { count: 1, bytes: 100, text: "same" });
  await copyAtOnce(stage, old.ids, 100);
  const { ids } = await sent(stage, { count: 1, bytes: 100, text: "same" });
  await commit(stage.ctx.store, await eraseTicketsWrites(stage.ctx, eq(tickets.id, old.ticketId)));
  expect(await copy(stage, ids[0] ?? "", 100).catch(String)).toContain("conflict");
  await stage.shop.worker.drain();
  await copy(stage, ids[0] ?? "", 100);
  expect(await stored(stage)).toHaveLength(1);
});

test("with a bucket for builds the tickets' files are stored there too, and removed from it", async () => {
  await using bucket = startBucket();
  await using stage = await openStage({ env: { ...bucket.env, BUILDS_URL: "s3://builds/wisp" } });
  const { ticketId, ids } = await sent(stage, { count: 1, bytes: 100, text: "x" });
  await copyAtOnce(stage, ids, 100);
  const address = new Bun.CryptoHasher("sha256").update("x".repeat(100)).digest("hex");
  expect([...bucket.objects.keys()]).toEqual([`/builds/wisp/tickets/${address}`]);
  const found = await stage.shop.files.find(address);
  expect(await new Response(found?.body(0, found.size)).text()).toBe("x".repeat(100));
  bucket.state.down = true;
  await erase(stage, ticketId);
  expect(bucket.objects.size).toBe(1);
  bucket.state.down = false;
  stage.advance(minute);
  await stage.shop.worker.drain();
  expect(bucket.objects.size).toBe(0);
  expect(await stored(stage)).toEqual([]);
});
