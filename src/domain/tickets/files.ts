import { and, eq, sql } from "drizzle-orm";
import type { Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import type { TicketRoom } from "./room";
import { ticketFiles } from "./tables";

/** Work on this topic copies one file that was sent in a ticket. */
export const fileTopic = "ticket.file";

const mostBytes = 8 * 1024 * 1024;
const mostBytesOfATicket = 64 * 1024 * 1024;

/** Copies a file, unless it or its ticket's are too large. */
export async function copyFile(ctx: Ctx, room: TicketRoom, id: string): Promise<Write[]> {
  const { db } = ctx.store;
  const [file] = await db.select().from(ticketFiles).where(eq(ticketFiles.id, id));
  if (file?.state !== "waiting") return [];
  const [kept] = await db
    .select({ bytes: sql<number>`coalesce(sum(${ticketFiles.size}), 0)` })
    .from(ticketFiles)
    .where(and(eq(ticketFiles.ticketId, file.ticketId), eq(ticketFiles.state, "kept")));
  const become = (set: Partial<typeof ticketFiles.$inferInsert>) => [
    db.update(ticketFiles).set(set).where(eq(ticketFiles.id, id)),
  ];
  if (file.size > mostBytes || (kept?.bytes ?? 0) + file.size > mostBytesOfATicket) {
    return become({ state: "too_large" });
  }
  const bytes = await room.fetchFile(file.url, mostBytes);
  if (!bytes) return become({ state: "lost" });
  return become({
    state: "kept",
    size: bytes.length,
    bytes: Buffer.from(bytes),
    type: pictureType(bytes) ?? "application/octet-stream",
  });
}

/** What the first bytes say, whatever name and type it was sent with; null for all but plain pictures. */
function pictureType(bytes: Uint8Array): string | null {
  const text = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(text)) return "image/gif";
  return text.startsWith("RIFF") && text.slice(8, 12) === "WEBP" ? "image/webp" : null;
}
