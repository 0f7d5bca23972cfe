import { permissionsOf } from "../guild/permissions";
import type { Channel, Interaction, Json, Message } from "../rows";
import { channelJson } from "../wire/channels";
import { messageJson } from "../wire/messages";
import { memberWithoutUser, userJson, userOf } from "../wire/people";
import type { World } from "../world";

export type Opening = Pick<Interaction, "type" | "user" | "command" | "data"> & {
  channel: Channel;
  message: Message | null;
};

/** Tells the bot of something that it must answer within three seconds. */
export function openInteraction(world: World, opening: Opening): Interaction {
  const { type, user, command, data, channel, message } = opening;
  const interaction = world.store.put("interactions", {
    id: world.ids.snowflake(),
    token: world.ids.secret(120),
    type,
    user,
    channel: channel.id,
    message: message?.id ?? null,
    command,
    data,
    created: world.now(),
    acknowledged: null,
    acknowledged_at: null,
    original: null,
    thinking: false,
    messages: [],
    modal: null,
  });
  world.tell({ name: "INTERACTION_CREATE", data: interactionJson(world, interaction), intents: 0 });
  return interaction;
}

/** Discord's interaction object. */
function interactionJson(world: World, interaction: Interaction): Json {
  const { id, token, type, user, data } = interaction;
  const channel = world.store.channels.get(interaction.channel);
  const message = interaction.message ? world.store.messages.get(interaction.message) : undefined;
  if (!channel) throw new Error(`no channel ${interaction.channel}`);
  return {
    id,
    application_id: world.known.applicationId,
    type,
    data,
    token,
    version: 1,
    channel_id: channel.id,
    channel: channelJson(world, channel),
    ...memberPart(world, user, channel),
    ...(message && { message: messageJson(world, message) }),
    app_permissions: String(permissionsOf(world, world.known.botId, channel)),
    locale: "en-US",
    entitlements: [],
    authorizing_integration_owners: { "0": world.known.guildId },
    context: 0,
    attachment_size_limit: 10_485_760,
  };
}

function memberPart(world: World, id: string, channel: Channel): Json {
  const user = userJson(userOf(world, id));
  const member = world.store.members.get(id);
  if (!member) return { user };
  const { guildId } = world.known;
  const permissions = String(permissionsOf(world, id, channel));
  return {
    guild_id: guildId,
    guild_locale: "en-US",
    guild: { id: guildId, locale: "en-US", features: ["COMMUNITY", "NEWS"] },
    member: { ...memberWithoutUser(member), user, permissions },
  };
}
