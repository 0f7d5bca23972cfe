import type { Ctx } from "@/core/database/context";
import { type FoundDevice, seatedOf, seatsIn } from "../devices/read";
import { rankOf, reachOf, type Removal, type Slot } from "../devices/seats";
import { foremost, forever, type Reach } from "../levels/covers";
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
  const ranks = new Map<number, number>();
  const rankAt = (at: number): number => {
    const rank = ranks.get(at) ?? rankOf(kept, id, new Date(at));
    ranks.set(at, rank);
    return rank;
  };
  const [from, file] = [now.getTime(), kept.find((device) => device.id === id)?.offlineUntil?.getTime() ?? 0];
  const endOf = (giving: readonly Reach[]) => endFor({ from, file, rankAt }, giving);
  const seats = seatsIn(active);
  const reaching = foremost(
    active.map((one) => ({ ...one, devices: reachOf(one.devices, { seats, removals }) })),
  );
  const here = reaching.filter(({ devices }) => rankAt(from) < devices);
  const level = levelIn(ladder, here);
  if (!level) throw new Error(`the computer ${id} has no seat`);
  const end = endOf(active);
  const given = new Map(
    [...new Set(reaching.map((one) => one.level))].map((one) => [one, new Set(featuresOf(ladder, one))]),
  );
  const ends = new Map<string, number>();
  const endOfFeature = (slug: string): number => {
    const levels = [...given].flatMap(([one, features]) => (features.has(slug) ? [one] : []));
    const key = levels.join(" ");
    const known = ends.get(key) ?? endOf(reaching.filter((one) => levels.includes(one.level)));
    ends.set(key, known);
    return known;
  };
  return {
    level,
    expiresAt: end === forever ? null : new Date(end),
    features: new Map(featuresIn(ladder, here).map((slug) => [slug, endOfFeature(slug)])),
  };
}

/** A computer's rank at each time from `from` on; it gets worse only when the computer's own file ends. */
type Ranked = { from: number; file: number; rankAt: (at: number) => number };

/** Until when licences, whatever their levels, give a computer what they give. */
function endFor({ from, file, rankAt }: Ranked, giving: readonly Reach[]): number {
  let since = from;
  for (const { devices, until } of foremost(giving.map((one) => ({ ...one, level: "" }))).toReversed()) {
    const lost = [since, file].find((at) => since <= at && at < until && rankAt(at) >= devices);
    if (lost !== undefined) return lost;
    since = until;
  }
  return since;
}

/** {@link entitlementOf} for a computer that was found on its seat; `removed`: the account may have removals that count. */
export async function entitlementHere(
  ctx: Ctx,
  owner: TokenOwner,
  { device, kept, removed }: Pick<FoundDevice, "device" | "kept"> & { removed: boolean },
): Promise<Entitlement> {
  const { ladder, active, seats } = owner;
  const isEnough = active.every(({ devices }) => devices >= kept && (!removed || devices === seats));
  const seated = isEnough ? { kept: [], removals: [] } : await seatedOf(ctx, owner);
  return entitlementOf(ladder, active, { ...seated, id: device.id }, ctx.now());
}
