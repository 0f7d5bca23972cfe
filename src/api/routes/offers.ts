import { createRoute, z } from "@hono/zod-openapi";
import { offer } from "@/contract/wire/offers";
import { offersFor } from "@/domain/offers/list";
import { answers, maybeSession, ok } from "../answers";
import { browserHashesOf } from "../checkout-marks";
import { offerOnTheWire } from "@/domain/offers/on-the-wire";
import { limitRequests, newRouter, signedInFrom } from "../route-guards";
import type { Shop } from "../shop";

export function offerRoutes(shop: Shop) {
  return newRouter().openapi(
    createRoute({
      method: "get",
      path: "/",
      tags: ["Payments"],
      summary: "What can be bought",
      security: maybeSession,
      middleware: [limitRequests(shop, "public")] as const,
      responses: answers("The shop's first offer, then the others", z.array(offer)),
    }),
    async (c) => {
      const signedIn = await signedInFrom(c, shop);
      const onSale = await offersFor(shop.ctx, {
        accountId: signedIn?.account.id ?? null,
        browserHashes: browserHashesOf(c, shop.config.publicUrl),
      });
      return c.json(ok(onSale.map(offerOnTheWire)), 200);
    },
  );
}
