import { and, eq } from "drizzle-orm";
import { audit } from "@/core/audit";
import { commit, mustHaveChanged, type Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { discordUserChanged, memberChanged } from "../licences/member-changed";
import { revocation } from "./revocation";
import type { Link } from "./links";
import { links } from "../schema/community";
import { openTokens, sealTokens, type Tokens } from "./tokens";

type Tie = {
  discordUserId: string;
  displayName: string | null;
  tokens: Tokens | null;
  actor: string;
  reason?: string;
};

/**
 * What a new link writes. It takes the place of the account's former one, whose Discord user loses the
 * role; it never takes a Discord user from another account, as the unique index fails the commit.
 */
export async function tieWrites(ctx: Ctx, accountId: string, tie: Tie): Promise<Write[]> {
  const former = await linkOf(ctx, accountId);
  const values = {
    discordUserId: tie.discordUserId,
    linkedAt: ctx.now(),
    displayName: tie.displayName,
    tokensSealed: tie.tokens && sealTokens(ctx, tie.tokens, `link:${accountId}`),
    joinWanted: tie.tokens?.scopes.includes("guilds.join") ?? false,
    joinObstacle: null,
    member: null,
    holdsRole: null,
    checkedAt: null,
  };
  const { db } = ctx.store;
  return [
    // the same user again: revoking the former tokens would end the new ones as well
    ...(former && former.discordUserId !== tie.discordUserId ? lettingGo(ctx, former) : []),
    former
      ? db.update(links).set(values).where(same(former))
      : db
          .insert(links)
          .values({ accountId, ...values })
          .onConflictDoNothing({ target: links.accountId }),
    mustHaveChanged("conflict"),
    discordUserChanged(ctx, tie.discordUserId),
    audit(ctx, {
      actor: tie.actor,
      action: former ? "discord.relinked" : "discord.linked",
      subject: tie.discordUserId,
      accountId,
      ...(tie.reason === undefined ? {} : { reason: tie.reason }),
    }),
  ];
}

/** Unties an account; without a link there is nothing to do. The role goes, the tokens at Discord end. */
export async function unlink(ctx: Ctx, accountId: string): Promise<void> {
  await commit(ctx.store, await unlinkWrites(ctx, accountId, { actor: accountId }));
  ctx.wake();
}

/** The same for a commit that does more, such as deleting the account; they stand before the deletion. */
export async function unlinkWrites(
  ctx: Ctx,
  accountId: string,
  by: { actor: string; reason?: string },
): Promise<Write[]> {
  const link = await linkOf(ctx, accountId);
  if (!link) return [];
  return [
    ...lettingGo(ctx, link),
    ctx.store.db.delete(links).where(eq(links.accountId, accountId)),
    audit(ctx, { ...by, action: "discord.unlinked", subject: link.discordUserId, accountId }),
  ];
}

/** The account's link, or undefined. */
export async function linkOf(ctx: Ctx, accountId: string): Promise<Link | undefined> {
  const [link] = await ctx.store.db.select().from(links).where(eq(links.accountId, accountId));
  return link;
}

/** The role of a former Discord user goes, and so do the tokens. */
const lettingGo = (ctx: Ctx, link: Link): Write[] => [
  memberChanged(ctx, { accountId: link.accountId }),
  ...(link.tokensSealed
    ? [revocation(ctx, openTokens(ctx, link.tokensSealed, `link:${link.accountId}`))]
    : []),
];

const same = (link: Link) =>
  and(eq(links.accountId, link.accountId), eq(links.discordUserId, link.discordUserId));
