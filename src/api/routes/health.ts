import { createRoute, z } from "@hono/zod-openapi";
import { min, sql } from "drizzle-orm";
import { migrationState } from "@/core/migrations";
import { stuckJobs } from "@/core/outbox";
import { Refusal } from "@/core/refusal";
import { outbox } from "@/core/tables";
import { mailStates } from "@/domain/mail/watched";
import { answers, ok } from "../answers";
import { limited, room } from "../door";
import { botStates, type Shop } from "../shop";

const readiness = z.object({
  database: z.literal("up"),
  migrations: z.enum(["current", "ahead"]).describe("Ahead: a newer version of the shop was here"),
  waiting_jobs: z.int().describe("Deliveries that are to be made"),
  oldest_job_seconds: z.int().describe("How long the oldest of them has waited"),
  stuck_jobs: z.int().describe("Deliveries that failed again and again"),
  discord: z
    .enum(botStates)
    .describe("The bot: switched off, run by another process, not connected, or connected"),
  mail: z.enum(mailStates).describe("The mail server, as the last letter found it"),
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
        summary: "Ready to sell: the database answers, and is as new as this version",
        description: "Discord, mail and deliveries that are stuck are reported, but don't make it unready.",
        middleware: [limited(shop, "public")] as const,
        responses: answers("Ready", readiness),
      }),
      async (c) => c.json(ok(await readinessOf(shop)), 200),
    );
}

async function readinessOf({ ctx, botState, mailState }: Shop): Promise<z.infer<typeof readiness>> {
  const migrations = await migrationState(ctx.store);
  if (migrations === "behind") throw new Refusal("unavailable");
  const [queue] = await ctx.store.db
    .select({ waiting: sql<number>`count(*)`, oldest: min(outbox.createdAt) })
    .from(outbox);
  const stuck = await stuckJobs(ctx);
  return {
    database: "up",
    migrations,
    waiting_jobs: queue?.waiting ?? 0,
    oldest_job_seconds: queue?.oldest ? Math.floor((ctx.now().getTime() - queue.oldest.getTime()) / 1000) : 0,
    stuck_jobs: stuck.length,
    discord: botState(),
    mail: mailState(),
  };
}
