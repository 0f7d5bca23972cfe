import { and, eq, inArray } from "drizzle-orm";
import type { Ctx } from "@/core/database/context";
import { balanceMovements } from "../../schema/books";
import type { Payment } from "../../schema/payments";

export type TaxFacts = Pick<
  Payment,
  "invoiceNumber" | "buyerCountry" | "taxId" | "taxIdKind" | "cardBrand" | "cardLast4"
> & {
  /** What Stripe kept of the payment, in the minor units of the balance's currency; null until its books were read. */
  fee: { amount: number; currency: string } | null;
  payoutId: string | null;
  payoutAt: Date | null;
};

/** What is kept of payments for the books, in their order. */
export async function taxFactsOf({ store: { db } }: Ctx, payments: Payment[]): Promise<TaxFacts[]> {
  const charges = payments.flatMap(({ chargeId }) => chargeId ?? []);
  const { source, kind } = balanceMovements;
  const moved =
    charges.length === 0
      ? []
      : await db
          .select()
          .from(balanceMovements)
          .where(and(inArray(source, charges), eq(kind, "charge")));
  const bySource = new Map(moved.map((one) => [one.source, one]));
  return payments.map(({ chargeId, ...payment }) => {
    const held = chargeId === null ? undefined : bySource.get(chargeId);
    return {
      invoiceNumber: payment.invoiceNumber,
      buyerCountry: payment.buyerCountry,
      taxId: payment.taxId,
      taxIdKind: payment.taxIdKind,
      cardBrand: payment.cardBrand,
      cardLast4: payment.cardLast4,
      fee: held ? { amount: held.fee, currency: held.currency } : null,
      payoutId: held?.payoutId ?? null,
      payoutAt: held?.payoutAt ?? null,
    };
  });
}
