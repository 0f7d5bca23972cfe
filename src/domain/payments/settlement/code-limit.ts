import { mustNotExist, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { notice } from "../../notice";
import { enqueue } from "@/core/jobs/outbox";
import { shopTopics } from "../../outbox-topics";
import type { Payment } from "../../schema/payments";
import type { CheckoutFacts } from "../port/stripe";
import type { CodeUsed } from "../port/promotion-code";
import { codeHoldingStates, nthUseOfCode } from "../reading/code-uses";

/**
 * Whether other orders hold all uses of an order's limited code. The provider counts a use when a checkout is completed,
 * and a buyer may open any number of checkouts before the last use.
 */
export async function isCodeSpent(ctx: Ctx, held: Payment, facts: CheckoutFacts): Promise<boolean> {
  const uses = lastUse(ctx, held, facts);
  return uses !== null && (await uses).length > 0;
}

/** Fails a commit with `conflict` if another order took the last use since {@link isCodeSpent}. */
export function mustHaveCodeLeft(ctx: Ctx, held: Payment, facts: CheckoutFacts): Write[] {
  const uses = lastUse(ctx, held, facts);
  return uses ? [mustNotExist(uses, "conflict", {})] : [];
}

/** The writes for an order that uses a code: the last use ends the code, and a use beyond the limit notifies staff. */
export function codeUseWrites(
  ctx: Ctx,
  { before, after }: { before: Payment; after: Payment },
  { code, isSpent }: { code: CodeUsed | null; isSpent: boolean },
): Write[] {
  if (code === null || code.limit === null || holdsCode(before) || !holdsCode(after)) return [];
  const what = "sold with a promotion code that was used up before";
  return [
    enqueue(ctx, { topic: shopTopics.endCode, subject: code.id, payload: { limit: code.limit, from: null } }),
    ...(isSpent ? notice(ctx, `${after.id}:code`, { kind: "trouble", what }) : []),
  ];
}

const holdsCode = ({ state }: Payment) => codeHoldingStates.includes(state);

/** The other order that holds the last use, if there is one; null if this order takes none of a limited code. */
function lastUse(ctx: Ctx, held: Payment, { status, code, total }: CheckoutFacts) {
  const judged = status === "complete" && held.soldAt === null && (total === 0 || !holdsCode(held));
  if (!judged || code === null || code.limit === null) return null;
  return nthUseOfCode(ctx, code.id, code.limit, held.id);
}
