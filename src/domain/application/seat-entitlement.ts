import type { Ctx } from "@/core/database/context";
import { type FoundDevice, seatedOf, seatsIn } from "../devices/read";
import { rankOf, reachOf, type Removal, type Slot } from "../devices/seats";
import { forever, type Reach } from "../levels/covers";
import { featuresIn, featuresOf, type Ladder, levelIn, type LevelName } from "../levels/ladder";
import type { TokenOwner } from "./token-owner";

/** What a computer has. */
export type Entitlement = {
  /** The highest level that it has. */
  level: LevelName;
  /** When it loses its seat; null: never. */
  expiresAt: Date | null;
  /** Its features, sorted, each with the time at which it loses it: Unix milliseconds, or `forever`. */
  features: Map<string, number>;
};

/** A computer among those that have a seat, with the removals that count. Without them it comes first. */
type Seated = { kept: readonly Slot[]; id: string; removals: Removal[] };

/**
 * What one of an account's computers has. A licence gives it a seat, its level and its features while the computer's
 * rank is within the licence's number of seats. So on an account with a month for three computers and a lifetime for
 * one, two computers' tokens end with the month, and one licence for one computer gives its features to one.
 * @param active the account's active licences
 */
export function entitlementOf(
  ladder: Ladder,
  active: readonly Reach[],
  { kept, id, removals }: Seated,
  now: Date,
): Entitlement {
  const file = kept.find((device) => device.id === id)?.offlineUntil?.getTime() ?? 0;
  // between these it loses nothing
  const moments = [now.getTime(), file, ...active.map(({ until }) => until)]
    .filter((at) => at >= now.getTime() && at !== forever)
    .toSorted((one, other) => one - other)
    .map((at) => ({ at, rank: rankOf(kept, id, new Date(at)) }));
  const endOf = (giving: readonly Reach[]): number =>
    moments.find(({ at, rank }) => rank >= seatsAt(giving, at))?.at ?? forever;
  const rank = moments[0]?.rank ?? 0;
  const seats = seatsIn(active);
  const reaching = active.map((one) => ({ ...one, devices: reachOf(one.devices, { seats, removals }) }));
  const here = reaching.filter(({ devices }) => rank < devices);
  const featuresBy = new Map(active.map(({ level }) => [level, new Set(featuresOf(ladder, level))]));
  const giving = (slug: string) => reaching.filter(({ level }) => featuresBy.get(level)?.has(slug));
  const level = levelIn(ladder, here);
  if (!level) throw new Error(`the computer ${id} has no seat`);
  const end = endOf(active);
  return {
    level,
    expiresAt: end === forever ? null : new Date(end),
    features: new Map(featuresIn(ladder, here).map((slug) => [slug, endOf(giving(slug))])),
  };
}

const seatsAt = (giving: readonly Reach[], at: number): number =>
  Math.max(0, ...giving.filter(({ until }) => until > at).map(({ devices }) => devices));

/** {@link entitlementOf} for a computer that was found on its seat. */
export async function entitlementHere(
  ctx: Ctx,
  owner: TokenOwner,
  found: Pick<FoundDevice, "device" | "kept">,
): Promise<Entitlement> {
  const { ladder, active, seats } = owner;
  const isEnough = seats >= found.kept && active.every(({ devices }) => devices === seats);
  const seated = isEnough ? { kept: [], removals: [] } : await seatedOf(ctx, owner);
  return entitlementOf(ladder, active, { ...seated, id: found.device.id }, ctx.now());
}
