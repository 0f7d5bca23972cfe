import { and, asc, eq, sql } from "drizzle-orm";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { failpoint } from "@/core/log/failpoints";
import type { BuildStore } from "../../releases/store";
import { ticketFiles, ticketMessages, ticketPosts } from "../../schema/tickets";
import type { Ticket } from "../reading/queries";
import type { PostedFile, TicketChannels } from "../reading/ticket-channels";

type Channels = Pick<TicketChannels, "ownPosts" | "postText">;
type Message = typeof ticketMessages.$inferSelect;
type Post = { id: string; content: string };

/**
 * Posts in the thread what was written outside Discord, in order. Stores each post before the next, so that it can stop
 * anywhere and resume.
 */
export async function postMessages(
  ctx: Ctx,
  services: { channels: Channels; files: BuildStore },
  { id, threadId }: Pick<Ticket, "id"> & { threadId: string },
): Promise<void> {
  for (const message of await unpostedMessages(ctx, id)) await postParts(ctx, services, threadId, message);
}

async function postParts(
  ctx: Ctx,
  { channels, files }: { channels: Channels; files: BuildStore },
  threadId: string,
  message: Message,
): Promise<void> {
  const file = await fileOf(ctx, message.id);
  // the upload asks for another sync when it is done
  if (file?.state === "copying") return;
  if (!message.postingAt) await update(ctx, message.id, { postingAt: ctx.now() });
  // the answer of an earlier attempt may have been lost, longer ago than Discord knows its nonce
  else for (const post of await channels.ownPosts(threadId)) await isPost(ctx, message.ticketId, post);
  const posted = await postedParts(ctx, message.id);
  for (const [part, text] of postTexts(message, file?.name ?? null).entries()) {
    if (posted.has(part)) continue;
    const once = `${message.id}:${part}`;
    const id = await channels.postText(threadId, {
      text,
      once,
      file: file && (await postedFile(files, file)),
    });
    failpoint("ticket.message-posted");
    await keepPost(ctx, { id, messageId: message.id, part });
  }
  await update(ctx, message.id, { postedAt: ctx.now() });
}

/** Whether the bot posted a message for the site; stores its id if the attempt that posted it has not. */
export async function isPost(ctx: Ctx, ticketId: string, post: Post): Promise<boolean> {
  const isKnown = eq(ticketPosts.id, post.id);
  if ((await ctx.store.db.$count(ticketPosts, isKnown)) > 0) return true;
  for (const message of await unpostedMessages(ctx, ticketId)) {
    if (message.postingAt && (await matchPost(ctx, message, post))) return true;
  }
  return false;
}

/** Stores a post as the first part with its text that has none; false if there is no such part. */
async function matchPost(ctx: Ctx, message: Message, { id, content }: Post): Promise<boolean> {
  const posted = await postedParts(ctx, message.id);
  const texts = postTexts(message, (await fileOf(ctx, message.id))?.name ?? null);
  const part = texts.findIndex((text, at) => text === content && !posted.has(at));
  if (part !== -1) await keepPost(ctx, { id, messageId: message.id, part });
  return part !== -1;
}

const keepPost = (ctx: Ctx, post: typeof ticketPosts.$inferInsert): Promise<void> =>
  commit(ctx.store, [ctx.store.db.insert(ticketPosts).values(post).onConflictDoNothing()]);

const update = (ctx: Ctx, id: string, set: Partial<Message>): Promise<void> =>
  commit(ctx.store, [ctx.store.db.update(ticketMessages).set(set).where(eq(ticketMessages.id, id))]);

/** The messages from outside Discord that are not wholly posted, oldest first. */
const unpostedMessages = (ctx: Ctx, ticketId: string): Promise<Message[]> =>
  ctx.store.db
    .select()
    .from(ticketMessages)
    .where(and(eq(ticketMessages.ticketId, ticketId), isUnposted))
    .orderBy(asc(ticketMessages.at), asc(ticketMessages.id));

// must equal the condition of a partial index, so it has no parameter
const isUnposted = sql`${ticketMessages.via} = 'site' AND ${ticketMessages.postedAt} IS NULL`;

async function postedParts(ctx: Ctx, messageId: string): Promise<Set<number>> {
  const { part } = ticketPosts;
  const rows = await ctx.store.db
    .select({ part })
    .from(ticketPosts)
    .where(eq(ticketPosts.messageId, messageId));
  return new Set(rows.map((row) => row.part));
}

type KeptFile = Pick<typeof ticketFiles.$inferSelect, "name" | "state" | "address" | "type">;

async function fileOf(ctx: Ctx, messageId: string): Promise<KeptFile | null> {
  const { name, state, address, type } = ticketFiles;
  const [file] = await ctx.store.db
    .select({ name, state, address, type })
    .from(ticketFiles)
    .where(eq(ticketFiles.messageId, messageId));
  return file ?? null;
}

const pictureName = /\.(png|apng|jpe?g|jfif|gif|webp|avif|heic|bmp|tiff?)$/i;

/** Null if the store has lost its bytes. */
async function postedFile(files: BuildStore, { name, address, type }: KeptFile): Promise<PostedFile | null> {
  const stored = address ? await files.find(address) : null;
  if (!stored) return null;
  return {
    // Discord displays any file with a picture's name
    name: type?.startsWith("image/") ? name : name.replace(pictureName, "$&.bin"),
    data: Buffer.from(await new Response(stored.body(0, stored.size)).arrayBuffer()),
  };
}

type Text = Pick<typeof ticketMessages.$inferSelect, "author" | "authorName" | "content">;

/** Of a message: https://discord.com/developers/docs/resources/message#create-message */
const mostCharacters = 2_000;

/**
 * The bot's posts for a message from outside Discord: who wrote it, and the text in a code block, in which Discord reads
 * no markup, link or mention, so that it can't pass for anything else.
 */
function postTexts({ author, authorName, content }: Text, fileName: string | null): string[] {
  const who = `${authorName.replaceAll("_", "\\_")}${author === "member" ? " (website)" : ""}:`;
  if (fileName !== null) return [`${who} \`${untick(fileName)}\``];
  const room = mostCharacters - inBlock(who, "").length;
  return splitText(untick(content), room).map((text) => inBlock(who, text));
}

const inBlock = (who: string, text: string) => `${who}\n\`\`\`\n${text}\n\`\`\``;
const untick = (text: string) => text.replaceAll("`", "ˋ");

/** Cuts between two characters, never inside one. */
function splitText(text: string, most: number): string[] {
  const all: string[] = [];
  for (let at = 0; at < text.length; at += all.at(-1)?.length ?? most) {
    const piece = text.slice(at, at + most);
    all.push(/[\ud800-\udbff]$/.test(piece) && at + most < text.length ? piece.slice(0, -1) : piece);
  }
  return all;
}
