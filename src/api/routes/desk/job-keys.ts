import { createRoute, z } from "@hono/zod-openapi";
import { keysOfJob } from "@/domain/jobs/for-staff";
import { needsDesk, refused } from "../../answers";
import { deskOnly, whileAtDesk } from "../../desk-guards";
import { newRouter } from "../../route-guards";
import type { Shop } from "../../shop";
import { streamed } from "../../streamed";
import { id } from "@/contract/wire/envelope";

const params = z.object({ id });

/** /api/desk/jobs/{id}/keys.csv: the keys that a job issued. */
export function deskJobKeyRoutes(shop: Shop) {
  const { ctx } = shop;
  return newRouter().openapi(
    createRoute({
      method: "get",
      path: "/jobs/{id}/keys.csv",
      tags: ["desk"],
      summary: "Download the whole keys that a job issued, for seven days; the download is logged",
      description: "Needs a fresh code (`confirm`).",
      security: needsDesk,
      middleware: [deskOnly(shop, "licence.reveal_key")] as const,
      request: { params },
      responses: {
        200: {
          description: "`key,days`, one licence a line; `days` is empty for a lifetime",
          content: { "text/csv": { schema: z.string() } },
        },
        "4XX": refused,
        "5XX": refused,
      },
    }),
    async (c) => {
      const { id } = c.req.valid("param");
      const { actor } = c.get("desk");
      const pages = await keysOfJob(ctx, actor, id);
      const lines = whileAtDesk(c, shop, { operation: "licence.reveal_key", pages });
      const headers = {
        "content-type": "text/csv; charset=UTF-8",
        "content-disposition": 'attachment; filename="keys.csv"',
        "cache-control": "private, no-store",
      };
      return streamed(c, { ctx, accountId: actor.accountId, headers }, lines);
    },
  );
}
