import type { APIAttachment, APIMessage, APIMessageInteractionMetadata, APIUser } from "discord.js";
import { snowflakeTime } from "../ids";
import { type PrivilegedIntent, privilegedIntents } from "../gateway/protocol";
import type { Attachment, Interaction, Message, Snapshot } from "../rows";
import { type World, iso } from "../world";
import { memberWithoutUser, userJson, userOf } from "./people";
import type { Wire } from "./types";

const loading = 1 << 7;
const hasSnapshot = 1 << 14;

/** Discord's message object. */
export function messageJson(world: World, message: Message): Wire<APIMessage> {
  const { id, channel_id, author_id, type, content, embeds, components, edited_timestamp, nonce } = message;
  const interaction = message.interaction ? world.store.interactions.get(message.interaction) : undefined;
  return {
    type,
    content,
    mentions: message.mentions.users.map((user) => userJson(userOf(world, user))),
    mention_roles: message.mentions.roles,
    mention_everyone: message.mentions.everyone,
    attachments: filesJson(world, message.channel_id, message.attachments),
    embeds,
    timestamp: iso(snowflakeTime(id)),
    edited_timestamp,
    flags:
      message.flags |
      (interaction?.thinking && (interaction.original ?? id) === id ? loading : 0) |
      (message.snapshot ? hasSnapshot : 0),
    components,
    id,
    channel_id,
    author: userJson(userOf(world, author_id)),
    pinned: false,
    tts: false,
    ...(nonce !== null && { nonce }),
    ...(interaction && answers(world, interaction)),
    ...(message.stickers.length > 0 && { sticker_items: message.stickers }),
    ...(message.snapshot && forwardedJson(world, message.snapshot)),
  };
}

/** `type` 1 of a reference is a forwarded message. */
function forwardedJson(world: World, { of, attachments, stickers, ...fields }: Snapshot) {
  const { id: message_id, channel_id } = of;
  const message = {
    ...fields,
    attachments: filesJson(world, channel_id, attachments),
    components: [],
    mentions: [],
    mention_roles: [],
    ...(stickers.length > 0 && { sticker_items: stickers }),
  };
  return {
    message_reference: { type: 1 as const, message_id, channel_id, guild_id: world.known.guildId },
    message_snapshots: [{ message }],
  };
}

const filesJson = (world: World, channel: string, ids: string[]) =>
  ids
    .flatMap((id) => world.store.attachments.get(id) ?? [])
    .map((one) => attachmentJson(world, channel, one));

/** The message as the gateway sends it: with the author's membership and the server's id. */
export function messageEvent(world: World, message: Message) {
  const member = world.store.members.get(message.author_id);
  const more = { guild_id: world.known.guildId, ...(member && { member: memberWithoutUser(member) }) };
  return { ...forBot(world, message), ...more };
}

/** Without the message-content intent, a bot sees the content only of its own messages and of those that mention it. */
export function forBot(world: World, message: Message) {
  const { botId } = world.known;
  const json = { ...messageJson(world, message), ...(world.faults.api.nullThreads && { thread: null }) };
  const mayRead =
    message.author_id === botId ||
    message.mentions.users.includes(botId) ||
    enabledIntents(world).includes("message_content");
  if (mayRead) return json;
  const empty = { content: "", embeds: [], attachments: [], components: [] };
  const snapshots = json.message_snapshots?.map(({ message: one }) => ({ message: { ...one, ...empty } }));
  return { ...json, ...empty, ...(snapshots && { message_snapshots: snapshots }) };
}

export function enabledIntents(world: World): PrivilegedIntent[] {
  const enabled = world.store.setting("intents")?.split(",");
  return privilegedIntents.filter((name) => enabled?.includes(name) ?? true);
}

export function attachmentJson(world: World, channel: string, attachment: Attachment): Wire<APIAttachment> {
  const { id, filename, size, content_type } = attachment;
  const url = `${world.url}/attachments/${channel}/${id}/${encodeURIComponent(filename)}`;
  return { id, filename, size, url, proxy_url: url, content_type };
}

function answers(world: World, interaction: Interaction) {
  const { applicationId } = world.known;
  const { id, type, command } = interaction;
  const user = userJson(userOf(world, interaction.user));
  return {
    application_id: applicationId,
    webhook_id: applicationId,
    interaction_metadata: metadataOf(world, interaction, user),
    ...(type === 2 && { interaction: { id, type, name: command ?? "", user } }),
  };
}

function metadataOf(
  world: World,
  { id, type, message }: Interaction,
  user: Wire<APIUser>,
): Wire<APIMessageInteractionMetadata> {
  const base = { id, user, authorizing_integration_owners: { 0: world.known.guildId } };
  if (type === 2) return { ...base, type };
  if (type === 3) return { ...base, type, interacted_message_id: message ?? "" };
  return { ...base, type, triggering_interaction_metadata: { ...base, type: 2 } };
}
