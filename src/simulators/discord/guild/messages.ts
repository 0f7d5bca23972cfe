import { refusals } from "../errors";
import { snowflakeTime } from "../ids";
import type { Channel, Message, Snapshot } from "../rows";
import { type World, iso, isoNow } from "../world";
import { channelFor } from "./channels";
import { dispatchMessage, dispatchMessageDeleted } from "./dispatch";
import { can, mustBeAllowed } from "./permissions";
import { addToThread, wake } from "./threads";

/** Discord's "allowed mentions". Without it, every mention in the text that the author is allowed to make counts. */
export type AllowedMentions = {
  parse?: readonly ("users" | "roles" | "everyone")[] | null | undefined;
  users?: readonly (string | null)[] | null | undefined;
  roles?: readonly (string | null)[] | null | undefined;
};

/** A message's content, already validated. */
export type Draft = Words & Pick<Message, "flags" | "nonce"> & Mentioning;
type Words = Pick<Message, "content" | "embeds" | "components" | "attachments" | "stickers" | "snapshot">;
type Mentioning = { allowed_mentions?: AllowedMentions | undefined };

export const emptyDraft: Draft = {
  content: "",
  embeds: [],
  components: [],
  attachments: [],
  stickers: [],
  snapshot: null,
  flags: 0,
  nonce: null,
};

/** Absent fields stay unchanged. */
export type MessageChange = Partial<Words> & Mentioning;

/** Posts in a channel, with the author's permissions. */
export function write(world: World, author: string, channel: Channel, draft: Draft): Message {
  mustBeAllowed(world, author, [channel.thread ? "SEND_MESSAGES_IN_THREADS" : "SEND_MESSAGES"], channel);
  if (draft.attachments.length > 0) mustBeAllowed(world, author, ["ATTACH_FILES"], channel);
  if (channel.thread?.locked && !can(world, author, "MANAGE_THREADS", channel)) throw refusals.threadLocked();
  mustSaySomething(draft);
  const embeds = can(world, author, "EMBED_LINKS", channel) ? draft.embeds : [];
  return publish(world, { author, channel }, { ...draft, embeds });
}

type Place = { author: string; channel: Channel };
type Origin = Partial<Pick<Message, "type" | "interaction" | "visible_to">>;

/** Posts in a channel without checking permissions, as answers to interactions do. */
export function publish(
  world: World,
  { author, channel }: Place,
  draft: Draft,
  origin: Origin = {},
): Message {
  const place = origin.visible_to ? channel : wake(world, channel);
  const mentions = mentionsIn(world, draft.content, author, { channel, allowed: draft.allowed_mentions });
  const message = store(world, { author, channel }, draft, { mentions, ...origin });
  if (message.visible_to !== null) return message;
  appear(world, place, message);
  // Discord adds everyone to a thread who posts or is mentioned there and can see its channel
  const parent = world.store.channels.get(place.parent_id ?? "");
  for (const user of parent ? [author, ...message.mentions.users] : [])
    if (can(world, user, "VIEW_CHANNEL", parent)) addToThread(world, place, user);
  return message;
}

/** Discord's own message about a user added to a thread. */
export function announceAdded(world: World, author: string, channel: Channel, user: string) {
  const mentions = { users: [user], roles: [], everyone: false };
  appear(world, channel, store(world, { author, channel }, emptyDraft, { type: 1, mentions }));
}

type Rest = Pick<Message, "mentions"> & Origin;

function store(world: World, { author, channel }: Place, draft: Draft, rest: Rest): Message {
  const { allowed_mentions: _, ...fields } = draft;
  return world.store.put("messages", {
    id: world.ids.snowflake(),
    channel_id: channel.id,
    author_id: author,
    type: 0,
    edited_timestamp: null,
    interaction: null,
    visible_to: null,
    ...fields,
    ...rest,
  });
}

export function edit(world: World, editor: string, message: Message, change: MessageChange): Message {
  if (message.author_id !== editor) throw refusals.notYourMessage();
  const channel = world.store.channels.get(message.channel_id);
  if (!channel) throw refusals.unknownChannel();
  if (channel.thread?.archived) throw refusals.threadArchived();
  const { allowed_mentions: allowed, ...fields } = change;
  const edited = { ...message, ...fields, edited_timestamp: isoNow(world) };
  mustSaySomething(edited);
  const mentions = mentionsIn(world, edited.content, editor, { channel, allowed });
  const stored = world.store.put("messages", { ...edited, mentions });
  dispatchMessage(world, "MESSAGE_UPDATE", stored);
  return stored;
}

