import { and, eq, gt, inArray, lte } from "drizzle-orm";
import type { Ctx } from "@/core/database/context";
import { isEntitled } from "../licences/entitlement/entitlement";
import { licences } from "../schema/licences";
import { links } from "../schema/discord";

export type Link = typeof links.$inferSelect;

/** A link, and whether its account has an active licence. */
export type LinkState = { link: Link; entitled: boolean };

/** The account's link, or undefined. */
export async function linkOf(ctx: Ctx, accountId: string): Promise<Link | undefined> {
  const [link] = await ctx.store.db.select().from(links).where(eq(links.accountId, accountId));
  return link;
}

export async function linkStateOf(ctx: Ctx, discordUserId: string): Promise<LinkState | null> {
  const [found] = await linkStates(ctx).where(eq(links.discordUserId, discordUserId));
  return found ?? null;
}

/** Which of these Discord users are linked, each with whether the account is entitled. */
export async function entitledAmong(ctx: Ctx, discordUserIds: string[]): Promise<Map<string, boolean>> {
  const rows = await linkStates(ctx).where(inArray(links.discordUserId, discordUserIds));
  return new Map(rows.map(({ link, entitled }) => [link.discordUserId, entitled]));
}

/** A page of links in the order of their Discord users' ids, beginning after the given one. */
export const linkedAfter = (ctx: Ctx, after: string, limit: number): Promise<LinkState[]> =>
  linkStates(ctx).where(gt(links.discordUserId, after)).orderBy(links.discordUserId).limit(limit);

/** Linked accounts with a licence that expired between `since` and now. */
export async function expiredSince(ctx: Ctx, since: Date): Promise<string[]> {
  const rows = await ctx.store.db
    .selectDistinct({ accountId: links.accountId })
    .from(links)
    .innerJoin(licences, eq(licences.accountId, links.accountId))
    .where(and(gt(licences.expiresAt, since), lte(licences.expiresAt, ctx.now())));
  return rows.map((row) => row.accountId);
}

const linkStates = (ctx: Ctx) =>
  ctx.store.db
    .select({
      link: links,
      entitled: isEntitled(ctx, links.accountId, ctx.now()),
    })
    .from(links);
