import { commit, type Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { discordUserChanged, memberChanged } from "../licences/member-changed";
import { type Guild, type GuildMember, MembersHidden } from "./guild";
import { remedy } from "./role";
import { entitledAmong, expiredSince, linkedAfter, type LinkState } from "./links";

const pageSize = 500;

export type Survey = { members: number; differences: number };

/**
 * Compares everybody with what should be and asks for each difference to be set right; what agrees is
 * left alone. Two passes: whoever is in the server, and whoever is linked but was not seen there.
 * Throws what {@link Guild} throws.
 */
export async function surveyEveryone(ctx: Ctx, guild: Guild): Promise<Survey> {
  const survey: Survey = { members: 0, differences: 0 };
  const seen = await surveyMembers(ctx, guild, survey);
  for await (const page of linked(ctx)) {
    // where members can't be listed, each linked one is asked for by name
    const doubtful = seen ? page.filter((one) => believedMember(one) && !isSeen(seen, one)) : page;
    await ask(ctx, survey, doubtful.map(userIdOf));
  }
  ctx.wake();
  return survey;
}

/** Resolves to who was seen, or to null where the bot may not list members. */
async function surveyMembers(ctx: Ctx, guild: Guild, survey: Survey): Promise<Set<string> | null> {
  const seen = new Set<string>();
  try {
    for await (const page of guild.members()) {
      survey.members += page.length;
      for (const { userId } of page) seen.add(userId);
      await ask(ctx, survey, await differing(ctx, page));
    }
    return seen;
  } catch (error) {
    if (error instanceof MembersHidden) return null;
    throw error;
  }
}

/** Asks for those whose licence ran out since then to be looked at; resolves to how many there were. */
export async function noticeExpiries(ctx: Ctx, since: Date): Promise<number> {
  const accounts = await expiredSince(ctx, since);
  if (accounts.length === 0) return 0;
  await commit(
    ctx.store,
    accounts.map((accountId) => memberChanged(ctx, { accountId })),
  );
  ctx.wake();
  return accounts.length;
}

async function differing(ctx: Ctx, page: GuildMember[]): Promise<string[]> {
  const entitled = await entitledAmong(
    ctx,
    page.map(({ userId }) => userId),
  );
  const standing = (userId: string) => ({
    linked: entitled.has(userId),
    entitled: entitled.get(userId) ?? false,
    member: true,
  });
  return page.filter((one) => remedy(standing(one.userId), one.holdsRole)).map(({ userId }) => userId);
}

async function ask(ctx: Ctx, survey: Survey, userIds: string[]): Promise<void> {
  if (userIds.length === 0) return;
  survey.differences += userIds.length;
  await commit(
    ctx.store,
    userIds.map((userId): Write => discordUserChanged(ctx, userId)),
  );
}

async function* linked(ctx: Ctx): AsyncGenerator<LinkState[]> {
  for (let after = ""; ;) {
    const page = await linkedAfter(ctx, after, pageSize);
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = last.link.discordUserId;
  }
}

const userIdOf = ({ link }: LinkState) => link.discordUserId;
const believedMember = ({ link }: LinkState) => link.member !== false || link.joinWanted;
const isSeen = (seen: Set<string>, { link }: LinkState) => seen.has(link.discordUserId);
