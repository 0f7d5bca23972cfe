import { and, eq, inArray, isNull, ne, or } from "drizzle-orm";
import type { Ctx } from "@/core/database/context";
import { trialTakenBefore } from "../../offers/trials-taken";
import { covers, forever, type Reach, untilCancelled } from "../../levels/covers";
import type { Ladder } from "../../levels/ladder";
import { ladderOf } from "../../levels/list";
import { levelOf } from "../port/order-terms";
import { type Licence, licences } from "../../schema/licences";
import { type Payment, payments } from "../../schema/payments";
import { type Subscription, subscriptions } from "../../schema/subscriptions";
import type { CheckoutFacts } from "../port/stripe";
import { unwantedMoney } from "./decide";
import type { SubscriptionFacts } from "../port/subscription-gateway";
import { statusAfterMoneyBack } from "../state/status-after-money-back";
import { isSecondTrial } from "./trials";
import type { ShopFacts } from "../state/desired-changes";

type SubscriptionContext = {
  held: Subscription | null;
  facts: SubscriptionFacts;
  first: Payment;
  /** All of the subscription. */
  payments: Payment[];
  licence: Licence | null;
  /** What its licence has, or would have. */
  given: Sold;
  ladder: Ladder;
};

type Sold = Pick<Reach, "level" | "devices">;

/** What the shop holds that decides what Stripe should hold of a subscription. */
export async function shopFactsOf(
  ctx: Ctx,
  { held, facts, first, payments: all, licence, given, ladder }: SubscriptionContext,
): Promise<ShopFacts> {
  const owner = licence?.accountId ?? held?.accountId ?? first.accountId;
  return {
    over: overBy(first, { held, licence, paid: all.filter(({ soldAt }) => soldAt !== null) }),
    isDuplicate:
      wasDuplicate(held, first) ||
      (await isDuplicateOf(ctx, { first, facts })) ||
      (await isSecondTrial(ctx, first, all)),
    hasLifetime: owner !== null && (await lifetimeOf(ctx, owner, { given, ladder })) !== null,
    generalCard: held?.generalCard ?? null,
    payments: all.map((one) => ({ ...one, isUnwanted: first.failureReason === unwantedMoney })),
  };
}

function overBy(
  first: Payment,
  { held, licence, paid }: { held: Subscription | null; licence: Licence | null; paid: Payment[] },
): ShopFacts["over"] {
  const [earliest] = endsForGood(licence, held, paid).toSorted((one, other) => timeOf(one) - timeOf(other));
  if (earliest) return earliest;
  const reasons: (string | null)[] = [trialTakenBefore, unwantedMoney];
  // such as a second month that was paid although the first never was
  const isRefused = first.mismatch !== null || reasons.includes(first.failureReason) || paid.length > 0;
  return first.soldAt === null && isRefused ? { reason: "not sold", at: null } : null;
}

type End = NonNullable<ShopFacts["over"]>;

/** All that ended it for good: what is paid after the earliest is given back, whichever the shop heard of first. */
function endsForGood(licence: Licence | null, held: Subscription | null, paid: Payment[]): End[] {
  const { paymentStatus, fellAt } = statusAfterMoneyBack(paid);
  return [
    ...(licence?.revokedAt ? [{ reason: "revoked", at: licence.revokedAt } as const] : []),
    ...(held?.erasedAt ? [{ reason: "erased", at: held.erasedAt } as const] : []),
    ...(paymentStatus === "refunded" ? [{ reason: "refunded", at: fellAt } as const] : []),
    ...(paymentStatus === "revoked" ? [{ reason: "lost", at: fellAt } as const] : []),
  ];
}

const timeOf = ({ at }: End): number => at?.getTime() ?? Number.MAX_SAFE_INTEGER;

/** Whether the subscription of an erased account was a duplicate at the last check: then neither a payment nor a trial began it. */
const wasDuplicate = (held: Subscription | null, { accountId }: Payment): boolean =>
  accountId === null && held !== null && !held.trial && held.firstPaidAt === null;

/**
 * Whether another subscription that the same account bought itself had its first money, or its trial, before this one and
 * had not ended then. Subscriptions that it only redeemed don't count.
 */
async function isDuplicateOf(
  { store: { db }, livemode }: Ctx,
  { first, facts }: Pick<SubscriptionContext, "first" | "facts">,
): Promise<boolean> {
  const { accountId } = first;
  if (accountId === null) return false;
  const others = await db
    .select({ subscription: subscriptions, first: payments })
    .from(subscriptions)
    .innerJoin(payments, eq(payments.id, subscriptions.id))
    .where(
      and(
        eq(subscriptions.accountId, accountId),
        eq(payments.accountId, accountId),
        eq(subscriptions.livemode, livemode),
        ne(subscriptions.id, first.id),
      ),
    );
  const began = beganAt(first);
  return others.some(({ subscription: { endedAt, startedAt, stripeId }, first: its }) => {
    if (began === null) return endedAt === null;
    const order =
      (beganAt(its) ?? began) - began ||
      startedAt.getTime() - facts.startedAt.getTime() ||
      (stripeId < facts.id ? -1 : 1);
    return order < 0 && (endedAt === null || endedAt.getTime() > began);
  });
}

/** When its first money came, or its trial began; null before. */
const beganAt = ({ soldAt, trialAt, paidAt }: Payment): number | null =>
  soldAt === null ? null : (trialAt ?? paidAt ?? soldAt).getTime();

/** Since when an account holds a lifetime that covers a subscription; null if it holds none. Ignores suspensions and open disputes. */
async function lifetimeOf(
  { store: { db }, livemode }: Ctx,
  accountId: string,
  { given, ladder }: Pick<SubscriptionContext, "given" | "ladder">,
): Promise<Date | null> {
  const found = await db
    .select({ at: licences.redeemedAt, level: licences.level, devices: licences.devices })
    .from(licences)
    .where(
      and(
        eq(licences.accountId, accountId),
        isNull(licences.expiresAt),
        isNull(licences.days),
        isNull(licences.paidUntil),
        isNull(licences.fixedEndsAt),
        isNull(licences.revokedAt),
        inArray(licences.paymentStatus, ["good", "disputed"]),
        or(isNull(licences.livemode), eq(licences.livemode, livemode)),
      ),
    );
  const wanted = { ...given, until: untilCancelled };
  const times = found.flatMap(({ at, ...one }) =>
    at && covers(ladder, [{ ...one, until: forever }], wanted) ? at.getTime() : [],
  );
  return times.length === 0 ? null : new Date(Math.min(...times));
}

/**
 * Whether a subscription's first money came too late: it had ended by then, as after it was dropped, or its account held
 * a lifetime. Such money sells nothing and is given back.
 */
export async function isUnwanted(ctx: Ctx, held: Payment, { began }: CheckoutFacts): Promise<boolean> {
  if (held.soldAt !== null || began === null) return false;
  const { at, endedAt } = began;
  if (endedAt !== null && endedAt < at) return true;
  if (held.accountId === null) return false;
  const given = { level: levelOf(held).id, devices: held.devices };
  const since = await lifetimeOf(ctx, held.accountId, { given, ladder: await ladderOf(ctx) });
  return since !== null && since < at;
}
