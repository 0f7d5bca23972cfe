import { and, asc, desc, eq, inArray, ne, type SQL } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import { everyPage, newerThan, olderThan, type Place } from "@/core/pages";
import { ticketFiles, ticketMessages } from "../schema/tickets";

/** A file without its bytes. */
export type File = Pick<
  typeof ticketFiles.$inferSelect,
  "id" | "messageId" | "name" | "size" | "state" | "type"
>;
export type Message = typeof ticketMessages.$inferSelect & { files: File[] };

/** Members can't read staff's notes. */
export type Reader = "member" | "staff";

type Page = { after: Place | null; most: number };

/** A page of a ticket's messages as its member may read them, newest first. */
export const newestMessages = (ctx: Ctx, ticketId: string, { after, most }: Page): Promise<Message[]> =>
  withFiles(
    ctx,
    ctx.store.db
      .select()
      .from(ticketMessages)
      .where(and(readableBy("member", ticketId), olderThan(after, ticketMessages.at, ticketMessages.id)))
      .orderBy(desc(ticketMessages.at), desc(ticketMessages.id))
      .limit(most),
  );

/** All of a ticket's messages, oldest first, a page at a time. */
export const everyMessage = (ctx: Ctx, ticketId: string, reader: Reader): AsyncGenerator<Message[]> =>
  everyPage(
    (after, most) =>
      withFiles(
        ctx,
        ctx.store.db
          .select()
          .from(ticketMessages)
          .where(and(readableBy(reader, ticketId), newerThan(after, ticketMessages.at, ticketMessages.id)))
          .orderBy(asc(ticketMessages.at), asc(ticketMessages.id))
          .limit(most),
      ),
    ({ at, id }) => ({ at, id }),
  );

const readableBy = (reader: Reader, ticketId: string): SQL | undefined =>
  and(
    eq(ticketMessages.ticketId, ticketId),
    reader === "member" ? ne(ticketMessages.author, "note") : undefined,
  );

async function withFiles(
  ctx: Ctx,
  read: Promise<(typeof ticketMessages.$inferSelect)[]>,
): Promise<Message[]> {
  const messages = await read;
  if (messages.length === 0) return [];
  const { id, messageId, name, size, state, type } = ticketFiles;
  const files = await ctx.store.db
    .select({ id, messageId, name, size, state, type })
    .from(ticketFiles)
    .where(
      inArray(
        messageId,
        messages.map((message) => message.id),
      ),
    );
  const byMessage = Map.groupBy(files, (file) => file.messageId);
  return messages.map((one) => ({ ...one, files: byMessage.get(one.id) ?? [] }));
}
