import { and, eq, isNotNull, lt, ne, or, type SQL } from "drizzle-orm";
import { addressKey } from "@/contract/addresses";
import type { Ctx } from "@/core/context";
import { tokenHash } from "@/core/secrets";
import { type Payment, payments } from "../../schema/payments";
import type { CheckoutFacts } from "../checkout/checkout";

/** The card that a trial is kept for, and when it began, as a payment holds it. Only equal cards have equal hashes. */
export const trialColumns = ({ trial }: CheckoutFacts) =>
  trial && { trialAt: trial.at, trialCard: trial.card && tokenHash(trial.card) };

/**
 * Whether a trial began before, in the same account or with the same address or card. Judged by when trials began at
 * Stripe, so that a restored shop comes to the same in whatever order it takes them in.
 */
export async function isTrialTaken(ctx: Ctx, held: Payment, facts: CheckoutFacts): Promise<boolean> {
  const begun = trialColumns(facts);
  if (held.soldAt !== null || held.trialDays === null || begun === null) return false;
  const earlier = and(
    isNotNull(payments.soldAt),
    ne(payments.id, held.id),
    or(
      lt(payments.trialAt, begun.trialAt),
      and(eq(payments.trialAt, begun.trialAt), lt(payments.id, held.id)),
    ),
    eq(payments.livemode, held.livemode),
  );
  const whose = [
    held.accountId === null ? null : eq(payments.accountId, held.accountId),
    facts.email === null ? null : eq(payments.emailKey, addressKey(facts.email)),
    begun.trialCard === null ? null : eq(payments.trialCard, begun.trialCard),
  ];
  for (const same of whose) if (same && (await isThere(ctx, and(same, earlier)))) return true;
  return false;
}

async function isThere({ store }: Ctx, which: SQL | undefined): Promise<boolean> {
  const rows = await store.db
    .select({ id: payments.id })
    .from(payments)
    .where(and(isNotNull(payments.trialDays), which))
    .limit(1);
  return rows.length > 0;
}
