import { createRoute } from "@hono/zod-openapi";
import {
  deskFigures,
  figuresByCode as byCode,
  figuresByOffer as byOffer,
  figuresOfSubscriptions,
  figuresOfSupport,
  figuresQuestion,
  figuresRange,
  subscriptionsQuestion,
  supportQuestion,
} from "@/contract/wire/desk/figures";
import { supportFigures } from "@/domain/desk/support-figures";
import { figuresByCode, figuresByOffer } from "@/domain/figures/by-offer-and-code";
import { figures } from "@/domain/figures/figures";
import { subscriptionFigures } from "@/domain/figures/subscriptions";
import { answers, needsDesk, ok } from "../../answers";
import { deskOnly } from "../../desk-guards";
import { newRouter } from "../../route-guards";
import type { Shop } from "../../shop";

/** /api/desk/figures: sales, licences, accounts, subscriptions and support over time. */
export function deskFigureRoutes(shop: Shop) {
  const { ctx } = shop;
  const atDesk = deskOnly(shop, "figures.read");
  return newRouter()
    .openapi(
      createRoute({
        method: "get",
        tags: ["desk"],
        security: needsDesk,
        middleware: [atDesk] as const,
        path: "/figures",
        summary: "The shop's figures by day, week or month",
        description:
          "Counts payments that ended in a license, in the mode of the shop's Stripe key. Weeks begin on Monday, but the first bucket begins with `from`. More than 400 rows are refused.",
        request: { query: figuresQuestion },
        responses: answers("The figures, and those of the same number of days before", deskFigures),
      }),
      async (c) => c.json(ok(await figures(ctx, c.get("desk"), c.req.valid("query"))), 200),
    )
    .openapi(
      createRoute({
        method: "get",
        tags: ["desk"],
        security: needsDesk,
        middleware: [atDesk] as const,
        path: "/figures/offers",
        summary: "The figures of each offer",
        request: { query: figuresRange },
        responses: answers("A row for each offer", byOffer),
      }),
      async (c) => c.json(ok(await figuresByOffer(ctx, c.get("desk"), c.req.valid("query"))), 200),
    )
    .openapi(
      createRoute({
        method: "get",
        tags: ["desk"],
        security: needsDesk,
        middleware: [atDesk] as const,
        path: "/figures/subscriptions",
        summary: "How subscriptions began, went on and ended",
        request: { query: subscriptionsQuestion },
        responses: answers("The figures of the range", figuresOfSubscriptions),
      }),
      async (c) => c.json(ok(await subscriptionFigures(ctx, c.get("desk"), c.req.valid("query"))), 200),
    )
    .openapi(
      createRoute({
        method: "get",
        tags: ["desk"],
        security: needsDesk,
        middleware: [atDesk] as const,
        path: "/figures/support",
        summary: "How tickets were answered, by topic and by member of staff",
        request: { query: supportQuestion },
        responses: answers(
          "The figures of tickets that were opened or closed in the range",
          figuresOfSupport,
        ),
      }),
      async (c) => c.json(ok(await supportFigures(ctx, c.get("desk"), c.req.valid("query"))), 200),
    )
    .openapi(
      createRoute({
        method: "get",
        tags: ["desk"],
        security: needsDesk,
        middleware: [atDesk] as const,
        path: "/figures/codes",
        summary: "The figures of each promotion code that was used",
        request: { query: figuresRange },
        responses: answers("A row for each code", byCode),
      }),
      async (c) => c.json(ok(await figuresByCode(ctx, c.get("desk"), c.req.valid("query"))), 200),
    );
}
