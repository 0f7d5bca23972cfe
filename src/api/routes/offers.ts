import { createRoute, z } from "@hono/zod-openapi";
import { checkedCode, codeBody, offer, offersQuery } from "@/contract/wire/offers";
import { spendByAddress } from "@/core/limits/limits";
import { offersFor } from "@/domain/offers/list";
import { checkCode } from "@/domain/payments/checkout/check-code";
import { answers, jsonBody, maybeSession, ok } from "../answers";
import { browserHashesOf } from "../checkout-marks";
import { offerOnTheWire } from "@/domain/offers/on-the-wire";
import { limitRequests, newRouter, refuseExhausted, signedInFrom } from "../route-guards";
import type { Shop } from "../shop";

/** /api/offers: what is sold, and what a promotion code takes off. */
export function offerRoutes(shop: Shop) {
  const { ctx, limits } = shop;
  return newRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/",
        tags: ["Payments"],
        summary: "What can be bought",
        security: maybeSession,
        middleware: [limitRequests(shop, "public")] as const,
        request: { query: offersQuery },
        responses: answers("The offers on sale, oldest first; with `id`, one or none", z.array(offer)),
      }),
      async (c) => {
        const signedIn = await signedInFrom(c, shop);
        const shopper = {
          accountId: signedIn?.account.id ?? null,
          browserHashes: browserHashesOf(c, shop.config.publicUrl),
        };
        const onSale = await offersFor(ctx, shopper, c.req.valid("query").id);
        return c.json(ok(onSale.map(offerOnTheWire)), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/code",
        tags: ["Payments"],
        summary: "What an offer costs with a promotion code",
        security: maybeSession,
        middleware: [refuseExhausted(shop, "offer-code")] as const,
        request: jsonBody(codeBody),
        responses: answers("The price with the code, before there is a checkout", checkedCode),
      }),
      async (c) => {
        const accountId = (await signedInFrom(c, shop))?.account.id ?? null;
        await spendByAddress(ctx, limits["offer-code"], c.get("address"));
        const checked = await checkCode(ctx, shop.checkout, { ...c.req.valid("json"), accountId });
        const { lasts } = checked;
        const months = typeof lasts === "object" ? (lasts?.months ?? null) : lasts;
        return c.json(ok({ ...checked, lasts: months }), 200);
      },
    );
}
