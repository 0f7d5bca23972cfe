import { and, eq, gt, inArray, isNull, lte } from "drizzle-orm";
import type { Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { activeLevels } from "../licences/entitlement/entitlement";
import { licences } from "../schema/licences";
import { linkRoles, links } from "../schema/discord";

export type Link = typeof links.$inferSelect;

/** What the shop knows of a Discord user, linked or not. */
export type DiscordFacts = {
  userId: string;
  link: Link | null;
  /** The levels of which the linked account has an active licence. */
  levels: string[];
  /** The roles that the shop gave them. */
  given: string[];
};

/** The account's link, or undefined. */
export async function linkOf(ctx: Ctx, accountId: string): Promise<Link | undefined> {
  const [link] = await ctx.store.db.select().from(links).where(eq(links.accountId, accountId));
  return link;
}

/** The Discord user's link, or undefined. */
export async function linkOfUser(ctx: Ctx, discordUserId: string): Promise<Link | undefined> {
  const [link] = await ctx.store.db.select().from(links).where(eq(links.discordUserId, discordUserId));
  return link;
}

/** What is known of these Discord users, in the same order. */
export async function factsOf(ctx: Ctx, userIds: string[]): Promise<DiscordFacts[]> {
  const { db } = ctx.store;
  const [linked, given] = await Promise.all([
    db
      .select({ link: links, levels: activeLevels(ctx, links.accountId, ctx.now()) })
      .from(links)
      .where(inArray(links.discordUserId, userIds)),
    db.select().from(linkRoles).where(inArray(linkRoles.discordUserId, userIds)),
  ]);
  const found = new Map(linked.map((one) => [one.link.discordUserId, one]));
  const roles = Map.groupBy(given, ({ discordUserId }) => discordUserId);
  return userIds.map((userId) => ({
    userId,
    link: found.get(userId)?.link ?? null,
    levels: found.get(userId)?.levels ?? [],
    given: (roles.get(userId) ?? []).map(({ roleId }) => roleId),
  }));
}

/** Records roles as given by the shop. */
export const recordRoles = (ctx: Ctx, roles: (typeof linkRoles.$inferInsert)[]): Write[] =>
  roles.length === 0 ? [] : [ctx.store.db.insert(linkRoles).values(roles).onConflictDoNothing()];

export async function factsOfUser(ctx: Ctx, userId: string): Promise<DiscordFacts> {
  const [facts] = await factsOf(ctx, [userId]);
  return facts ?? { userId, link: null, levels: [], given: [] };
}

/** A page of links in the order of their Discord users' ids, beginning after the given one. */
export const linkedAfter = (ctx: Ctx, after: string, limit: number): Promise<Link[]> =>
  ctx.store.db
    .select()
    .from(links)
    .where(gt(links.discordUserId, after))
    .orderBy(links.discordUserId)
    .limit(limit);

/** The same of Discord users without a link who have a role that the shop gave them. */
export const unlinkedAfter = (ctx: Ctx, after: string, limit: number): Promise<{ discordUserId: string }[]> =>
  ctx.store.db
    .selectDistinct({ discordUserId: linkRoles.discordUserId })
    .from(linkRoles)
    .leftJoin(links, eq(links.discordUserId, linkRoles.discordUserId))
    .where(and(gt(linkRoles.discordUserId, after), isNull(links.discordUserId)))
    .orderBy(linkRoles.discordUserId)
    .limit(limit);

/** Linked accounts with a licence that expired between `since` and now. */
export async function expiredSince(ctx: Ctx, since: Date): Promise<string[]> {
  const rows = await ctx.store.db
    .selectDistinct({ accountId: links.accountId })
    .from(links)
    .innerJoin(licences, eq(licences.accountId, links.accountId))
    .where(and(gt(licences.expiresAt, since), lte(licences.expiresAt, ctx.now())));
  return rows.map((row) => row.accountId);
}
