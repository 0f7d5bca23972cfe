import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { enqueue, enqueueEach } from "@/core/jobs/outbox";
import { botTopics } from "../../outbox-topics";
import { links } from "../../schema/discord";
import { licences } from "../../schema/licences";

/** Whose entitlement may have changed: an account's, or that of a licence's owner. */
export type Whose = { accountId: string } | { licenceId: string } | { paymentId: string };

/**
 * Belongs in every commit that may change an entitlement or a link: queues a reconciliation of the premium role. Reads
 * the link within the commit, so that it doesn't miss a link or redemption made a moment earlier; does nothing without
 * a link. Must precede the deletion of a link or an account.
 */
export const memberChanged = (ctx: Ctx, whose: Whose): Write =>
  enqueueEach(ctx, botTopics.reconcileMember, {
    subject: links.discordUserId,
    from: links,
    where: whoseLink(ctx, whose),
  });

/** For a Discord user who may have no link, or whom this very commit links. */
export const discordUserChanged = (ctx: Ctx, discordUserId: string): Write =>
  enqueue(ctx, { topic: botTopics.reconcileMember, subject: discordUserId });

function whoseLink(ctx: Ctx, whose: Whose): SQL | undefined {
  if ("accountId" in whose) return eq(links.accountId, whose.accountId);
  const which =
    "licenceId" in whose ? eq(licences.id, whose.licenceId) : eq(licences.paymentId, whose.paymentId);
  const owner = ctx.store.db
    .select({ id: licences.accountId })
    .from(licences)
    .where(and(which, isNotNull(licences.accountId)));
  return sql`${links.accountId} IN ${owner}`;
}
