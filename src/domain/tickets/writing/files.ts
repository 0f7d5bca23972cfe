import { and, eq, getTableColumns, gt, inArray, isNotNull, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { maxFileBytes } from "@/contract/vocabulary/bounds";
import { day } from "@/contract/vocabulary/time";
import { commitIfFirst, mustHaveChanged, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import type { Handler } from "@/core/jobs/job-handlers";
import { noJobWaits, enqueue, enqueueEach } from "@/core/jobs/outbox";
import { Refusal } from "@/core/base/refusal";
import { shopTopics } from "../../outbox-topics";
import type { BuildStore } from "../../releases/store";
import { ticketFiles, ticketMessages } from "../../schema/tickets";
import { pictureType } from "../reading/picture-type";
import type { TicketChannels } from "../reading/ticket-channels";

const mebibyte = 1024 * 1024;
export const maxBytes = maxFileBytes;
const mostOfATicket = 64 * mebibyte;
const mostOfAPersonADay = 64 * mebibyte;
const mostInAll = 4096 * mebibyte;
/** Counts smaller files as this much, which also bounds their number, so that summing them takes 4 ms at most. */
const leastCounted = mebibyte / 8;

/** Copies an attachment unless it is too large or over a quota. Waits if too little disk space is left. */
export async function copyFile(
  ctx: Ctx,
  { channels, files }: { channels: Pick<TicketChannels, "fetchFile">; files: BuildStore },
  id: string,
): Promise<Write[]> {
  const file = await sentFile(ctx, id);
  if (!file || !unfinished.includes(file.state)) return [];
  const become = (set: Partial<typeof ticketFiles.$inferInsert>) => [
    ctx.store.db.update(ticketFiles).set(set).where(eq(ticketFiles.id, id)),
  ];
  if (file.size > maxBytes) return become({ state: "too_large" });
  // `claim` checks again; checking here saves the download
  if (!(await fitsQuota(ctx, file))) return become({ state: "over_quota" });
  if (!(await files.hasSpace(maxBytes))) {
    throw new Refusal("unavailable", { sentence: "There is too little space for ticket files." });
  }
  const bytes = await channels.fetchFile(file.url, maxBytes);
  if (!bytes) return become({ state: "lost" });
  const address = contentAddressOf(bytes);
  const claimed = { ...file, size: bytes.length };
  if (!(await claim(ctx, claimed, address))) return become({ state: "over_quota" });
  await files.keep(address, new Blob([Buffer.from(bytes)]));
  // the ticket was erased meanwhile, perhaps before these bytes existed
  if (!(await sentFile(ctx, id))) return [removeBytes(ctx, address)];
  return become({ state: "kept", type: pictureType(bytes) ?? "application/octet-stream" });
}

const unfinished = ["waiting", "copying"];

/** An attachment with its sender and time. */
type SentFile = Pick<
  typeof ticketFiles.$inferSelect,
  "id" | "ticketId" | "messageId" | "size" | "url" | "state"
> &
  Pick<typeof ticketMessages.$inferSelect, "authorId" | "at">;

async function sentFile(ctx: Ctx, id: string): Promise<SentFile | null> {
  const { id: own, ticketId, messageId, size, url, state } = getTableColumns(ticketFiles);
  const { authorId, at } = ticketMessages;
  const [file] = await ctx.store.db
    .select({ id: own, ticketId, messageId, size, url, state, authorId, at })
    .from(ticketFiles)
    .innerJoin(ticketMessages, eq(ticketMessages.id, messageId))
    .where(eq(own, id));
  return file ?? null;
}

const fits = (ctx: Ctx, file: SentFile) =>
  and(
    eq(ticketFiles.id, file.id),
    or(eq(ticketFiles.state, "copying"), fitsQuotas(ctx, { ...file, authors: [file.authorId] })),
  );

async function fitsQuota(ctx: Ctx, file: SentFile): Promise<boolean> {
  const found = await ctx.store.db.select({ id: ticketFiles.id }).from(ticketFiles).where(fits(ctx, file));
  return found.length > 0;
}

const other = alias(ticketFiles, "other");
const total = sql<number>`coalesce(sum(max(${other.size}, ${leastCounted})), 0)`;
const isCounted = inArray(other.state, ["copying", "kept"]);

/** Whether a file fits the quotas of its ticket, of its sender within a day, and of all tickets. */
export function fitsQuotas(
  ctx: Ctx,
  file: Pick<SentFile, "ticketId" | "size" | "at"> & { authors: string[] },
): SQL | undefined {
  const { db } = ctx.store;
  const fitsIn = (kept: unknown, most: number) => sql`${kept} <= ${most - Math.max(file.size, leastCounted)}`;
  const ofTicket = db
    .select({ total })
    .from(other)
    .where(and(eq(other.ticketId, file.ticketId), isCounted));
  // by when members sent the files: files missed for days and read at once do not count as one day
  const ofPerson = db
    .select({ total })
    .from(ticketMessages)
    .innerJoin(other, eq(other.messageId, ticketMessages.id))
    .where(
      and(
        inArray(ticketMessages.authorId, file.authors),
        gt(ticketMessages.at, new Date(file.at.getTime() - day)),
        isCounted,
      ),
    );
  return and(
    fitsIn(ofTicket, mostOfATicket),
    fitsIn(ofPerson, mostOfAPersonADay),
    fitsIn(inAll(ctx), mostInAll),
  );
}

/**
 * Counts the file and stores its address in one guarded write, so that concurrent files can't exceed a quota together.
 */
async function claim(ctx: Ctx, file: SentFile, address: string): Promise<boolean> {
  const claimed = await commitIfFirst(ctx.store, [
    ctx.store.db
      .update(ticketFiles)
      .set({ state: "copying", address, size: file.size })
      .where(and(fits(ctx, file), notBeingRemoved(ctx, address))),
    mustHaveChanged("conflict"),
  ]);
  // the same bytes are being removed for another ticket: retry once they are gone
  if (!claimed && (await fitsQuota(ctx, file))) throw new Refusal("conflict");
  return claimed;
}

/** Sentences for staff about why the shop keeps no attachments; none while it keeps them. */
export async function fileComplaints(ctx: Ctx, files: BuildStore): Promise<string[]> {
  const [kept] = await inAll(ctx);
  const isFull = (kept?.total ?? 0) > mostInAll - maxBytes;
  return [
    ...(isFull
      ? ["Files sent in tickets are not kept: those of the last 180 days fill the 4 GiB they may use."]
      : []),
    ...((await files.hasSpace(maxBytes))
      ? []
      : ["Files sent in tickets are not copied yet: the shop's disk is almost full."]),
  ];
}

const inAll = (ctx: Ctx) => ctx.store.db.select({ total }).from(other).where(isCounted);

export const contentAddressOf = (bytes: Uint8Array): string =>
  new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

export const removeBytes = (ctx: Ctx, address: string): Write =>
  enqueue(ctx, { topic: shopTopics.removeFile, subject: address });

/** Removes the bytes of these files; precedes the deletion of their rows in the same commit. */
export const removeFiles = (ctx: Ctx, which: SQL): Write =>
  enqueueEach(ctx, shopTopics.removeFile, {
    subject: ticketFiles.address,
    from: ticketFiles,
    where: and(which, isNotNull(ticketFiles.address)),
  });

/** Holds while no removal of these bytes is pending, so that they may be written and will stay. */
export const notBeingRemoved = (ctx: Ctx, address: string) => noJobWaits(ctx, shopTopics.removeFile, address);

/** The outbox handler that deletes a file once no ticket refers to it. */
export const removeFile =
  (ctx: Ctx, files: BuildStore): Handler<typeof shopTopics.removeFile> =>
  async ({ subject: address }) => {
    const holding = await ctx.store.db
      .select({ id: ticketFiles.id })
      .from(ticketFiles)
      .where(eq(ticketFiles.address, address))
      .limit(1);
    if (holding.length === 0) await files.remove(address);
    return [];
  };
