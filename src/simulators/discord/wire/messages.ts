import { snowflakeTime } from "../ids";
import { type PrivilegedIntent, privilegedIntents } from "../gateway/protocol";
import type { Attachment, Interaction, Message } from "../rows";
import { type World, iso } from "../world";
import { memberWithoutUser, userJson, userOf } from "./people";

const loading = 1 << 7;

/** Discord's message object. */
export function messageJson(world: World, message: Message): object {
  const { id, channel_id, author_id, type, content, embeds, components, edited_timestamp, nonce } = message;
  const interaction = message.interaction ? world.store.interactions.get(message.interaction) : undefined;
  const files = message.attachments.flatMap((one) => world.store.attachments.get(one) ?? []);
  return {
    type,
    content,
    mentions: message.mentions.users.map((user) => userJson(userOf(world, user))),
    mention_roles: message.mentions.roles,
    mention_everyone: message.mentions.everyone,
    attachments: files.map((one) => attachmentJson(world, channel_id, one)),
    embeds,
    timestamp: iso(snowflakeTime(id)),
    edited_timestamp,
    flags: message.flags | (interaction?.thinking && (interaction.original ?? id) === id ? loading : 0),
    components,
    id,
    channel_id,
    author: userJson(userOf(world, author_id)),
    pinned: false,
    tts: false,
    ...(nonce !== null && { nonce }),
    ...(interaction && answers(world, interaction)),
    ...(world.faults.api.nullThreads && { thread: null }),
  };
}

/** As the gateway sends it: with the author's membership, and the server's id. */
export function messageEvent(world: World, message: Message): object {
  const member = world.store.members.get(message.author_id);
  const more = { guild_id: world.known.guildId, ...(member && { member: memberWithoutUser(member) }) };
  return { ...forBot(world, message), ...more };
}

/** Without the message-content intent a bot reads only its own words and messages that mention it. */
export function forBot(world: World, message: Message): object {
  const { botId } = world.known;
  const json = messageJson(world, message);
  const mayRead =
    message.author_id === botId ||
    message.mentions.users.includes(botId) ||
    enabledIntents(world).includes("message_content");
  return mayRead ? json : { ...json, content: "", embeds: [], attachments: [], components: [] };
}

/** The privileged intents that are switched on for the application. */
export function enabledIntents(world: World): PrivilegedIntent[] {
  const enabled = world.store.setting("intents")?.split(",");
  return privilegedIntents.filter((name) => enabled?.includes(name) ?? true);
}

export function attachmentJson(world: World, channel: string, attachment: Attachment) {
  const { id, filename, size, content_type } = attachment;
  const url = `${world.url}/attachments/${channel}/${id}/${encodeURIComponent(filename)}`;
  return { id, filename, size, url, proxy_url: url, content_type };
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
