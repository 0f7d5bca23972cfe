import { eq } from "drizzle-orm";
import type { Ctx } from "@/core/database/context";
import { countDevices, seatedOf } from "../devices/read";
import { rankOf, reachOf } from "../devices/seats";
import { forever } from "../levels/covers";
import { featuresIn, levelIn } from "../levels/ladder";
import type { ActiveLicence } from "../licences/entitlement/active";
import { accounts } from "../schema/accounts";
import type { TokenOwner } from "./token-owner";

/**
 * What the application shows its user: whose it is, and of the licences that give the token's computer something the one
 * with the highest level, then the most seats, then the longest. The account's own token, and that of a computer without
 * a seat, show it of all the account's licences.
 */
export async function describeOwner(ctx: Ctx, owner: TokenOwner) {
  const { accountId, ladder, active, seats } = owner;
  const [[account], used, here] = await Promise.all([
    ctx.store.db.select({ username: accounts.username }).from(accounts).where(eq(accounts.id, accountId)),
    countDevices(ctx, accountId),
    licencesHere(ctx, owner),
  ]);
  const shown = here.length > 0 ? here : active;
  const level = levelIn(ladder, shown);
  const [licence] = shown
    .filter((one) => one.level === level?.id)
    .toSorted((one, other) => other.devices - one.devices || other.until - one.until || 0);
  return {
    username: account?.username ?? "",
    licence: licence ?? null,
    expiresAt: licence && licence.until !== forever ? new Date(licence.until) : null,
    level: here.length > 0 ? level : null,
    features: featuresIn(ladder, here),
    devices: { used, places: seats },
  };
}

/** The active licences that give the token's computer something; all of them for the account's own token. */
async function licencesHere(ctx: Ctx, owner: TokenOwner): Promise<ActiveLicence[]> {
  const { active, device, seats } = owner;
  if (device === null) return active;
  const { kept, removals } = await seatedOf(ctx, owner);
  if (!kept.some(({ id }) => id === device.id)) return [];
  const rank = rankOf(kept, device.id, ctx.now());
  return active.filter(({ devices }) => rank < reachOf(devices, { seats, removals }));
}
