import { hour } from "@/contract/time";
import type { Ctx } from "@/core/context";
import { recurringOffersOnSale } from "../../offers/list";
import { CheckoutForbidden, type CheckoutGateway } from "../checkout/checkout";

/** Every receipt of a subscription has the address, which rarely changes. */
const keptMilliseconds = hour;

type Gateway = Pick<CheckoutGateway, "portalLoginPage">;

/**
 * Reads where the buyers of subscriptions sign in to Stripe's page by email, at most once an hour. Null if that page is
 * off or the key may not read it. Throws `CheckoutUnreachable`.
 */
export function loginPageReader(ctx: Ctx, gateway: Gateway, shopUrl: URL): () => Promise<string | null> {
  let held: { url: string | null; until: number } | undefined;
  return async () => {
    const now = ctx.now().getTime();
    if (!held || held.until <= now)
      held = { url: await read(ctx, gateway, shopUrl), until: now + keptMilliseconds };
    return held.url;
  };
}

async function read(ctx: Ctx, gateway: Gateway, shopUrl: URL): Promise<string | null> {
  try {
    return await gateway.portalLoginPage({ shopUrl, offers: await recurringOffersOnSale(ctx) });
  } catch (error) {
    if (error instanceof CheckoutForbidden) return null;
    throw error;
  }
}
