import { createRoute } from "@hono/zod-openapi";
import { outboxOutcome, stuckJobs, stuckQuery } from "@/contract/wire/desk/jobs";
import { reasonBody } from "@/contract/wire/desk/reason";
import { dropDelivery, retryDelivery, stuckDeliveries } from "@/domain/jobs/deliveries";
import { answers, needsDesk, ok } from "../../answers";
import { deskOnly } from "../../desk-guards";
import { newRouter } from "../../route-guards";
import type { Shop } from "../../shop";
import { verb, verbRoutes } from "./verbs";

/** /api/desk: deliveries of the outbox that keep failing. */
export function deskOutboxRoutes(shop: Shop) {
  const { ctx } = shop;
  return newRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/jobs",
        tags: ["desk"],
        summary: "Deliveries that keep failing",
        security: needsDesk,
        middleware: [deskOnly(shop, "outbox.read")] as const,
        request: { query: stuckQuery },
        responses: answers("Those waiting longest first, at most 100", stuckJobs),
      }),
      async (c) => c.json(ok({ rows: await stuckDeliveries(ctx, c.get("desk").actor) }), 200),
    )
    .route(
      "/",
      verbRoutes(shop, [
        verb({
          path: "/outbox/{id}/retry",
          summary: "Try a delivery within seconds",
          operation: "outbox.retry",
          body: reasonBody,
          data: outboxOutcome,
          async act({ id, by }) {
            await retryDelivery(ctx, id, by);
            return { id, state: "retried" as const };
          },
        }),
        verb({
          path: "/outbox/{id}/drop",
          summary: "Give a delivery up for good",
          operation: "outbox.drop",
          body: reasonBody,
          data: outboxOutcome,
          async act({ id, by }) {
            await dropDelivery(ctx, id, by);
            return { id, state: "dropped" as const };
          },
        }),
      ]),
    );
}
