import { createRoute, z } from "@hono/zod-openapi";
import { createMiddleware } from "hono/factory";
import { partBytes, partParams, partQuery } from "@/contract/wire/desk/releases";
import { takeTurn } from "@/core/limits/turns";
import { placeOfPart, takePart } from "@/domain/releases/upload/take-part";
import { answers, ok } from "../../answers";
import { deskCall } from "../../desk-call";
import { type DeskEnv, expectDesk } from "../../desk-guards";
import { limitBody } from "../../json-body";
import { newRouter } from "../../route-guards";
import type { Shop } from "../../shop";

/** Runs after the guard, because limiting a body may read it. */
const limitPart = createMiddleware<DeskEnv>(limitBody(partBytes));

/** /api/desk/releases/uploads: the parts of builds. */
export function deskUploadRoutes(shop: Shop) {
  const { ctx, parts } = shop;
  const call = deskCall(shop, "release.publish");
  return newRouter().openapi(
    createRoute({
      ...call,
      middleware: [call.middleware, limitPart] as const,
      method: "put",
      path: "/releases/uploads/{id}/files/{file}/parts/{part}",
      summary: "Send a part of a build, with its bytes as the body",
      description:
        "Parts may come in any order, and again after a lost connection. Every part except a file's last has `part_bytes` bytes. Each member of staff can send one at a time.",
      request: {
        params: partParams,
        query: partQuery,
        body: {
          required: true,
          content: { "application/octet-stream": { schema: z.string().meta({ format: "binary" }) } },
        },
      },
      responses: answers("It is stored", z.object({ stored: z.literal(true) })),
    }),
    async (c) => {
      const { actor } = c.get("desk");
      const place = c.req.valid("param");
      await placeOfPart(ctx, place, actor);
      // each is held in memory
      const end = takeTurn(ctx, `part:${actor.accountId}`);
      try {
        const bytes = new Uint8Array(await c.req.arrayBuffer());
        const sender = await expectDesk(c, shop);
        await takePart(ctx, parts, { ...place, ...c.req.valid("query"), bytes }, sender.actor);
      } finally {
        end();
      }
      return c.json(ok({ stored: true as const }), 200);
    },
  );
}
