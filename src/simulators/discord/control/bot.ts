import type { Gateway } from "../gateway/gateway";
import { tellRole } from "../guild/happenings";
import { changeMember, join, leave } from "../guild/members";
import { placeRole } from "../guild/roles";
import { bits } from "../permissions";
import { iso, isoNow, type World } from "../world";
import { ControlRefusal } from "./find";
import type { Body } from "./shapes";

/** Changes what the bot may do, for real: its role's place and rights, its intents, its token. */
export function changeBot(world: World, gateway: Gateway, given: Body<"bot">) {
  const { botId, botRoleId, premiumRoleId } = world.known;
  if (given.in_server === false && world.store.members.has(botId)) leave(world, botId);
  if (given.in_server === true) join(world, botId, { roles: [botRoleId] });
  if (given.timed_out_seconds !== undefined) timeOut(world, given.timed_out_seconds);
  if (given.role !== undefined) place(world, botRoleId, premiumRoleId, given.role === "above");
  if (given.grant || given.deny) setRights(world, botRoleId, given);
  if (given.intents) world.store.keep("intents", given.intents.join(","));
  if (given.reset_token) resetToken(world, gateway);
  return {
    in_server: world.store.members.has(botId),
    role: world.store.roles.get(botRoleId),
    intents: world.store.setting("intents") ?? "members,presences,message_content",
    token: world.secrets.botToken,
    connected: gateway.sessions(),
  };
}

function timeOut(world: World, seconds: number) {
  const by = { actor: world.known.ownerId, reason: null };
  const until = seconds > 0 ? iso(world.now() + seconds * 1000) : null;
  changeMember(world, by, world.known.botId, { communication_disabled_until: until });
}

function place(world: World, bot: string, premium: string, above: boolean) {
  const [own, other] = [world.store.roles.get(bot), world.store.roles.get(premium)];
  if (!own || !other) throw new ControlRefusal("The bot's role or Premium is gone.");
  if (own.position > other.position !== above) placeRole(world, bot, other.position);
}

function setRights(world: World, id: string, { grant, deny }: Body<"bot">) {
  const role = world.store.roles.get(id);
  if (!role) throw new ControlRefusal("The bot's role is gone.");
  const permissions = (BigInt(role.permissions) | bits(...(grant ?? []))) & ~bits(...(deny ?? []));
  world.store.put("roles", { ...role, permissions: String(permissions) });
  tellRole(world, "GUILD_ROLE_UPDATE", id);
}

/** As after the developer's portal: the old token is dead, and the sessions end. */
function resetToken(world: World, gateway: Gateway) {
  const [first] = world.secrets.botToken.split(".");
  world.secrets.botToken = `${first}.${world.ids.secret(6)}.${world.ids.secret(38)}`;
  world.store.keep("bot_token", world.secrets.botToken);
  world.store.keep("token_reset_at", isoNow(world));
  gateway.cut({ code: 4004, end: true });
}
