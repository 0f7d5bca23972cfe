import { refusals } from "../errors";
import type { Channel, Message } from "../store/rows";
import { type World, isoNow } from "../world";
import { note } from "./audit";
import { channelFor } from "./channels";
import { type Draft, type MessageChange, mustSaySomething, rewrite, textOf } from "./draft";
import { tellMessage, tellMessageGone } from "./happenings";
import type { By } from "./members";
import { mentionsIn } from "./mentions";
import { can, mustBeAllowed } from "./standing";
import { addToThread } from "./thread-members";
import { wake } from "./threads";

const publishable = {
  embeds: [],
  components: [],
  attachments: [],
  flags: 0,
  edited_timestamp: null,
  tts: false,
  reply_to: null,
  nonce: null,
  interaction: null,
  visible_to: null,
  pinned: false,
};

type Place = { author: string; channel: Channel };
type Birth = Partial<Pick<Message, "type" | "interaction" | "visible_to">>;

/** Somebody writes in a channel, as far as they may. */
export function write(world: World, author: string, channel: Channel, draft: Draft): Message {
  const needed = channel.thread ? "SEND_MESSAGES_IN_THREADS" : "SEND_MESSAGES";
  if (![0, 1, 2, 5, 11, 12].includes(channel.type)) throw refusals.wrongChannelType();
  mustBeAllowed(world, author, [needed], channel);
  if (draft.attachments.length > 0) mustBeAllowed(world, author, ["ATTACH_FILES"], channel);
  if (channel.type === 1 && closedToMessages(world, channel)) throw refusals.cannotReach();
  if (channel.thread?.locked && !can(world, author, "MANAGE_THREADS", channel)) throw refusals.threadLocked();
  mustSaySomething(draft);
  const embeds = can(world, author, "EMBED_LINKS", channel) ? draft.embeds : [];
  return publish(world, { author, channel }, { ...draft, embeds });
}

/** Puts a message into a channel, whoever may; answers to interactions come this way too. */
export function publish(world: World, { author, channel }: Place, draft: Draft, birth: Birth = {}): Message {
  const place = birth.visible_to ? channel : wake(world, channel);
  const { allowed_mentions, reply_to, ...said } = draft;
  const replied = reply_to === null ? undefined : world.store.messages.get(reply_to);
  const mentions = mentionsIn(world, textOf(draft), author, { channel, allowed: allowed_mentions });
  const pings = replied && allowed_mentions?.replied_user !== false && replied.author_id !== author;
  const message = world.store.put("messages", {
    id: world.ids.snowflake(),
    channel_id: channel.id,
    author_id: author,
    ...publishable,
    type: replied ? 19 : 0,
    ...said,
    reply_to: replied ? reply_to : null,
    mentions: pings ? { ...mentions, users: [...new Set([...mentions.users, replied.author_id])] } : mentions,
    ...birth,
  });
  if (message.visible_to !== null) return message;
  count(world, place, message.id);
  tellMessage(world, "MESSAGE_CREATE", message);
  // Whoever writes in a thread, or is mentioned there, is in it from then on.
  if (place.thread) for (const user of [author, ...message.mentions.users]) comeIn(world, place, user);
  return message;
}

/** What Discord itself writes when somebody was put in, taken out, or a thread renamed: types 1, 2 and 4. */
export function announce(world: World, author: string, channel: Channel, about: Announcement) {
  const users = about.user === undefined ? [] : [about.user];
  const message = world.store.put("messages", {
    ...publishable,
    id: world.ids.snowflake(),
    channel_id: channel.id,
    author_id: author,
    type: about.type,
    content: about.content ?? "",
    mentions: { users, roles: [], everyone: false },
  });
  count(world, channel, message.id);
  tellMessage(world, "MESSAGE_CREATE", message);
}

type Announcement = { type: 1 | 2 | 4; user?: string; content?: string };

export function edit(world: World, editor: string, message: Message, change: MessageChange): Message {
  if (message.author_id !== editor) throw refusals.notYourMessage();
  if (![0, 19, 20, 23].includes(message.type)) throw refusals.systemMessage();
  const channel = world.store.channels.get(message.channel_id);
  if (!channel) throw refusals.unknownChannel();
  if (channel.thread?.archived) throw refusals.threadArchived();
  const edited = rewrite(message, change);
  mustSaySomething(edited);
  const allowed = change.allowed_mentions;
  const mentions = mentionsIn(world, textOf(edited), editor, { channel, allowed });
  const stored = world.store.put("messages", { ...edited, mentions, edited_timestamp: isoNow(world) });
  tellMessage(world, "MESSAGE_UPDATE", stored);
  return stored;
}

/** The message that somebody may see, by its place. */
export function messageFor(world: World, user: string, channel: string, id: string): Message {
  const place = channelFor(world, user, channel);
  mustBeAllowed(world, user, ["READ_MESSAGE_HISTORY"], place);
  const message = world.store.messages.get(id);
  if (!message || message.channel_id !== channel || !sees(message, user)) throw refusals.unknownMessage();
  return message;
}

export function deleteMessage(world: World, by: By, message: Message) {
  const channel = channelFor(world, by.actor, message.channel_id);
  if (message.author_id !== by.actor) mustBeAllowed(world, by.actor, ["MANAGE_MESSAGES"], channel);
  takeBack(world, message);
  if (message.author_id !== by.actor)
    note(world, { ...by, action: "MESSAGE_DELETE", target: message.author_id });
}

export function takeBack(world: World, message: Message) {
  world.store.remove("messages", message.id);
  const channel = world.store.channels.get(message.channel_id);
  if (channel?.thread) {
    const message_count = Math.max(0, channel.thread.message_count - 1);
    world.store.put("channels", { ...channel, thread: { ...channel.thread, message_count } });
  }
  tellMessageGone(world, message);
}

/** Of an ephemeral answer only the one it was for; of all else whoever sees the channel. */
export function sees(message: Message, user: string): boolean {
  return message.visible_to === null || message.visible_to === user;
}

function count(world: World, channel: Channel, last_message_id: string) {
  const now = world.store.channels.get(channel.id) ?? channel;
  const thread = now.thread && {
    ...now.thread,
    message_count: now.thread.message_count + 1,
    total_message_sent: now.thread.total_message_sent + 1,
  };
  world.store.put("channels", { ...now, last_message_id, thread });
}

function comeIn(world: World, thread: Channel, user: string) {
  const parent = world.store.channels.get(thread.parent_id ?? "");
  if (parent && can(world, user, "VIEW_CHANNEL", parent)) addToThread(world, thread, user);
}

function closedToMessages(world: World, { recipient }: Channel): boolean {
  const closed = world.store.setting(`dm_closed:${recipient}`) === "yes";
  return closed || recipient === null || !world.store.members.has(recipient);
}
