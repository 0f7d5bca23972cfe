import { and, eq, isNotNull, notInArray, type SQL, sql } from "drizzle-orm";
import { mustNotExist, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { enqueue, enqueueEach } from "@/core/jobs/outbox";
import { botTopics } from "../../outbox-topics";
import { links } from "../../schema/discord";
import { licences } from "../../schema/licences";
import { endWrites, type AccountLicence, readAccountLicences } from "../entitlement/account-licences";
import type { HeldLicence } from "../entitlement/time";

/** Whose entitlement may have changed: an account's, or that of a licence's owner. */
type Whose = { accountId: string } | { licenceId: string } | { paymentId: string };

/**
 * Belongs in every commit that may change an entitlement or a link: queues a reconciliation of the premium role. Reads
 * the link within the commit, so that it doesn't miss a link or redemption made a moment earlier; does nothing without
 * a link. Must precede the deletion of a link or an account.
 */
export const queueRoleReconciliation = (ctx: Ctx, whose: Whose): Write =>
  enqueueEach(ctx, botTopics.reconcileMember, {
    subject: links.discordUserId,
    from: links,
    where: whoseLink(ctx, whose),
  });

/** For a Discord user who may have no link, or whom this very commit links. */
export const queueReconciliationOfUser = (ctx: Ctx, discordUserId: string): Write =>
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

/**
 * Belongs in every commit that changes what a licence's time depends on: the writes that recompute the ends of every
 * account that owns a licence of `whose`. `become` gives each licence's state after the commit. The commit fails with
 * `conflict` if another one came in between, such as a redemption: see `retryOnConflict`.
 */
export async function recomputeEndsWrites(...about: Parameters<typeof recomputeEnds>): Promise<Write[]> {
  return (await recomputeEnds(...about)).writes;
}

/** {@link recomputeEndsWrites}, with the end that each redeemed licence gets. */
export async function recomputeEnds(
  ctx: Ctx,
  whose: Whose,
  become: (licence: AccountLicence) => HeldLicence,
): Promise<{ ends: Map<string, Date | null>; writes: Write[] }> {
  const owners = await ownersOf(ctx, whose);
  const all = await Promise.all(owners.map((accountId) => readAccountLicences(ctx, accountId)));
  // an erased account has left its licences without an owner
  const changed = all.flatMap((owned) => (owned ? endWrites(ctx, owned, owned.licences.map(become)) : []));
  return {
    ends: new Map(changed.flatMap(({ ends }) => [...ends])),
    writes: [...noOtherOwner(ctx, whose, owners), ...changed.flatMap(({ writes }) => writes)],
  };
}

async function ownersOf({ store: { db } }: Ctx, whose: Whose): Promise<string[]> {
  if ("accountId" in whose) return [whose.accountId];
  const rows = await db.selectDistinct({ id: licences.accountId }).from(licences).where(isOwned(whose));
  return rows.flatMap(({ id }) => id ?? []);
}

/** Guards against a licence redeemed since the owners were read. */
function noOtherOwner({ store: { db } }: Ctx, whose: Whose, known: string[]): Write[] {
  if ("accountId" in whose) return [];
  const other = db
    .select({ one: sql`1` })
    .from(licences)
    .where(and(isOwned(whose), notInArray(licences.accountId, known)));
  return [mustNotExist(other, "conflict", {})];
}

const isOwned = (whose: { licenceId: string } | { paymentId: string }): SQL | undefined =>
  and(
    "licenceId" in whose ? eq(licences.id, whose.licenceId) : eq(licences.paymentId, whose.paymentId),
    isNotNull(licences.accountId),
  );
