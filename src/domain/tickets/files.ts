import { and, eq, getTableColumns, or } from "drizzle-orm";
import { commit, mustHaveChanged, type Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { isConflict, Refusal } from "@/core/refusal";
import type { BuildStore } from "../releases/store";
import { fitsQuotas, mostBytes, type SentFile } from "./file-quotas";
import { notBeingRemoved, removal } from "./remove-files";
import type { TicketRoom } from "./ticket-channels";
import { ticketFiles, ticketMessages } from "../schema/tickets";

/** Work on this topic copies one file that was sent in a ticket; in a lane of its own, as files are slow and large. */
export const fileTopic = "file.copy";
/** What it was called before, of which some may still wait. */
export const formerFileTopic = "ticket.file";

/** Copies a file, unless it is too large or too much was kept already. With little space left it waits. */
export async function copyFile(
  ctx: Ctx,
  { room, files }: { room: Pick<TicketRoom, "fetchFile">; files: BuildStore },
  id: string,
): Promise<Write[]> {
  const file = await sentFile(ctx, id);
  if (!file || !unfinished.includes(file.state)) return [];
  const become = (set: Partial<typeof ticketFiles.$inferInsert>) => [
    ctx.store.db.update(ticketFiles).set(set).where(eq(ticketFiles.id, id)),
  ];
  if (file.size > mostBytes) return become({ state: "too_large" });
  // looked at again when it is claimed; here it saves fetching what will not be kept
  if (!(await mayBeKept(ctx, file))) return become({ state: "over_quota" });
  if (!(await files.hasSpace(mostBytes))) {
    throw new Refusal("unavailable", { sentence: "There is too little space for files of tickets." });
  }
  const bytes = await room.fetchFile(file.url, mostBytes);
  if (!bytes) return become({ state: "lost" });
  const address = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
  const claimed = { ...file, size: bytes.length };
  if (!(await claim(ctx, claimed, address))) return become({ state: "over_quota" });
  await files.keep(address, new Blob([Buffer.from(bytes)]));
  // erased meanwhile, and perhaps removed before it was there
  if (!(await sentFile(ctx, id))) return [removal(ctx, address)];
  return become({ state: "kept", type: pictureType(bytes) ?? "application/octet-stream" });
}

const unfinished = ["waiting", "copying"];

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
  and(eq(ticketFiles.id, file.id), or(eq(ticketFiles.state, "copying"), fitsQuotas(ctx, file)));

async function mayBeKept(ctx: Ctx, file: SentFile): Promise<boolean> {
  const found = await ctx.store.db.select({ id: ticketFiles.id }).from(ticketFiles).where(fits(ctx, file));
  return found.length > 0;
}

/** Counts the file and says where its bytes will be, in one write that of many at once only those pass that fit. */
async function claim(ctx: Ctx, file: SentFile, address: string): Promise<boolean> {
  try {
    await commit(ctx.store, [
      ctx.store.db
        .update(ticketFiles)
        .set({ state: "copying", address, size: file.size })
        .where(and(fits(ctx, file), notBeingRemoved(ctx, address))),
      mustHaveChanged("conflict"),
    ]);
    return true;
  } catch (error) {
    // the same bytes of another ticket are being erased right now: tried again when they are gone
    if (!isConflict(error) || (await mayBeKept(ctx, file))) throw error;
    return false;
  }
}

/** What the first bytes say, whatever name and type it was sent with; null for all but plain pictures. */
function pictureType(bytes: Uint8Array): string | null {
  const text = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(text)) return "image/gif";
  return text.startsWith("RIFF") && text.slice(8, 12) === "WEBP" ? "image/webp" : null;
}
