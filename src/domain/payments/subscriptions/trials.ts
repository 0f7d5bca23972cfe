import { and, eq, isNotNull, isNull, lt, ne, or } from "drizzle-orm";
import { addressKey } from "@/contract/addresses";
import { mustNotExist, type Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { tokenHash } from "@/core/secrets";
import { isOfAccount } from "../../offers/trials-taken";
import { type Payment, payments } from "../../schema/payments";
import type { CheckoutFacts } from "../checkout/checkout";

/** When a payment's trial began and ended, and the card or bank account charged after it; equal ones have equal hashes. */
export const trialColumns = ({ trial }: CheckoutFacts) =>
  trial && { trialAt: trial.at, trialEndedAt: trial.endedAt, trialCard: trial.card && tokenHash(trial.card) };

/** Whether the same account, address or card has had a trial before this one. */
export async function isTrialTaken(ctx: Ctx, held: Payment, facts: CheckoutFacts): Promise<boolean> {
  const others = otherTrials(ctx, held, facts);
  return others !== null && (await others).length > 0;
}

/** Fails a commit that sells a trial with `conflict`, if another was sold since {@link isTrialTaken} was asked. */
export function onlyTrial(ctx: Ctx, held: Payment, facts: CheckoutFacts): Write[] {
  const others = otherTrials(ctx, held, facts);
  return others ? [mustNotExist(others, "conflict", {})] : [];
}

/**
 * The trials sold to the same account, address or card that began before this one or ran when they were sold. A restored
 * shop may take in a refused trial first; that one began later and had ended, so it doesn't stand in the way of the first.
 * Null if no trial is being sold.
 */
function otherTrials({ store: { db } }: Ctx, held: Payment, facts: CheckoutFacts) {
  const begun = trialColumns(facts);
  if (held.soldAt !== null || held.trialDays === null || begun === null) return null;
  const same = or(
    held.accountId === null ? undefined : isOfAccount(db, held.accountId),
    facts.email === null ? undefined : eq(payments.emailKey, addressKey(facts.email)),
    begun.trialCard === null ? undefined : eq(payments.trialCard, begun.trialCard),
  );
  if (!same) return null;
  return db
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        isNotNull(payments.trialDays),
        isNotNull(payments.soldAt),
        ne(payments.id, held.id),
        eq(payments.livemode, held.livemode),
        or(lt(payments.trialAt, begun.trialAt), isNull(payments.trialEndedAt)),
        same,
      ),
    )
    .limit(1);
}
