import { and, asc, desc, eq, gte, inArray, isNull, ne, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Ctx } from "@/core/database/context";
import { everyPage, newerThan, olderThan, type Place } from "@/core/database/pages";
import { ticketFiles, ticketMessages, tickets } from "../../schema/tickets";

/** A file without its bytes. */
export type StoredFile = Pick<
  typeof ticketFiles.$inferSelect,
  "id" | "messageId" | "name" | "size" | "state" | "type"
>;
export type Message = typeof ticketMessages.$inferSelect & { files: StoredFile[] };

/** Members can't read staff's notes. */
export type Reader = "member" | "staff";

type Page = { after: Place | null; most: number };

/** A page of a ticket's messages as its member may read them, or staff; newest first. */
export const newestMessages = (
  ctx: Ctx,
  ticketId: string,
  { after, most }: Page,
  reader: Reader = "member",
): Promise<Message[]> =>
  withFiles(
    ctx,
    ctx.store.db
      .select()
      .from(ticketMessages)
      .where(and(readableBy(reader, ticketId), olderThan(after, ticketMessages.at, ticketMessages.id)))
      .orderBy(desc(ticketMessages.at), desc(ticketMessages.id))
      .limit(most),
  );

export type LastMessage = Pick<Message, "ticketId" | "authorId" | "via" | "content"> & {
  author: "member" | "staff";
};

/** The newest message of each of these tickets by its member, a guest or staff; a file's name stands for its content. */
export async function lastMessages(ctx: Ctx, some: { id: string }[]): Promise<Map<string, LastMessage>> {
  const { db } = ctx.store;
  const { id, ticketId, author, authorId, via } = ticketMessages;
  const name = db
    .select({ name: ticketFiles.name })
    .from(ticketFiles)
    .where(eq(ticketFiles.messageId, id))
    .limit(1);
  const content = sql<string>`coalesce(nullif(${ticketMessages.content}, ''), (${name}), '')`;
  const newest = alias(ticketMessages, "newest");
  const last = db
    .select({ id: newest.id })
    .from(newest)
    .where(
      and(
        eq(newest.ticketId, tickets.id),
        inArray(newest.author, ["member", "staff"]),
        isNull(newest.deletedAt),
      ),
    )
    .orderBy(desc(newest.at), desc(newest.id))
    .limit(1);
  const ids = some.map((one) => one.id);
  const rows = await db
    .select({ ticketId, author: sql<LastMessage["author"]>`${author}`, authorId, via, content })
    .from(tickets)
    .innerJoin(ticketMessages, eq(id, sql`(${last})`))
    .where(inArray(tickets.id, ids));
  return new Map(rows.map((row) => [row.ticketId, row]));
}

/** What staff wrote last in a ticket since a moment; null if nothing. A file's name stands for its content. */
export async function newestAnswer(ctx: Ctx, ticketId: string, since: Date | null): Promise<string | null> {
  const { author, at, deletedAt } = ticketMessages;
  const [newest] = await withFiles(
    ctx,
    ctx.store.db
      .select()
      .from(ticketMessages)
      .where(
        and(
          eq(ticketMessages.ticketId, ticketId),
          // must equal the condition of a partial index, so it has no parameter
          sql`${author} = 'staff'`,
          isNull(deletedAt),
          since === null ? undefined : gte(at, since),
        ),
      )
      .orderBy(desc(at))
      .limit(1),
  );
  const files = newest?.files.map(({ name }) => name).join(", ");
  return newest?.content || files || null;
}

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
