import { and, eq, inArray, isNotNull } from "drizzle-orm";
import { day } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import { coveringOf, foremost, forever, type Reach, untilCancelled } from "../../levels/covers";
import type { Ladder } from "../../levels/ladder";
import { ladderOf } from "../../levels/list";
import { type Licence, licences } from "../../schema/licences";
import type { Payment } from "../../schema/payments";
import { subscriptions } from "../../schema/subscriptions";
import { type AccountLicence, type AccountLicences, readAccountLicences } from "./account-licences";
import { isEntitling } from "./entitlement";
import { chainEnds } from "./time";

/** What decides whether another licence adds anything to an account. */
export type Holdings = {
  owned: AccountLicences;
  ladder: Ladder;
  held: Reach[];
  /** When each chain's time is used up. */
  ends: Map<string, number>;
};

/**
 * A licence that an account could have. If it is paid every month or year, it lasts as long as that. `chain`: the level that
 * it was sold as, if that may be another.
 */
export type Wanted = Pick<Licence, "level" | "devices" | "days"> &
  Partial<Pick<Payment, "every"> & Pick<Licence, "paidUntil" | "chain">>;

/** An account's holdings; null if the account doesn't exist. */
export async function readHoldings(ctx: Ctx, accountId: string): Promise<Holdings | null> {
  const [owned, ladder, running] = await Promise.all([
    readAccountLicences(ctx, accountId),
    ladderOf(ctx),
    runningOf(ctx, accountId),
  ]);
  if (!owned) return null;
  const isRunning = new Set(running.map(({ id }) => id));
  const held = owned.licences.flatMap((one) => {
    const isHeld = isEntitling(ctx, one) || isRunning.has(one.id);
    return isHeld ? [{ level: one.level, devices: one.devices, until: untilOf(one) }] : [];
  });
  return { owned, ladder, held: foremost(held), ends: chainEnds(owned.licences, ctx) };
}

/** A cancelled subscription counts as one that goes on: it may be resumed, and days beside it would be used up. */
function untilOf({ paidUntil, expiresAt }: AccountLicence): number {
  if (paidUntil !== null) return untilCancelled;
  return expiresAt?.getTime() ?? forever;
}

/** The licences of subscriptions that still run, also while a payment is late. */
const runningOf = ({ store: { db } }: Ctx, accountId: string) =>
  db
    .select({ id: licences.id })
    .from(licences)
    .innerJoin(subscriptions, eq(subscriptions.id, licences.primaryPaymentId))
    .where(
      and(
        eq(licences.accountId, accountId),
        isNotNull(licences.paidUntil),
        inArray(subscriptions.status, ["trialing", "active", "past_due"]),
      ),
    );

/** The licence that leaves nothing to add for another, if it were redeemed now; null if it would add something. */
export const coveringIn = (ctx: Ctx, { ladder, held, ends }: Holdings, wanted: Wanted): Reach | null =>
  coveringOf(ladder, held, { ...wanted, until: untilIfRedeemed(ctx, ends, wanted) });

/**
 * `You already have Team for life, and it includes Pro`: why a licence would add nothing. Null beside a lifetime of its
 * own level, where the usual sentence says it.
 */
export function coveredText(ctx: Ctx, holdings: Holdings, wanted: Wanted, subject: string): string | null {
  const covering = coveringIn(ctx, holdings, wanted);
  const isOwnLevel = covering?.level === wanted.level;
  if (!covering || (isOwnLevel && covering.until === forever)) return null;
  const nameOf = (level: string) => holdings.ladder.find(({ id }) => id === level)?.name ?? level;
  const lasting = covering.until === forever ? "for life" : "for long enough";
  const included = isOwnLevel ? "" : `, and it includes ${nameOf(wanted.level)}`;
  return `${subject} ${nameOf(covering.level)} ${lasting}${included}`;
}

function untilIfRedeemed(ctx: Ctx, ends: Map<string, number>, wanted: Wanted): number {
  if (wanted.every || wanted.paidUntil) return untilCancelled;
  if (wanted.days === null) return forever;
  return Math.max(ctx.now().getTime(), ends.get(wanted.chain ?? wanted.level) ?? 0) + wanted.days * day;
}

/** What a key is to an account: it adds something, adds nothing, or has days that a subscription would use up. */
export type Use = "adds" | "adds nothing" | "waits";

/** What a licence would do for an account. */
export function useOf(ctx: Ctx, holdings: Holdings, wanted: Wanted): Use {
  const covering = coveringIn(ctx, holdings, wanted);
  if (covering === null) return "adds";
  return covering.until === untilCancelled ? "waits" : "adds nothing";
}

/** The best that one of several licences would do. */
export function bestUseOf(ctx: Ctx, holdings: Holdings, keys: readonly Wanted[]): Use {
  const uses = keys.map((licence) => useOf(ctx, holdings, licence));
  return uses.find((use) => use === "adds") ?? uses.find((use) => use === "waits") ?? "adds nothing";
}
