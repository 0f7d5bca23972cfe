import { and, eq, notInArray } from "drizzle-orm";
import { theShop } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { reasonOf } from "@/core/log/log";
import { ladderOf } from "../levels/list";
import { type JoinObstacle, linkRoles, links } from "../schema/discord";
import type { Guild, GuildMember } from "./guild";
import { type DiscordFacts, factsOfUser, type Link, recordRoles } from "./links";
import {
  type LevelRole,
  levelRolesOf,
  levelsShown,
  type RoleChange,
  roleChanges,
  unrecordedRoles,
} from "./roles";
import { unsealTokens } from "./sign-on";

/**
 * Compares the member's roles at Discord with the desired state, and changes the differences there. Resolves to the
 * writes that update the link. Safe to repeat. Throws what {@link Guild} throws, after it has stored what it could change.
 */
export async function reconcileMember(ctx: Ctx, guild: Guild, userId: string): Promise<Write[]> {
  const [facts, ladder] = await Promise.all([factsOfUser(ctx, userId), ladderOf(ctx)]);
  const roles = levelRolesOf(ladder, guild.firstRoleId);
  const before = await guild.member(userId);
  const joined = before || !facts.link?.joinWanted ? null : await tryToJoin(ctx, guild, facts.link);
  const member = joined?.member ?? before;
  const settled = member && (await settleRoles(ctx, guild, { facts, roles, member }));
  const writes = resultWrites(ctx, { facts, roles, settled, joined });
  if (!settled?.failure) return writes;
  if (settled.made.length > 0) await commit(ctx.store, writes);
  throw settled.failure;
}

type JoinResult = { member: GuildMember | null; obstacle: JoinObstacle | null };

async function tryToJoin(ctx: Ctx, guild: Guild, link: Link): Promise<JoinResult> {
  if (!link.tokensSealed) return { member: null, obstacle: "not_allowed" };
  const { access } = unsealTokens(ctx, link.tokensSealed, `link:${link.accountId}`);
  const obstacle = await guild.join(link.discordUserId, access);
  return { obstacle, member: obstacle ? null : { userId: link.discordUserId, roleIds: [] } };
}

type Settling = { facts: DiscordFacts; roles: LevelRole[]; member: GuildMember };

/** `unsure`: the roles whose change failed. */
type Settled = { held: string[]; made: RoleChange[]; unsure: string[]; failure?: Error };

/** Changes each role by itself: what Discord refuses of one doesn't keep the others. Null if the user is not a member. */
async function settleRoles(
  ctx: Ctx,
  guild: Guild,
  { facts, roles, member }: Settling,
): Promise<Settled | null> {
  const wanted = { ...facts, held: member.roleIds };
  const changes = roleChanges(roles, wanted).filter(({ action, roleId }) => guild.may(action, roleId));
  await recordGrants(ctx, facts.userId, changes);
  const settled: Settled = { held: member.roleIds, made: [], unsure: [] };
  for (const change of changes) {
    try {
      if (!(await makeChange(ctx, guild, facts, change))) return null;
      settled.made.push(change);
      const others = settled.held.filter((roleId) => roleId !== change.roleId);
      settled.held = change.action === "grant" ? [...others, change.roleId] : others;
    } catch (error) {
      settled.unsure.push(change.roleId);
      settled.failure ??= error as Error;
    }
  }
  return settled;
}

/** Before the roles are given: a role that the shop gave and forgot would never be taken once no level gives it. */
async function recordGrants(ctx: Ctx, discordUserId: string, changes: RoleChange[]): Promise<void> {
  const given = changes
    .filter(({ action }) => action === "grant")
    .map(({ roleId }) => ({ discordUserId, roleId }));
  if (given.length > 0) await commit(ctx.store, recordRoles(ctx, given));
}

/** Resolves to false if the user is not a member. */
async function makeChange(
  ctx: Ctx,
  guild: Guild,
  { link, userId }: DiscordFacts,
  { action, roleId, levels }: RoleChange,
): Promise<boolean> {
  const why = reasonFor(action, levels);
  const line = {
    ...(link ? { account: link.accountId } : {}),
    wanted: action === "grant" ? "role" : "no role",
    found: action === "grant" ? "no role" : "role",
    reason: link || levels.length === 0 ? why : "not linked",
  };
  try {
    const stillMember = await guild[action](userId, roleId, why);
    ctx.log.info("a member's role was changed", {
      ...line,
      outcome: stillMember ? "done" : "left the server",
    });
    return stillMember;
  } catch (error) {
    ctx.log.warn("a member's role could not be changed", { ...line, outcome: reasonOf(error) });
    throw error;
  }
}

function reasonFor(action: RoleChange["action"], levels: LevelRole[]): string {
  if (levels.length === 0) return "no level gives this role now";
  const names = levels.map(({ name }) => name);
  return action === "grant" ? `has ${names.join(" and ")}` : `no active ${names.join(" or ")} license`;
}

type Result = {
  facts: DiscordFacts;
  roles: LevelRole[];
  /** Null if the user is not a member. */
  settled: Settled | null;
  joined: JoinResult | null;
};

function resultWrites(ctx: Ctx, { facts, roles, settled, joined }: Result): Write[] {
  const { userId, link, levels, given } = facts;
  const held = settled?.held ?? [];
  const made = settled?.made ?? [];
  // a change whose answer was lost may have been made
  const remembered = [...held, ...(settled?.unsure ?? [])];
  const isGone =
    !settled ||
    [...given, ...made.map(({ roleId }) => roleId)].some((roleId) => !remembered.includes(roleId));
  const accountId = link?.accountId ?? null;
  return [
    ...(link
      ? [linkUpdate(ctx, link, { shown: settled && levelsShown(roles, { levels, held }), joined })]
      : []),
    ...(isGone
      ? [
          ctx.store.db
            .delete(linkRoles)
            .where(and(eq(linkRoles.discordUserId, userId), notInArray(linkRoles.roleId, remembered))),
        ]
      : []),
    // those just given too: another process may have forgotten one while it was on its way
    ...recordRoles(
      ctx,
      unrecordedRoles(roles, { levels, held, given }).map((roleId) => ({ discordUserId: userId, roleId })),
    ),
    ...made.map(({ action, levels: giving }) =>
      record(ctx, {
        actor: theShop,
        action: action === "grant" ? "discord.role_granted" : "discord.role_taken",
        // the audit log outlives accounts, and must not name a Discord user without one
        subject: accountId ? userId : "an unlinked member",
        accountId,
        ...(roles.length > 1 && giving.length > 0 ? { detail: { levels: giving.map(({ id }) => id) } } : {}),
      }),
    ),
  ];
}

/** Updates only the link that was read: a link made meanwhile gets its own reconciliation. */
const linkUpdate = (
  ctx: Ctx,
  link: Link,
  { shown, joined }: { shown: string[] | null; joined: JoinResult | null },
): Write =>
  ctx.store.db
    .update(links)
    .set({
      member: shown !== null,
      holdsRole: (shown ?? []).length > 0,
      heldLevels: shown ?? [],
      checkedAt: ctx.now(),
      joinWanted: false,
      ...(joined ? { joinObstacle: joined.obstacle } : shown === null ? {} : { joinObstacle: null }),
    })
    .where(
      and(
        eq(links.discordUserId, link.discordUserId),
        eq(links.accountId, link.accountId),
        eq(links.linkedAt, link.linkedAt),
      ),
    );
