import { and, desc, eq, gt, isNull } from "drizzle-orm";
import type { Ctx } from "@/core/database/context";
import { countDevices } from "../devices/read";
import { entitles } from "../licences/entitlement/entitlement";
import { accounts } from "../schema/accounts";
import { licences } from "../schema/licences";
import type { TokenOwner } from "./token-owner";

/** What the application shows its user: whose it is, and the licence that gives most seats, then the longest. */
export async function describeOwner(ctx: Ctx, { accountId, seats }: TokenOwner) {
  const [[account], licence, used] = await Promise.all([
    ctx.store.db.select({ username: accounts.username }).from(accounts).where(eq(accounts.id, accountId)),
    seats === 0 ? null : largestLicence(ctx, accountId, seats),
    countDevices(ctx, accountId),
  ]);
  return { username: account?.username ?? "", licence, devices: { used, places: seats } };
}

/** Two reads, so that an index has each in order. */
async function largestLicence(ctx: Ctx, accountId: string, seats: number) {
  const of = () =>
    ctx.store.db
      .select({ offer: licences.offer, type: licences.level, expiresAt: licences.expiresAt })
      .from(licences)
      .$dynamic();
  const largest = and(
    eq(licences.accountId, accountId),
    eq(licences.devices, seats),
    entitles(ctx, ctx.now()),
  );
  const [forLife] = await of()
    .where(and(largest, isNull(licences.expiresAt)))
    .limit(1);
  if (forLife) return forLife;
  const [longest] = await of()
    .where(and(largest, gt(licences.expiresAt, ctx.now())))
    .orderBy(desc(licences.expiresAt))
    .limit(1);
  return longest ?? null;
}
