import { createRoute, z } from "@hono/zod-openapi";
import { sql } from "drizzle-orm";
import { stuckJobs } from "@/core/outbox";
import { answers, ok } from "../answers";
import { limited, room } from "../door";
import type { Shop } from "../shop";

const readiness = z.object({
  stuck_jobs: z.int().describe("Deliveries that failed again and again"),
  discord: z
    .enum(["off", "elsewhere", "away", "up"])
    .describe("The bot: switched off, run by another process, not connected, or connected"),
});

/** /api/health and /api/ready: for whoever watches the shop. */
export function healthRoutes(shop: Shop) {
  return room()
    .openapi(
      createRoute({
        method: "get",
        path: "/health",
        tags: ["Operation"],
        summary: "Alive",
        responses: answers("The process answers", z.null()),
      }),
      (c) => c.json(ok(null), 200),
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/ready",
        tags: ["Operation"],
        summary: "Ready to sell: the database answers",
        middleware: [limited(shop, "public")] as const,
        responses: answers(
          "Ready; deliveries that are stuck are reported, but don't make it unready",
          readiness,
        ),
      }),
      async (c) => {
        await shop.ctx.store.db.get(sql`SELECT 1`);
        const stuck = await stuckJobs(shop.ctx);
        return c.json(ok({ stuck_jobs: stuck.length, discord: shop.botState() }), 200);
      },
    );
}
