import { snowflakeTime } from "../ids";
import { privileged } from "../gateway/intents";
import type { Attachment, Interaction, Message } from "../store/rows";
import { type World, iso } from "../world";
import { channelJson } from "./channels";
import { type FilesByName, componentJson, embedJson } from "./components";
import { memberWithoutUser, userJson, userOf } from "./people";

const loading = 1 << 7;

/** Discord's message object, whole. */
export function messageJson(world: World, message: Message, deep = true): object {
  const { id, channel_id, author_id, type, content } = message;
  const files = filesOf(world, message);
  const interaction = message.interaction ? world.store.interactions.get(message.interaction) : undefined;
  const thread = world.store.channels.get(id);
  return {
    type,
    content,
    mentions: message.mentions.users.map((user) => userJson(userOf(world, user))),
    mention_roles: message.mentions.roles,
    mention_everyone: message.mentions.everyone,
    attachments: files.map((one) => attachmentJson(world, channel_id, one)),
    embeds: message.embeds.map((one) => embedJson(one, byName(world, channel_id, files))),
    timestamp: iso(snowflakeTime(id)),
    edited_timestamp: message.edited_timestamp,
    flags: message.flags | (interaction?.thinking && (interaction.original ?? id) === id ? loading : 0),
    components: message.components.map((one) => componentJson(one, byName(world, channel_id, files))),
    id,
    channel_id,
    author: userJson(userOf(world, author_id)),
    pinned: message.pinned,
    tts: message.tts,
    ...(message.nonce !== null && { nonce: message.nonce }),
    ...(interaction && answers(world, interaction)),
    ...(deep && message.reply_to !== null && reply(world, message, message.reply_to)),
    ...(world.faults.api.nullThreads && { thread: null }),
    ...(deep && thread?.thread && { thread: channelJson(world, thread) }),
  };
}

/** As the gateway sends it: with the author's membership, and the server's id. */
export function messageEvent(world: World, message: Message): object {
  const channel = world.store.channels.get(message.channel_id);
  const json = forBot(world, message);
  if (channel?.type === 1) return json;
  const member = world.store.members.get(message.author_id);
  return { ...json, guild_id: world.known.guildId, ...(member && { member: memberWithoutUser(member) }) };
}

/** Without the message-content intent a bot sees no one's words but its own, those to it, and direct messages. */
export function forBot(world: World, message: Message): object {
  const json = messageJson(world, message);
  if (mayRead(world, message)) return json;
  return { ...json, content: "", embeds: [], attachments: [], components: [] };
}

function mayRead(world: World, message: Message): boolean {
  const { botId } = world.known;
  if (message.author_id === botId || message.mentions.users.includes(botId)) return true;
  if (world.store.channels.get(message.channel_id)?.type === 1) return true;
  return enabledIntents(world).includes("message_content");
}

/** Privileged intents that are switched on for the application. */
export function enabledIntents(world: World): string[] {
  return (world.store.setting("intents") ?? Object.keys(privileged).join(",")).split(",");
}

function filesOf(world: World, { attachments }: Message): Attachment[] {
  return attachments.flatMap((id) => world.store.attachments.get(id) ?? []);
}

function byName(world: World, channel: string, files: Attachment[]): FilesByName {
  return new Map(
    files.map((attachment) => [
      attachment.filename,
      { attachment, url: attachmentJson(world, channel, attachment).url },
    ]),
  );
}

export function attachmentJson(world: World, channel: string, attachment: Attachment) {
  const { id, filename, size, content_type, description } = attachment;
  const url = `${world.url}/attachments/${channel}/${id}/${encodeURIComponent(filename)}`;
  return {
    id,
    filename,
    size,
    url,
    proxy_url: url,
    content_type,
    ...(description !== null && { description }),
    ...(attachment.ephemeral && { ephemeral: true }),
  };
}

function answers(world: World, interaction: Interaction) {
  const user = userJson(userOf(world, interaction.user));
  const owners = { "0": world.known.guildId };
  return {
    application_id: world.known.applicationId,
    webhook_id: world.known.applicationId,
    interaction_metadata: interactionMetadata(interaction, user, owners),
    ...(interaction.type === 2 && {
      interaction: { id: interaction.id, type: 2, name: interaction.command ?? "", user },
    }),
  };
}

function interactionMetadata(interaction: Interaction, user: object, owners: object) {
  const base = { id: interaction.id, type: interaction.type, user, authorizing_integration_owners: owners };
  if (interaction.type === 3) return { ...base, interacted_message_id: interaction.message };
  if (interaction.type !== 5) return { ...base, name: interaction.command ?? "" };
  const triggering = { id: interaction.id, type: 2, user, authorizing_integration_owners: owners, name: "" };
  return { ...base, triggering_interaction_metadata: triggering };
}

function reply(world: World, message: Message, to: string) {
  const referenced = world.store.messages.get(to);
  return {
    message_reference: {
      type: 0,
      message_id: to,
      channel_id: message.channel_id,
      guild_id: world.known.guildId,
    },
    referenced_message: referenced ? messageJson(world, referenced, false) : null,
  };
}
