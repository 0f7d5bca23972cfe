import { and, eq, sql } from "drizzle-orm";
import type { Actor, By, SiteCustomer, StaffRole } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import {
  commit,
  isConflict,
  isDuplicate,
  mustHaveChanged,
  retryOnConflict,
  type Write,
} from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { enqueueEach } from "@/core/jobs/outbox";
import { mustBeUnblocked } from "../blocks/find";
import { queueReconciliationOfUser, queueRoleReconciliation } from "../licences/changes/entitlement-changed";
import { links } from "../schema/discord";
import { authorize, expectConfirmed } from "../permissions";
import { botTopics } from "../outbox-topics";
import { tickets } from "../schema/tickets";
import { type Link, linkOf } from "./links";
import { unsealTokens, revocation, sealTokens, type Tokens } from "./sign-on";

type NewLink = {
  discordUserId: string;
  displayName: string | null;
  tokens: Tokens | null;
  /** See `links`; none if staff make the link. */
  provenRole?: StaffRole | null;
  actor: Actor;
  reason?: string;
};

/**
 * The writes of a new link, which replaces the account's `former` link; that link's Discord user loses the roles. They
 * fail with `conflict` if it has changed since it was read. Never takes a Discord user from another account: the unique
 * index fails the commit. A blocked Discord user fails it with `blocked`.
 */
export function linkWrites(
  ctx: Ctx,
  { accountId, former }: { accountId: string; former: Link | undefined },
  wanted: NewLink,
): Write[] {
  const values = {
    discordUserId: wanted.discordUserId,
    linkedAt: ctx.now(),
    displayName: wanted.displayName,
    tokensSealed: wanted.tokens && sealTokens(ctx, wanted.tokens, `link:${accountId}`),
    joinWanted: wanted.tokens?.scopes.includes("guilds.join") ?? false,
    joinObstacle: null,
    member: null,
    holdsRole: null,
    heldLevels: null,
    checkedAt: null,
    provenRole: wanted.provenRole ?? null,
  };
  const { db } = ctx.store;
  return [
    mustBeUnblocked(ctx, "discord", wanted.discordUserId),
    // revoking the former tokens would also revoke new tokens of the same user
    ...(former && (former.discordUserId !== wanted.discordUserId || !wanted.tokens)
      ? releaseWrites(ctx, former)
      : []),
    former
      ? db.update(links).set(values).where(isSame(former))
      : db
          .insert(links)
          .values({ accountId, ...values })
          .onConflictDoNothing({ target: links.accountId }),
    mustHaveChanged("conflict"),
    queueReconciliationOfUser(ctx, wanted.discordUserId),
    ...ticketsFollow(ctx, accountId, wanted.discordUserId),
    record(ctx, {
      actor: wanted.actor,
      action: former ? "discord.relinked" : "discord.linked",
      subject: wanted.discordUserId,
      accountId,
      ...(wanted.reason === undefined ? {} : { reason: wanted.reason }),
    }),
  ];
}

/** Ends the link of the customer's account, if any: its Discord user loses the role, and the tokens are revoked. */
export async function unlink(ctx: Ctx, actor: SiteCustomer): Promise<void> {
  authorize(actor, "discord.unlink");
  await commit(ctx.store, await unlinkWrites(ctx, actor.accountId, { actor }));
}

/** {@link unlink} as writes for a larger commit. They must precede a deletion of the account. */
export async function unlinkWrites(
  ctx: Ctx,
  accountId: string,
  by: { actor: Actor; reason?: string },
): Promise<Write[]> {
  const link = await linkOf(ctx, accountId);
  if (!link) return [];
  return [
    ...releaseWrites(ctx, link),
    ctx.store.db.delete(links).where(eq(links.accountId, accountId)),
    ...ticketsFollow(ctx, accountId, null),
    record(ctx, { ...by, action: "discord.unlinked", subject: link.discordUserId, accountId }),
  ];
}

/** The former Discord user loses the role, and the tokens are revoked. */
const releaseWrites = (ctx: Ctx, link: Link): Write[] => [
  queueRoleReconciliation(ctx, { accountId: link.accountId }),
  ...(link.tokensSealed
    ? [revocation(ctx, unsealTokens(ctx, link.tokensSealed, `link:${link.accountId}`))]
    : []),
];

const isSame = (link: Link) =>
  and(eq(links.accountId, link.accountId), eq(links.discordUserId, link.discordUserId));

type Move = By & {
  accountId: string;
  discordUserId: string;
  displayName: string | null;
  /**
   * The side that must not have another link: the move refuses with `discord_taken` if it has. By default, former links
   * of both sides end.
   */
  spare?: "account" | "user";
};

/** Staff link an account to a Discord user. */
export async function moveLink(ctx: Ctx, { spare, ...wanted }: Move): Promise<void> {
  authorize(wanted, "discord.relink");
  expectConfirmed(ctx, wanted, "discord.relink");
  const { accountId, discordUserId, actor, reason } = wanted;
  const move = async () => {
    const [holder] = await ctx.store.db.select().from(links).where(eq(links.discordUserId, discordUserId));
    const taken = holder && holder.accountId !== accountId ? holder : null;
    const former = await linkOf(ctx, accountId);
    if (spare === "user" && taken) throw new Refusal("discord_taken");
    if (spare === "account" && former && former.discordUserId !== discordUserId) {
      throw new Refusal("discord_taken");
    }
    await commit(ctx.store, [
      ...(taken ? await unlinkWrites(ctx, taken.accountId, { actor, reason }) : []),
      ...linkWrites(ctx, { accountId, former }, { ...wanted, tokens: null }),
    ]);
  };
  await retryOnConflict(move, (error) => isConflict(error) || isDuplicate(error, "links.discord_user_id"));
}

/** Staff end a link. Refuses with `link_unknown` without a link. */
export async function removeLink(ctx: Ctx, accountId: string, by: By): Promise<void> {
  authorize(by, "discord.unlink");
  expectConfirmed(ctx, by, "discord.unlink");
  const writes = await unlinkWrites(ctx, accountId, by);
  if (writes.length === 0) throw new Refusal("link_unknown");
  await commit(ctx.store, writes);
}

/**
 * Makes the account's Discord user, if it has one, the member of its tickets from the site: the bot lets them into the
 * threads, and removes the one before.
 */
function ticketsFollow(ctx: Ctx, accountId: string, discordUserId: string | null): Write[] {
  const own = and(eq(tickets.accountId, accountId), eq(tickets.via, "site"));
  const { discordUserId: before, formerMemberId } = tickets;
  // if the link changes more than once before the bot reacts, only the first member is in the thread
  const former = sql`nullif(coalesce(${formerMemberId}, ${before}), ${discordUserId})`;
  return [
    ctx.store.db.update(tickets).set({ discordUserId, formerMemberId: former }).where(own),
    enqueueEach(ctx, botTopics.syncTicket, {
      subject: tickets.id,
      from: tickets,
      where: and(own, eq(tickets.state, "open")),
    }),
  ];
}
