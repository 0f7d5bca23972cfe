import { and, eq, isNotNull, lt, lte, ne, or, type SQL, sql } from "drizzle-orm";
import { addressKey } from "@/contract/vocabulary/addresses";
import { mustNotExist, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { tokenHash } from "@/core/secrets/secrets";
import { isOfAccount, trialTakenBefore } from "../../offers/trials-taken";
import { type Payment, payments } from "../../schema/payments";
import type { CheckoutFacts } from "../port/stripe";

/** When a payment's trial began, and the card or bank account charged after it; equal ones have equal hashes. */
export const trialColumns = ({ trial }: CheckoutFacts) =>
  trial && { trialAt: trial.at, trialCard: trial.card && tokenHash(trial.card) };

/**
 * Whether the same account, address or card has had a trial before this one. Stays true once the earlier one is erased,
 * by the failure reason of this one.
 */
export async function isTrialTaken(ctx: Ctx, held: Payment, facts: CheckoutFacts): Promise<boolean> {
  const others = otherTrials(ctx, held, facts);
  if (others === null) return false;
  return held.failureReason === trialTakenBefore || (await others).length > 0;
}

/** Fails a commit that sells a trial with `conflict`, if another was sold since {@link isTrialTaken} was asked. */
export function mustBeOnlyTrial(ctx: Ctx, held: Payment, facts: CheckoutFacts): Write[] {
  const others = otherTrials(ctx, held, facts);
  return others ? [mustNotExist(others, "conflict", {})] : [];
}

/**
 * Whether a sold trial turns out to be a second one: of the same account, address or card as an earlier one that became
 * known only afterwards. Never once anything was paid for it. What the account redeemed or confirmed since does not count.
 */
export async function isSecondTrial(ctx: Ctx, first: Payment, paid: Payment[]): Promise<boolean> {
  const { soldAt, trialAt, accountId } = first;
  if (soldAt === null || trialAt === null || paid.some(isPaidFor)) return false;
  const ordered = accountId === null ? undefined : eq(payments.accountId, accountId);
  return (await earlierTrials(ctx, { ...first, trialAt, ordered, orAtOnce: false })).length > 0;
}

/** Whether anything was paid, through Stripe or elsewhere. */
export const isPaidFor = ({ paidAmount, outsideAmount }: Payment): boolean =>
  (paidAmount ?? 0) + outsideAmount > 0;

/** Null if no trial is being sold. */
function otherTrials(ctx: Ctx, held: Payment, facts: CheckoutFacts) {
  const begun = trialColumns(facts);
  if (held.soldAt !== null || held.trialDays === null || begun === null) return null;
  const emailKey = facts.email === null ? null : addressKey(facts.email);
  const ordered = held.accountId === null ? undefined : isOfAccount(ctx.store.db, held.accountId);
  return earlierTrials(ctx, { ...held, ...begun, emailKey, ordered, orAtOnce: true });
}

type Begun = Pick<Payment, "id" | "emailKey" | "trialCard" | "livemode"> & {
  /** As a condition: of the same account. */
  ordered: SQL | undefined;
  trialAt: Date;
  /** Whether one that began in the same second counts as earlier, too. */
  orAtOnce: boolean;
};

/** The trials sold to the same account, address or card that began before this one, whenever the shop heard of them. */
function earlierTrials(
  { store: { db } }: Ctx,
  { id, ordered, emailKey, trialCard, livemode, trialAt, orAtOnce }: Begun,
) {
  const same = or(
    ordered,
    emailKey === null ? undefined : eq(payments.emailKey, emailKey),
    trialCard === null ? undefined : eq(payments.trialCard, trialCard),
  );
  return db
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        isNotNull(payments.trialDays),
        isNotNull(payments.soldAt),
        ne(payments.id, id),
        eq(payments.livemode, livemode),
        orAtOnce ? lte(payments.trialAt, trialAt) : lt(payments.trialAt, trialAt),
        same ?? sql`false`,
      ),
    )
    .limit(1);
}
