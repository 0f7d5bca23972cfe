import { and, eq, inArray } from "drizzle-orm";
import type { Ctx } from "@/core/database/context";
import { type BalanceMovement, balanceMovements } from "../../schema/books";
import type { Payment } from "../../schema/payments";
import { movementColumns } from "./came-back";

export type TaxFacts = Pick<Payment, "invoiceNumber" | "taxId" | "taxIdKind" | "cardBrand" | "cardLast4"> & {
  country: string | null;
  /** What Stripe kept of the payment, in the minor units of the balance's currency; null until its books were read. */
  fee: { amount: number; currency: string } | null;
  payout: string | null;
  payoutAt: Date | null;
};

/** What moved the balance for these payments, by Stripe's id of the charge. */
export async function movementsOf(ctx: Ctx, payments: Pick<Payment, "chargeId">[]) {
  const charges = payments.flatMap(({ chargeId }) => chargeId ?? []);
  if (charges.length === 0) return new Map<string, BalanceMovement>();
  const { source, kind } = balanceMovements;
  const moved = await ctx.store.db
    .select(movementColumns(ctx))
    .from(balanceMovements)
    .where(and(inArray(source, charges), eq(kind, "charge")));
  return new Map(moved.map((one) => [one.source ?? "", one]));
}

/** What is kept of a payment for the books. */
export function taxFactsOf(payment: Payment, moved: Map<string, BalanceMovement>): TaxFacts {
  const held = moved.get(payment.chargeId ?? "");
  const { invoiceNumber, buyerCountry: country, taxId, taxIdKind, cardBrand, cardLast4 } = payment;
  return {
    invoiceNumber,
    country,
    taxId,
    taxIdKind,
    cardBrand,
    cardLast4,
    fee: held ? { amount: held.fee, currency: held.currency } : null,
    payout: held?.payoutId ?? null,
    payoutAt: held?.payoutAt ?? null,
  };
}
