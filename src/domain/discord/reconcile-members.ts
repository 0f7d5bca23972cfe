import { commit, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { queueReconciliationOfUser, queueRoleReconciliation } from "../licences/changes/entitlement-changed";
import { type Guild, type GuildMember, MembersHidden } from "./guild";
import { entitledAmong, expiredSince, type LinkState, linkedAfter, linkStateOf } from "./links";
import { remedy } from "./role";

/**
 * Local queries and commits are synchronous: a slice of this size takes less than ten milliseconds, and the shop serves
 * requests between two slices.
 */
const sliceSize = 20;
const pauseMilliseconds = 2;
const pageSize = 100;

type MembersReport = { members: number; differences: number };

/**
 * Compares all members with the desired state and requests a reconciliation for each difference. Two passes: everybody
 * in the server, then linked users missing there. Throws what {@link Guild} throws.
 */
export async function reconcileMembers(ctx: Ctx, guild: Guild): Promise<MembersReport> {
  const report: MembersReport = { members: 0, differences: 0 };
  const seen = await compareMembers(ctx, guild, report);
  for await (const page of allLinks(ctx)) {
    // if the bot may not list members, look up every linked one
    const doubtful = seen ? page.filter((one) => isBelievedMember(one) && !isSeen(seen, one)) : page;
    await inSlices(doubtful, (slice) => requestReconciliations(ctx, report, slice.map(userIdOf)));
    await Bun.sleep(pauseMilliseconds);
  }
  return report;
}

async function inSlices<T>(all: T[], act: (slice: T[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < all.length; from += sliceSize) {
    await act(all.slice(from, from + sliceSize));
    await Bun.sleep(pauseMilliseconds);
  }
}

/** Resolves to the ids of the members seen, or to null if the bot may not list members. */
async function compareMembers(ctx: Ctx, guild: Guild, report: MembersReport): Promise<Set<string> | null> {
  const seen = new Set<string>();
  try {
    for await (const page of guild.members()) {
      report.members += page.length;
      for (const { userId } of page) seen.add(userId);
      await inSlices(page, async (slice) =>
        requestReconciliations(ctx, report, await divergentMembers(ctx, slice)),
      );
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
export async function isDivergent(ctx: Ctx, { userId, holdsRole }: GuildMember): Promise<boolean> {
  const found = await linkStateOf(ctx, userId);
  const facts = { linked: found !== null, entitled: found?.entitled ?? false, member: true };
  if (remedy(facts, holdsRole)) return true;
  return found !== null && (!found.link.member || found.link.holdsRole !== holdsRole);
}

async function divergentMembers(ctx: Ctx, page: GuildMember[]): Promise<string[]> {
  const entitled = await entitledAmong(
    ctx,
    page.map(({ userId }) => userId),
  );
  const factsOf = (userId: string) => ({
    linked: entitled.has(userId),
    entitled: entitled.get(userId) ?? false,
    member: true,
  });
  return page.filter((one) => remedy(factsOf(one.userId), one.holdsRole)).map(({ userId }) => userId);
}

async function requestReconciliations(ctx: Ctx, report: MembersReport, userIds: string[]): Promise<void> {
  if (userIds.length === 0) return;
  report.differences += userIds.length;
  await commit(
    ctx.store,
    userIds.map((userId): Write => queueReconciliationOfUser(ctx, userId)),
  );
}

async function* allLinks(ctx: Ctx): AsyncGenerator<LinkState[]> {
  for (let after = ""; ;) {
    const page = await linkedAfter(ctx, after, pageSize);
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = last.link.discordUserId;
  }
}

const userIdOf = ({ link }: LinkState) => link.discordUserId;
const isBelievedMember = ({ link }: LinkState) => link.member !== false || link.joinWanted;
const isSeen = (seen: Set<string>, { link }: LinkState) => seen.has(link.discordUserId);
