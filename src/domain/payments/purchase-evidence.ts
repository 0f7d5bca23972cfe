import { terms } from "@/brand/legal/terms";
import type { Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { paymentEvidence } from "./tables";

type Browser = { address: string; userAgent: string };

/** What is known of a purchase at the moment of it, for the commit that records the checkout. */
export const purchaseEvidence = (
  ctx: Ctx,
  { paymentId, at, browser }: { paymentId: string; at: Date; browser: Browser | undefined },
): Write =>
  ctx.store.db.insert(paymentEvidence).values({
    paymentId,
    termsEdition: terms.updated,
    termsAcceptedAt: at,
    buyerSealed: browser ? ctx.secrets.seal(JSON.stringify(bounded(browser)), sealContext(paymentId)) : null,
  });

/** The buyer's address and browser, as they were; null where none was kept. */
export function openBuyer(ctx: Ctx, paymentId: string, sealed: string | null): Browser | null {
  return sealed ? (JSON.parse(ctx.secrets.open(sealed, sealContext(paymentId))) as Browser) : null;
}

const bounded = ({ address, userAgent }: Browser) => ({ address, userAgent: userAgent.slice(0, 300) });
const sealContext = (paymentId: string) => `evidence:${paymentId}`;
