import { timingSafeEqual } from "node:crypto";
import { brand } from "@/brand/brand";
import { audit } from "@/core/audit";
import { commit } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import { failpoint } from "@/core/failpoints";
import { Refusal } from "@/core/refusal";
import { type CheckoutGateway, CheckoutRefused, CheckoutUnreachable, type Order } from "./checkout";
import { purchaseEvidence } from "./purchase-evidence";
import { payments } from "../schema/payments";

export type Buyer = {
  accountId: string | null;
  email: string | null;
  browserHash: string;
  /** Where the request came from; kept sealed as evidence. */
  browser?: { address: string; userAgent: string };
};

/**
 * Opens a hosted checkout at the shop's own price and remembers it. Refuses with
 * `currency_unsupported`, `checkout_refused` (with Stripe's sentence) or `checkout_unreachable`.
 */
export async function openCheckout(
  ctx: Ctx,
  gateway: CheckoutGateway,
  wanted: { currency: string; buyer: Buyer; publicUrl: URL },
): Promise<{ id: string; url: string }> {
  const { amount, currency, name } = brand.premium;
  if (wanted.currency.toLowerCase() !== currency) {
    throw new Refusal("currency_unsupported", { field: "currency" });
  }
  const id = newId();
  const price = { id, amount, currency };
  const asked = ctx.now();
  const opened = await gateway
    .open({
      order: { ...price, seal: sealOf(ctx, price) },
      productName: name,
      email: wanted.buyer.email,
      successUrl: new URL("/success?session_id={CHECKOUT_SESSION_ID}", wanted.publicUrl).href,
      cancelUrl: new URL("/cancel", wanted.publicUrl).href,
    })
    .catch(translate);
  failpoint("order.opened-at-stripe");
  await commit(ctx.store, [
    ctx.store.db.insert(payments).values({
      id,
      sessionId: opened.sessionId,
      state: "open",
      amount,
      currency,
      livemode: opened.livemode,
      accountId: wanted.buyer.accountId,
      browserHash: wanted.buyer.browserHash,
      createdAt: opened.createdAt,
    }),
    purchaseEvidence(ctx, { paymentId: id, at: asked, browser: wanted.buyer.browser }),
    audit(ctx, {
      actor: wanted.buyer.accountId ?? "shop",
      action: "payment.opened",
      subject: id,
      accountId: wanted.buyer.accountId,
    }),
  ]);
  failpoint("order.stored");
  return { id: opened.sessionId, url: opened.url };
}

/** Whether an order found on a session at Stripe was written there by this shop. */
export function sealFits(ctx: Ctx, order: Order): boolean {
  const [right, given] = [Buffer.from(sealOf(ctx, order)), Buffer.from(order.seal)];
  return right.length === given.length && timingSafeEqual(right, given);
}

const sealOf = (ctx: Ctx, { id, amount, currency }: Omit<Order, "seal">) =>
  ctx.secrets.fingerprint("order-seal", `${id}:${amount}:${currency}`);

function translate(error: unknown): never {
  if (error instanceof CheckoutRefused) throw new Refusal("checkout_refused", { sentence: error.message });
  if (error instanceof CheckoutUnreachable) throw new Refusal("checkout_unreachable");
  throw error;
}