/** A message that the user can see, by channel and id. */
export function messageFor(world: World, user: string, channel: string, id: string): Message {
  mustBeAllowed(world, user, ["READ_MESSAGE_HISTORY"], channelFor(world, user, channel));
  const message = world.store.messages.get(id);
  if (!message || message.channel_id !== channel || !sees(message, user)) throw refusals.unknownMessage();
  return message;
}

export function deleteMessage(world: World, actor: string, message: Message) {
  const channel = channelFor(world, actor, message.channel_id);
  if (message.author_id !== actor) mustBeAllowed(world, actor, ["MANAGE_MESSAGES"], channel);
  world.store.remove("messages", message.id);
  if (channel.thread) {
    const message_count = Math.max(0, channel.thread.message_count - 1);
    world.store.put("channels", { ...channel, thread: { ...channel.thread, message_count } });
  }
  dispatchMessageDeleted(world, message);
}

/** Whether a user sees a message; an ephemeral answer is visible only to the user who asked. */
export function sees(message: Message, user: string): boolean {
  return message.visible_to === null || message.visible_to === user;
}

export function mustSaySomething({ content, snapshot, ...lists }: Words) {
  const { embeds, components, attachments, stickers } = lists;
  const isEmpty = [embeds, components, attachments, stickers].every((list) => list.length === 0);
  if (content === "" && snapshot === null && isEmpty) throw refusals.emptyMessage();
}

/** A message as somebody forwards it: they must see it. */
export function snapshotOf(world: World, user: string, { id, channel_id, ...rest }: Message): Snapshot {
  messageFor(world, user, channel_id, id);
  const { type, content, embeds, attachments, stickers, edited_timestamp, flags } = rest.snapshot ?? rest;
  const timestamp = rest.snapshot?.timestamp ?? iso(snowflakeTime(id));
  const of = rest.snapshot?.of ?? { id, channel_id };
  return { of, type, content, embeds, attachments, stickers, timestamp, edited_timestamp, flags };
}

/** A file: text, or bytes in base64. */
export type FileGiven = {
  filename: string;
  content_type?: string | undefined;
  content?: string | undefined;
  base64?: string | undefined;
};

/** Stores a file and returns its id; nobody sees it until a message names it. */
export function storeFile(world: World, given: FileGiven): string {
  const base64 = given.base64 ?? Buffer.from(given.content ?? "").toString("base64");
  const { id } = world.store.put("attachments", {
    id: world.ids.snowflake(),
    filename: given.filename.replaceAll(/[^\w.-]+/g, "_"),
    size: Buffer.from(base64, "base64").length,
    content_type: given.content_type ?? "application/octet-stream",
    base64,
  });
  return id;
}

function appear(world: World, channel: Channel, message: Message) {
  const now = world.store.channels.get(channel.id) ?? channel;
  const thread = now.thread && {
    ...now.thread,
    message_count: now.thread.message_count + 1,
    total_message_sent: now.thread.total_message_sent + 1,
  };
  world.store.put("channels", { ...now, last_message_id: message.id, thread });
  dispatchMessage(world, "MESSAGE_CREATE", message);
}

/** The mentions in a text that notify a user or role. */
function mentionsIn(
  world: World,
  text: string,
  author: string,
  where: { channel: Channel; allowed: AllowedMentions | undefined },
): Message["mentions"] {
  const { channel, allowed } = where;
  const all = { parse: ["users", "roles", "everyone"] };
  const lets: { parse?: readonly string[] | null | undefined; [key: string]: unknown } = allowed ?? all;
  const may = (kind: string) => lets.parse?.includes(kind) ?? false;
  const loud = can(world, author, "MENTION_EVERYONE", channel);
  const users = matchesIn(text, /<@!?(\d+)>/g).filter((id) => world.store.users.has(id));
  const roles = matchesIn(text, /<@&(\d+)>/g).filter((id) => world.store.roles.get(id)?.mentionable || loud);
  return {
    users: users.filter((id) => may("users") || allowed?.users?.includes(id)),
    roles: roles
      .filter((id) => world.store.roles.has(id))
      .filter((id) => may("roles") || allowed?.roles?.includes(id)),
    everyone: loud && may("everyone") && /@(everyone|here)\b/.test(text),
  };
}

function matchesIn(text: string, pattern: RegExp): string[] {
  return [...new Set(Array.from(text.matchAll(pattern), ([, id]) => id ?? ""))];
}
