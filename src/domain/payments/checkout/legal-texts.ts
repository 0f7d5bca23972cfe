import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { BrandError } from "@/brand/brand-error";
import { readLegalText } from "@/brand/legal/read";
import { terms, texts } from "@/brand/legal";
import type { Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { legalTexts } from "../../schema/payments";
import type { Agreed } from "../port/order-terms";

/** Stores the texts that this release sells under, for a start: purchases name them by their hashes. */
export const keepLegalTexts = (ctx: Ctx): Write[] =>
  [texts.terms, texts.refunds].map((text) => keepLegalText(ctx, text));

export const keepLegalText = (ctx: Ctx, text: string): Write =>
  ctx.store.db
    .insert(legalTexts)
    .values({ sha256: sha256(text), text, createdAt: ctx.now() })
    .onConflictDoNothing();

/** What a purchase is made under now. */
export const legalColumns: Agreed = {
  termsEdition: terms.updated,
  termsSha256: sha256(texts.terms),
  refundsSha256: sha256(texts.refunds),
};

/** The refunds policy's summary as a buyer had it; null if the shop doesn't know which one that was. */
export async function refundsSummary(ctx: Ctx, agreed: Agreed | undefined): Promise<string | null> {
  if (!agreed) return null;
  const [kept] = await ctx.store.db
    .select()
    .from(legalTexts)
    .where(eq(legalTexts.sha256, agreed.refundsSha256));
  return kept ? summaryIn(kept.text) : null;
}

/** Of a text that this release can't read, its beginning. */
function summaryIn(text: string): string {
  try {
    return readLegalText(text).summary;
  } catch (error) {
    if (!(error instanceof BrandError)) throw error;
    return text.slice(0, longestBeginning);
  }
}

const longestBeginning = 5_000;

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
