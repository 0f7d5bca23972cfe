import { eq, inArray, or, sql } from "drizzle-orm";
import { commit, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { atBackgroundPace } from "@/core/base/yield";
import { payments } from "../../schema/payments";
import { type BuyerFound, buyerLists } from "../port/books-gateway";
import { type CheckoutGateway, CheckoutRefused } from "../port/stripe";
import { booksProgress, keepBooksProgress } from "./progress";

const mostPages = 200;
const writtenTogether = 20;

/** Goes once through Stripe's lists for what payments lack that an earlier release settled, and saves its place after each page. */
export async function fillBuyers(ctx: Ctx, gateway: CheckoutGateway, stopping?: AbortSignal): Promise<void> {
  for (let pages = 0; pages < mostPages && !stopping?.aborted; pages += 1) {
    const progress = await booksProgress(ctx);
    if (progress.filling === null) return;
    const { list, from } = progress.filling;
    const page = await gateway.buyers(list, from).catch((error: unknown) => {
      if (from === null || !(error instanceof CheckoutRefused)) throw error;
      return null;
    });
    await fill(ctx, page?.rows ?? []);
    const following = buyerLists[buyerLists.indexOf(list) + 1];
    const filling =
      page?.next !== null
        ? { list, from: page?.next ?? null }
        : following
          ? { list: following, from: null }
          : null;
    await commit(ctx.store, [keepBooksProgress(ctx, { ...progress, filling })]);
  }
}

async function fill(ctx: Ctx, found: BuyerFound[]): Promise<void> {
  if (found.length === 0) return;
  const { id, sessionId, intentId } = payments;
  const names = found.map(nameOf);
  const rows = await ctx.store.db
    .select({ id, sessionId, intentId })
    .from(payments)
    .where(or(inArray(sessionId, names), inArray(intentId, names)));
  const ours = new Map(
    rows.flatMap((row) => [row.sessionId, row.intentId].map((name) => [name, row.id] as const)),
  );
  const writes = found.flatMap((one) => {
    const payment = ours.get(nameOf(one));
    return payment === undefined ? [] : [fillOne(ctx, payment, one)];
  });
  for (let from = 0; from < writes.length; from += writtenTogether)
    await atBackgroundPace(() => commit(ctx.store, writes.slice(from, from + writtenTogether)));
}

const nameOf = ({ of }: BuyerFound): string => ("sessionId" in of ? of.sessionId : of.intentId);

/** Keeps what is known. An erased buyer has no card. */
function fillOne(
  { store: { db } }: Ctx,
  id: string,
  { buyer: { country, taxId }, charge, invoiceNumber = null }: BuyerFound,
): Write {
  const { buyerCountry, taxId: number, taxIdKind, chargeId, email, cardBrand, cardLast4 } = payments;
  const card = charge?.card ?? null;
  return db
    .update(payments)
    .set({
      buyerCountry: sql`coalesce(${buyerCountry}, ${country})`,
      taxId: sql`coalesce(${number}, ${taxId?.value ?? null})`,
      taxIdKind: sql`coalesce(${taxIdKind}, ${taxId?.kind ?? null})`,
      invoiceNumber: sql`coalesce(${payments.invoiceNumber}, ${invoiceNumber})`,
      chargeId: sql`coalesce(${chargeId}, ${charge?.id ?? null})`,
      cardBrand: sql`CASE WHEN ${email} IS NULL THEN ${cardBrand} ELSE coalesce(${cardBrand}, ${card?.brand ?? null}) END`,
      cardLast4: sql`CASE WHEN ${email} IS NULL THEN ${cardLast4} ELSE coalesce(${cardLast4}, ${card?.last4 ?? null}) END`,
    })
    .where(eq(payments.id, id));
}
