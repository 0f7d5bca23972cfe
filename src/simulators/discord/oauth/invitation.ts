import { z } from "zod";
import { join } from "../guild/members";
import { addRole, changeRole } from "../guild/roles";
import type { Role } from "../rows";
import { userOf } from "../wire/people";
import type { World } from "../world";

const query = z.object({
  client_id: z.string(),
  permissions: z.string().regex(/^\d+$/).default("0"),
  scope: z.string(),
});

/** Whether the address invites the bot to a server. */
export const isInvitation = ({ scope = "" }: Record<string, string>): boolean =>
  scope.split(/[ +]/).includes("bot");

/** https://discord.com/developers/docs/topics/oauth2#bot-authorization-flow */
export function checkInvitation(
  world: World,
  given: Record<string, string>,
): { problem: string } | { permissions: bigint } {
  const parsed = query.safeParse(given);
  if (!parsed.success) return { problem: `Invalid Form Body: ${String(parsed.error.issues[0]?.path[0])}` };
  const { client_id, scope, permissions } = parsed.data;
  if (client_id !== world.known.applicationId) return { problem: "Unknown Application" };
  const known = ["bot", "applications.commands"];
  if (!scope.split(/[ +]/).every((one) => known.includes(one))) return { problem: "Invalid scope" };
  return { permissions: BigInt(permissions) };
}

/** The bot joins with a role of its own, at the bottom of the list; invited again, that role gets what was asked for now. */
export function addBot(world: World, asked: bigint): Role {
  const { botId, botRoleId } = world.known;
  const permissions = String(asked);
  const held = world.store.roles.get(botRoleId);
  const role = held
    ? changeRole(world, held, { permissions })
    : addRole(world, { id: botRoleId, name: userOf(world, botId).username, managed_by: botId, permissions });
  join(world, botId, [botRoleId]);
  return role;
}
