import { commit, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { enqueue } from "@/core/jobs/outbox";
import { queueRoleReconciliation } from "../licences/changes/entitlement-changed";
import { ladderOf } from "../levels/list";
import { botTopics } from "../outbox-topics";
import { type Guild, type GuildMember, MembersHidden } from "./guild";
import {
  type DiscordFacts,
  expiredSince,
  factsOf,
  factsOfUser,
  type Link,
  linkedAfter,
  recordRoles,
  unlinkedAfter,
} from "./links";
import { type LevelRole, levelRolesOf, levelsShown, roleChanges, unrecordedRoles } from "./roles";

/**
 * Local queries and commits are synchronous: a slice of this size takes less than ten milliseconds, and the shop serves
 * requests between two slices.
 */
const sliceSize = 20;
const pauseMilliseconds = 2;
const pageSize = 100;

type MembersReport = { members: number; differences: number };
type Comparison = { ctx: Ctx; guild: Guild; report: MembersReport; topic: ReconcilingTopic };
type ReconcilingTopic = typeof botTopics.reconcileMember | typeof botTopics.moveMember;

/**
 * Compares all members with the desired state and requests a reconciliation for each difference. Two passes: everybody
 * in the server, then those missing there who are linked or have a role from the shop. Throws what {@link Guild} throws.
 * @param topic of the reconciliations that it requests
 */
export async function reconcileMembers(
  ctx: Ctx,
  guild: Guild,
  topic: ReconcilingTopic = botTopics.reconcileMember,
): Promise<MembersReport> {
  const report: MembersReport = { members: 0, differences: 0 };
  const comparison = { ctx, guild, report, topic };
  const seen = await compareMembers(comparison);
  // if the bot may not list members, look up every linked one
  const isMissing = (userId: string) => !seen?.has(userId);
  for await (const page of pagesOf(ctx, linkedAfter)) {
    const doubtful = page.filter(
      (link) => (seen === null || isBelievedMember(link)) && isMissing(userIdOf(link)),
    );
    await inSlices(doubtful.map(userIdOf), (slice) => requestReconciliations(comparison, slice));
    await Bun.sleep(pauseMilliseconds);
  }
  for await (const page of pagesOf(ctx, unlinkedAfter)) {
    const missing = page.map(userIdOf).filter(isMissing);
    await inSlices(missing, (slice) => requestReconciliations(comparison, slice));
  }
  return report;
}

/** Works on a slice after another, between which the shop serves requests. */
export async function inSlices<T>(all: T[], act: (slice: T[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < all.length; from += sliceSize) {
    await act(all.slice(from, from + sliceSize));
    await Bun.sleep(pauseMilliseconds);
  }
}

/** Resolves to the ids of the members seen, or to null if the bot may not list members. */
async function compareMembers(comparison: Comparison): Promise<Set<string> | null> {
  const { ctx, guild, report } = comparison;
  const seen = new Set<string>();
  const roles = levelRolesOf(await ladderOf(ctx), guild.firstRoleId);
  try {
    for await (const page of guild.members()) {
      report.members += page.length;
      for (const { userId } of page) seen.add(userId);
      await inSlices(page, async (slice) => {
        const facts = await factsOf(ctx, slice.map(userIdOfMember));
        const divergent = slice.filter((one, at) => differs(guild, roles, facts[at], one));
        await requestReconciliations(comparison, divergent.map(userIdOfMember));
        const unrecorded = slice.flatMap(({ userId: discordUserId, roleIds: held }, at) =>
          unrecordedRoles(roles, { ...nothing, ...facts[at], held }).map((roleId) => ({
            discordUserId,
            roleId,
          })),
        );
        if (unrecorded.length > 0) await commit(ctx.store, recordRoles(ctx, unrecorded));
      });
    }
    return seen;
  } catch (error) {
    if (error instanceof MembersHidden) return null;
    throw error;
  }
}

/** Requests reconciliations for accounts whose licence has expired since; resolves to how many. */
export async function noticeExpiries(ctx: Ctx, since: Date): Promise<number> {
  const accounts = await expiredSince(ctx, since);
  if (accounts.length === 0) return 0;
  await inSlices(accounts, (slice) =>
    commit(
      ctx.store,
      slice.map((accountId) => queueRoleReconciliation(ctx, { accountId })),
    ),
  );
  return accounts.length;
}

/** Whether a member differs from the desired state, or from the stored link. */
export async function isDivergent(ctx: Ctx, guild: Guild, member: GuildMember): Promise<boolean> {
  const [facts, ladder] = await Promise.all([factsOfUser(ctx, member.userId), ladderOf(ctx)]);
  const roles = levelRolesOf(ladder, guild.firstRoleId);
  if (differs(guild, roles, facts, member)) return true;
  const { link, levels } = facts;
  const shown = levelsShown(roles, { levels, held: member.roleIds });
  return link !== null && (!link.member || String(link.heldLevels) !== String(shown));
}

/** Whether the bot has to change something of a member, and may, or remembers what isn't so. */
const differs = (
  guild: Guild,
  roles: LevelRole[],
  facts: DiscordFacts | undefined,
  { roleIds: held }: GuildMember,
): boolean =>
  facts !== undefined &&
  (facts.link?.member === false ||
    facts.given.some((roleId) => !held.includes(roleId)) ||
    roleChanges(roles, { ...facts, held }).some(({ action, roleId }) => guild.may(action, roleId)));

async function requestReconciliations({ ctx, report, topic }: Comparison, userIds: string[]): Promise<void> {
  if (userIds.length === 0) return;
  report.differences += userIds.length;
  await commit(
    ctx.store,
    userIds.map((subject): Write => enqueue(ctx, { topic, subject })),
  );
}

type AboutUser = Pick<Link, "discordUserId">;

async function* pagesOf<T extends AboutUser>(
  ctx: Ctx,
  read: (ctx: Ctx, after: string, limit: number) => Promise<T[]>,
): AsyncGenerator<T[]> {
  for (let after = ""; ;) {
    const page = await read(ctx, after, pageSize);
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = last.discordUserId;
  }
}

const nothing = { levels: [], given: [] };
const userIdOf = ({ discordUserId }: AboutUser) => discordUserId;
const userIdOfMember = ({ userId }: GuildMember) => userId;
const isBelievedMember = ({ member, joinWanted }: Link) => member !== false || joinWanted;
