import { and, eq, inArray, ne } from "drizzle-orm";
import type { Ctx } from "@/core/database/context";
import { payments, type PaymentState } from "../../schema/payments";

/** An order holds a use of its promotion code while it is paid or on its way. */
export const codeHoldingStates: PaymentState[] = ["processing", "succeeded", "disputed"];

/** The `nth` order that holds a use of a code, but for one. */
export const nthUseOfCode = ({ store: { db } }: Ctx, code: string, nth: number, besides = "") =>
  db
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        eq(payments.promotionId, code),
        inArray(payments.state, codeHoldingStates),
        ne(payments.id, besides),
      ),
    )
    .limit(1)
    .offset(nth - 1);
