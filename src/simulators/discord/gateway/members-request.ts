import { z } from "zod";
import type { Member } from "../store/rows";
import { memberJson } from "../wire/people";
import type { World } from "../world";
import { intent } from "./intents";
import { opcode } from "./connection";
import type { Session, Sessions } from "./sessions";

export const membersRequest = z.object({
  guild_id: z.string(),
  query: z.string().optional(),
  limit: z.number().optional(),
  user_ids: z.union([z.string(), z.array(z.string())]).optional(),
  presences: z.boolean().optional(),
  nonce: z.string().max(32).optional(),
});
type MembersRequest = z.infer<typeof membersRequest>;

const chunk = 1000;
/** All members of a server may be asked for once in so long. Source: discord-api-docs, change of August 2025. */
const pauseMs = 30_000;

/** Opcode 8: the members in chunks of a thousand. */
export function answerMembers(world: World, sessions: Sessions, session: Session, request: MembersRequest) {
  if (request.guild_id !== world.known.guildId) return;
  const { nonce } = request;
  const everybody = request.query === "" && !request.limit;
  if (everybody) {
    if ((session.intents & intent.GUILD_MEMBERS) === 0) return;
    const wait = session.askedAll + pauseMs - world.now();
    if (session.askedAll > 0 && wait > 0 && world.limits.enabled) {
      const meta = { guild_id: request.guild_id, ...(nonce !== undefined && { nonce }) };
      const data = { opcode: opcode.REQUEST_MEMBERS, retry_after: wait / 1000, meta };
      return sessions.tell(session, "RATE_LIMITED", data);
    }
    session.askedAll = world.now();
  }
  const { members, missing } = found(world, request);
  const count = Math.max(1, Math.ceil(members.length / chunk));
  for (let index = 0; index < count; index += 1)
    sessions.tell(session, "GUILD_MEMBERS_CHUNK", {
      guild_id: request.guild_id,
      members: members.slice(index * chunk, (index + 1) * chunk).map((one) => memberJson(world, one)),
      chunk_index: index,
      chunk_count: count,
      ...(missing.length > 0 && { not_found: missing }),
      ...(request.presences && { presences: [] }),
      ...(nonce !== undefined && { nonce }),
    });
}

function found(
  world: World,
  { query, limit, user_ids }: MembersRequest,
): { members: Member[]; missing: string[] } {
  const { members } = world.store;
  if (user_ids !== undefined) {
    const ids = [user_ids].flat().slice(0, 100);
    return {
      members: ids.flatMap((id) => members.get(id) ?? []),
      missing: ids.filter((id) => !members.has(id)),
    };
  }
  const fits = startsWith(world, query ?? "");
  const all = members.all().filter(fits);
  return { members: limit ? all.slice(0, Math.min(limit, 100)) : all, missing: [] };
}

/** Members whose name or nickname starts so. */
export function startsWith(world: World, query: string): (member: Member) => boolean {
  const start = query.toLowerCase();
  return ({ id, nick }) => {
    const user = world.store.users.get(id);
    return [nick, user?.username, user?.global_name].some((name) => name?.toLowerCase().startsWith(start));
  };
}
