import type { Ctx } from "@/core/context";
import type { Payment } from "../../schema/payments";
import type { CheckoutFacts } from "../checkout/checkout";
import { lifetimeOf } from "./shop-facts";

/**
 * Whether a subscription's first money came too late: it had ended by then, as after it was dropped, or its account held
 * a lifetime. Such money sells nothing and is given back.
 */
export async function isUnwanted(ctx: Ctx, held: Payment, { began }: CheckoutFacts): Promise<boolean> {
  if (held.soldAt !== null || began === null) return false;
  const { at, endedAt } = began;
  if (endedAt !== null && endedAt < at) return true;
  const since = held.accountId === null ? null : await lifetimeOf(ctx, held.accountId, held);
  return since !== null && since < at;
}
