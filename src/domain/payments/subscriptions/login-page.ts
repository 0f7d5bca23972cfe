import { hour, second } from "@/contract/time";
import type { Ctx } from "@/core/context";
import { reasonOf } from "@/core/log";
import { within } from "@/core/within";
import { recurringOffersOnSale } from "../../offers/list";
import { type CheckoutGateway, CheckoutForbidden } from "../checkout/checkout";

/** Every receipt of a subscription has the address, which rarely changes; a failure is kept as long. */
const keptMilliseconds = hour;
const mostMilliseconds = 2 * second;

type Gateway = Pick<CheckoutGateway, "portalLoginPage">;

/**
 * Reads where the buyers of subscriptions sign in to Stripe's page by email, at most once an hour, however many ask at
 * once. Null if that page is off, Stripe refuses it, or doesn't answer within two seconds: mails go out without it.
 */
export function loginPageReader(ctx: Ctx, gateway: Gateway, shopUrl: URL): () => Promise<string | null> {
  let held: { page: Promise<string | null>; until: number } | undefined;
  return () => {
    const now = ctx.now().getTime();
    if (!held || held.until <= now)
      held = { page: read(ctx, gateway, shopUrl), until: now + keptMilliseconds };
    return held.page;
  };
}

async function read(ctx: Ctx, gateway: Gateway, shopUrl: URL): Promise<string | null> {
  try {
    const offers = await recurringOffersOnSale(ctx);
    return await within(mostMilliseconds, gateway.portalLoginPage({ shopUrl, offers }));
  } catch (error) {
    if (!(error instanceof CheckoutForbidden))
      ctx.log.warn("mails leave out the page to manage subscriptions", { reason: reasonOf(error) });
    return null;
  }
}
