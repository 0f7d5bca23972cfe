import { eq, inArray, sql } from "drizzle-orm";
import type { RoleEffect } from "@/contract/vocabulary/level-words";
import { commit, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { factOf, keepFact } from "@/core/database/key-values";
import { outbox } from "@/core/database/schema";
import { enqueue } from "@/core/jobs/outbox";
import { ladderOf } from "../levels/list";
import { botTopics } from "../outbox-topics";
import { linkRoles } from "../schema/discord";
import { type Guild, GuildForbids, GuildUnavailable, MembersHidden } from "./guild";
import { factsOf } from "./links";
import { inSlices, reconcileMembers } from "./reconcile-members";
import { type LevelRole, levelRolesOf } from "./roles";

/** The roles that the bot gives and takes. */
export type ManagedRoles = {
  levels: readonly LevelRole[];
  /** Roles that no level gives any more and members still have from the shop. */
  former: readonly string[];
};

export async function managedRoles(ctx: Ctx, firstRoleId: string): Promise<ManagedRoles> {
  const levels = levelRolesOf(await ladderOf(ctx), firstRoleId);
  const { roleId } = linkRoles;
  // steps from one role to the next by the index instead of reading a row for each member
  const given = await ctx.store.db.values<[string]>(sql`
    WITH RECURSIVE given (role) AS (
      SELECT min(${roleId}) FROM ${linkRoles}
      UNION ALL
      SELECT (SELECT min(${roleId}) FROM ${linkRoles} WHERE ${roleId} > role) FROM given WHERE role IS NOT NULL
    )
    SELECT role FROM given WHERE role IS NOT NULL`);
  const current = new Set(levels.map((one) => one.roleId));
  return { levels, former: given.map(([id]) => id).filter((id) => !current.has(id)) };
}

/**
 * What it would do if a level gave this role. Refuses a role that customers can't have, with its fault as the code:
 * `role_missing`, `role_everyone`, `role_managed`, `role_too_high`, `role_of_staff` or `role_powerful`; and with
 * `discord_away` if Discord doesn't answer, or not this bot.
 */
export async function judgeRole(
  ctx: Ctx,
  guild: Guild,
  roleId: string,
  levelId: string,
): Promise<RoleEffect> {
  try {
    const role = (await guild.roles()).find(({ id }) => id === roleId);
    if (!role) throw new Refusal("role_missing", { field: "role" });
    const { name, fault } = role;
    if (fault) throw new Refusal(fault.code, { field: "role", sentence: fault.sentence });
    return { name, ...(await holdersOf(ctx, guild, { roleId, levelId })) };
  } catch (error) {
    if (error instanceof GuildUnavailable) throw new Refusal("discord_away");
    if (!(error instanceof GuildForbids)) throw error;
    throw new Refusal("discord_away", { sentence: `Discord doesn't let the bot do that (${error.code}).` });
  }
}

async function holdersOf(
  ctx: Ctx,
  guild: Guild,
  { roleId, levelId }: { roleId: string; levelId: string },
): Promise<Omit<RoleEffect, "name">> {
  const roles = levelRolesOf(await ladderOf(ctx), guild.firstRoleId);
  const entitling = new Set([levelId, ...roles.filter((one) => one.roleId === roleId).map(({ id }) => id)]);
  let [members, losing] = [0, 0];
  try {
    for await (const page of guild.members()) {
      const holders = page.filter(({ roleIds }) => roleIds.includes(roleId)).map(({ userId }) => userId);
      members += holders.length;
      await inSlices(holders, async (slice) => {
        const facts = await factsOf(ctx, slice);
        losing += facts.filter(({ levels }) => levels.every((id) => !entitling.has(id))).length;
      });
    }
  } catch (error) {
    if (error instanceof MembersHidden) return { members: null, losing: null };
    throw error;
  }
  return { members, losing };
}

/** Belongs in the commit that changes which role a level gives: the bot moves everybody, beginning now. */
export const queueRoleMove = (ctx: Ctx): Write =>
  enqueue(ctx, { topic: botTopics.moveRoles, subject: "all", priority: true });

const moveFact = "roles_moved";
type Move = { members: number; since: string };

/** Requests that everybody's roles become right, and keeps how many that are. The outbox handler of `moveRoles`. */
export async function moveRoles(ctx: Ctx, guild: Guild): Promise<Write[]> {
  const since = ctx.now().toISOString();
  const keep = (members: number) =>
    keepFact(ctx, moveFact, JSON.stringify({ members, since } satisfies Move));
  await commit(ctx.store, [keep(0)]);
  const { differences } = await reconcileMembers(ctx, guild, botTopics.moveMember);
  return [keep(differences)];
}

/** Counting stops here. */
const mostCounted = 10_000;

/** How many members' roles are still to be moved after a change, and of how many; null if none are. */
export async function roleMove(ctx: Ctx): Promise<{ left: number; members: number; since: Date } | null> {
  const { db } = ctx.store;
  const waiting = db
    .select({ key: outbox.key })
    .from(outbox)
    .where(eq(outbox.topic, botTopics.moveMember.name))
    .limit(mostCounted);
  const left = await db.$count(waiting);
  const kept = left === 0 ? null : await factOf(ctx, moveFact);
  if (kept === null) return null;
  const { members, since } = JSON.parse(kept) as Move;
  return { left, members: Math.max(members, left), since: new Date(since) };
}

/** Whether members' roles are being moved, or are about to be. */
export async function areRolesMoving({ store: { db } }: Ctx): Promise<boolean> {
  const topics = [botTopics.moveRoles.name, botTopics.moveMember.name];
  const [one] = await db
    .select({ key: outbox.key })
    .from(outbox)
    .where(inArray(outbox.topic, topics))
    .limit(1);
  return one !== undefined;
}
