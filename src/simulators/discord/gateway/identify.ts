import type { GatewayGuildCreateDispatchData, GatewayReadyDispatchData } from "discord.js";
import { z } from "zod";
import { topLevel } from "../guild/channels";
import { activeThreads, textChannelJson } from "../wire/channels";
import { enabledIntents } from "../wire/messages";
import { guildJson, memberJson, userJson, userOf } from "../wire/people";
import type { Wire } from "../wire/types";
import type { World } from "../world";
import { closing, intent, opcode, privileged, privilegedIntents } from "./protocol";
import { type Session, type Sessions, type Socket, transmit } from "./sessions";

export const identity = z.object({
  token: z.string(),
  intents: z.int().nonnegative(),
  properties: z.looseObject({}),
});
export const resumption = z.object({ token: z.string(), session_id: z.string(), seq: z.int() });

export function identify(
  world: World,
  sessions: Sessions,
  socket: Socket,
  identified: z.infer<typeof identity>,
) {
  if (identified.token !== world.secrets.botToken)
    return socket.close(closing.authenticationFailed, "Authentication failed.");
  const enabled = enabledIntents(world);
  if (
    privilegedIntents.some(
      (name) => (identified.intents & privileged[name].intent) !== 0 && !enabled.includes(name),
    )
  )
    return socket.close(closing.disallowedIntents, "Disallowed intent(s).");
  world.tally.identifies += 1;
  socket.data.session = sessions.begin(identified.intents, socket);
  greet(world, sessions, socket.data.session);
}

/** Resumes a session and sends the events that it missed. */
export function resume(
  world: World,
  sessions: Sessions,
  socket: Socket,
  resumed: z.infer<typeof resumption>,
) {
  if (resumed.token !== world.secrets.botToken)
    return socket.close(closing.authenticationFailed, "Authentication failed.");
  const session = sessions.find(resumed.session_id);
  const oldest = session?.sent[0]?.sequence ?? 1;
  if (!session || resumed.seq < oldest - 1) return invalidate(world, socket);
  if (world.faults.gateway.putOff > 0) {
    world.faults.gateway.putOff -= 1;
    world.tally.putOff += 1;
    return invalidate(world, socket, { resumable: true });
  }
  if (resumed.seq > session.sequence) return socket.close(closing.invalidSequence, "Invalid seq.");
  world.tally.resumes += 1;
  session.socket?.close(4000, "Session was resumed elsewhere.");
  session.socket = null;
  socket.data.session = session;
  for (const { sequence, text } of session.sent) if (sequence > resumed.seq) transmit(world, socket, text);
  session.socket = socket;
  sessions.dispatch(session, "RESUMED", {});
}

/** Says that the session can't be resumed, for now (`resumable`) or at all. */
export function invalidate(world: World, socket: Socket, { resumable = false } = {}) {
  transmit(world, socket, JSON.stringify({ op: opcode.INVALID_SESSION, d: resumable, s: null, t: null }));
}

/** The session start limit that `/gateway/bot` reports; nothing uses it up. */
export const sessionBudget = { total: 1000, remaining: 1000, reset_after: 0, max_concurrency: 1 };

/** Sends the first events: the bot's user, then the server's present state. */
function greet(world: World, sessions: Sessions, session: Session) {
  const { botId, applicationId, guildId } = world.known;
  const inside = world.store.members.has(botId);
  const flags = applicationFlags(world);
  const ready: Wire<GatewayReadyDispatchData> = {
    v: 10,
    user: { ...userJson(userOf(world, botId)), verified: true, mfa_enabled: true, email: null },
    guilds: inside ? [{ id: guildId, unavailable: true }] : [],
    session_id: session.id,
    resume_gateway_url: gatewayUrl(world),
    shard: [0, 1],
    application: { id: applicationId, flags, flags_new: String(flags) },
  };
  sessions.dispatch(session, "READY", ready);
  if (inside && (session.intents & intent.GUILDS) !== 0)
    sessions.dispatch(session, "GUILD_CREATE", guildWhole(world));
}

export function gatewayUrl(world: World): string {
  return `${world.url.replace(/^http/, "ws")}/gateway`;
}

/** The application's flags, which include the enabled privileged intents. */
export function applicationFlags(world: World): number {
  return enabledIntents(world).reduce((flags, name) => flags | privileged[name].flag, 1 << 23);
}

/** The whole server. Without the presences intent, Discord sends no member except the bot itself. */
function guildWhole(world: World): Wire<GatewayGuildCreateDispatchData> {
  const { botId } = world.known;
  const self = world.store.members.get(botId);
  return {
    ...guildJson(world),
    joined_at: self?.joined_at ?? "",
    large: world.store.members.size() > 50,
    unavailable: false,
    member_count: world.store.members.size(),
    voice_states: [],
    members: self ? [memberJson(world, self)] : [],
    channels: topLevel(world).map((channel) => textChannelJson(world, channel)),
    threads: activeThreads(world, botId),
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  };
}
