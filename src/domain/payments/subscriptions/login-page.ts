import type { Ctx } from "@/core/database/context";
import { recurringOffersOnSale } from "../../offers/list";
import type { CheckoutGateway } from "../port/stripe";
import { optionalAnswer } from "../port/optional-answer";

type Gateway = Pick<CheckoutGateway, "portalLoginPage">;

/**
 * Reads where the buyers of subscriptions sign in to Stripe's page by email. Null if that page is off or Stripe doesn't
 * say: mails go out without it.
 */
export function loginPageReader(ctx: Ctx, gateway: Gateway, shopUrl: URL): () => Promise<string | null> {
  const page = optionalAnswer<string | null>(ctx, {
    without: "mails leave out the page to manage subscriptions",
  });
  return () =>
    page("", async () => gateway.portalLoginPage({ shopUrl, offers: await recurringOffersOnSale(ctx) }));
}
