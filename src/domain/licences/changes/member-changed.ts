import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { enqueue, enqueuing } from "@/core/jobs/outbox";
import { outbox } from "@/core/database/schema";
import { currentTrace } from "@/core/log/trace";
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
export function memberChanged(ctx: Ctx, whose: Whose): Write {
  const { db } = ctx.store;
  const now = ctx.now().getTime();
  const linked = db
    .select({
      key: sql<string>`${`${botTopics.reconcileMember.name}:`} || ${links.discordUserId}`.as("key"),
      topic: sql<string>`${botTopics.reconcileMember.name}`.as("topic"),
      subject: sql<string>`${links.discordUserId}`.as("subject"),
      payload: sql`NULL`.as("payload"),
      generation: sql<number>`1`.as("generation"),
      attempts: sql<number>`0`.as("attempts"),
      createdAt: sql<Date>`${now}`.as("created_at"),
      dueAt: sql<Date>`${now}`.as("due_at"),
      lease: sql`NULL`.as("lease"),
      lastError: sql`NULL`.as("last_error"),
      request: sql<string | null>`${currentTrace()}`.as("request"),
    })
    .from(links)
    .where(whoseLink(ctx, whose));
  const query = db
    .insert(outbox)
    .select(linked)
    .onConflictDoUpdate({
      target: outbox.key,
      set: {
        generation: sql`${outbox.generation} + 1`,
        request: sql`excluded.request`,
        attempts: 0,
        dueAt: sql`CASE WHEN ${outbox.lease} IS NULL THEN ${now} ELSE ${outbox.dueAt} END`,
      },
    });
  return enqueuing(botTopics.reconcileMember, query);
}

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
