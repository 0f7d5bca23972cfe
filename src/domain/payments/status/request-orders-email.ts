import { addressKey } from "@/contract/vocabulary/addresses";
import { visitor } from "@/core/base/actor";
import { commit } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import type { LimitTable } from "@/contract/vocabulary/limits";
import { spend } from "@/core/limits/limits";
import { enqueue } from "@/core/jobs/outbox";
import { Refusal } from "@/core/base/refusal";
import { ordersEmail } from "../emails/orders";
import { authorize } from "../../permissions";

/**
 * Queues an email that lists what was bought with an address. The rows and the work are the same for every address;
 * only delivery finds out whether there is anything to list. Silently does nothing if an address is requested too
 * often. The caller wakes the worker after answering.
 */
export async function requestOrdersEmail(ctx: Ctx, limits: LimitTable, email: string): Promise<void> {
  authorize(visitor, "payment.ask");
  try {
    await spend(ctx, limits["find-orders-email"], addressKey(email));
  } catch (error) {
    if (error instanceof Refusal && error.code === "rate_limited") return;
    throw error;
  }
  // a person waits for this email, possibly behind a rush of receipts
  const orders = enqueue(ctx, { topic: ordersEmail, subject: newId(), payload: { email } });
  await commit(ctx.store, [orders], { wakes: false });
}
