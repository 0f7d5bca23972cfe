import { createRoute, z } from "@hono/zod-openapi";
import { createMiddleware } from "hono/factory";
import { partBytes, partParams } from "@/contract/wire/desk/releases";
import { takeTurn } from "@/core/limits/turns";
import { takePart, uploadOfPart } from "@/domain/releases/upload/take-part";
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
      path: "/releases/uploads/{id}/parts/{part}",
      summary: "Send the next part of the builds, with its bytes as the body",
      description:
        "The builds are sent in their order, one after the other as if they were one file. The first part is 0, and every part except the last has `part_bytes` bytes. A part that arrived before changes nothing, so it can be sent again after a lost connection. Each member of staff can send one at a time.",
      request: {
        params: partParams,
        body: {
          required: true,
          content: { "application/octet-stream": { schema: z.string().meta({ format: "binary" }) } },
        },
      },
      responses: answers("How many bytes have arrived", z.object({ received: z.int() })),
    }),
    async (c) => {
      const { actor } = c.get("desk");
      const place = c.req.valid("param");
      await uploadOfPart(ctx, place, actor);
      // each is held in memory
      const end = takeTurn(ctx, `part:${actor.accountId}`);
      try {
        const bytes = new Uint8Array(await c.req.arrayBuffer());
        const sender = await expectDesk(c, shop);
        const received = await takePart(ctx, parts, { ...place, bytes }, sender.actor);
        return c.json(ok({ received }), 200);
      } finally {
        end();
      }
    },
  );
}
