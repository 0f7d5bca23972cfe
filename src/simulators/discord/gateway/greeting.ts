import { can } from "../guild/standing";
import { topLevel } from "../guild/channels";
import { activeThreads, channelJson } from "../wire/channels";
import { guildJson } from "../wire/guild";
import { memberJson, userJson, userOf } from "../wire/people";
import type { World } from "../world";
import { intent } from "./intents";
import type { Session, Sessions } from "./sessions";

/** What a bot hears first: who it is, and then the server as it stands. */
export function greet(world: World, sessions: Sessions, session: Session) {
  const { botId, applicationId, guildId } = world.known;
  const inside = world.store.members.has(botId);
  sessions.tell(session, "READY", {
    v: 10,
    user: { ...userJson(userOf(world, botId)), verified: true, mfa_enabled: true, email: null },
    guilds: inside ? [{ id: guildId, unavailable: true }] : [],
    session_id: session.id,
    resume_gateway_url: gatewayUrl(world),
    session_type: "normal",
    private_channels: [],
    relationships: [],
    presences: [],
    shard: [0, 1],
    application: { id: applicationId, flags: applicationFlags(world) },
  });
  if (inside && (session.intents & intent.GUILDS) !== 0)
    sessions.tell(session, "GUILD_CREATE", guildWhole(world, session));
}

export function gatewayUrl(world: World): string {
  return `${world.url.replace(/^http/, "ws")}/gateway`;
}

/** Which privileged intents are switched on, as the application's flags tell it. */
export function applicationFlags(world: World): number {
  const on = world.store.setting("intents") ?? "members,presences,message_content";
  return (
    (on.includes("presences") ? 1 << 13 : 0) +
    (on.includes("members") ? 1 << 15 : 0) +
    (on.includes("message_content") ? 1 << 19 : 0) +
    (1 << 23)
  );
}

/** Members are told by the gateway only to those who see presences; everyone else asks for them. */
function guildWhole(world: World, session: Session) {
  const { botId } = world.known;
  const everyone = (session.intents & intent.GUILD_PRESENCES) !== 0 && world.store.members.size() <= 250;
  const members = world.store.members.all().filter(({ id }) => everyone || id === botId);
  const sees = (channel: Parameters<typeof channelJson>[1]) => can(world, botId, "VIEW_CHANNEL", channel);
  return {
    ...guildJson(world),
    joined_at: world.store.members.get(botId)?.joined_at,
    large: world.store.members.size() > 50,
    unavailable: false,
    member_count: world.store.members.size(),
    voice_states: [],
    members: members.map((member) => memberJson(world, member)),
    channels: topLevel(world).map((channel) => channelJson(world, channel)),
    threads: activeThreads(world, sees).map((channel) => channelJson(world, channel, botId)),
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  };
}
