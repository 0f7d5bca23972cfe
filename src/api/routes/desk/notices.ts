import { createRoute } from "@hono/zod-openapi";
import { ownerNotices, ownerNoticesBody } from "@/contract/wire/desk/notices";
import { chooseOwnerNotices, ownerNoticesOf } from "@/domain/notices/owner-mail";
import { answers, jsonBody, needsDesk, ok } from "../../answers";
import { deskOnly } from "../../desk-guards";
import { newRouter } from "../../route-guards";
import type { Shop } from "../../shop";

/** /api/desk/me/notices: what an owner is mailed about where nobody reads a staff channel. */
export function deskNoticeRoutes(shop: Shop) {
  const { ctx } = shop;
  const owners = deskOnly(shop, "owner_mail.choose");
  const common = { path: "/me/notices", tags: ["desk"], security: needsDesk };
  return newRouter()
    .openapi(
      createRoute({
        ...common,
        middleware: [owners] as const,
        method: "get",
        summary: "What the calling owner is mailed about",
        responses: answers("By kind", ownerNotices),
      }),
      async (c) => c.json(ok(await ownerNoticesOf(ctx, c.get("desk").actor)), 200),
    )
    .openapi(
      createRoute({
        ...common,
        middleware: [owners] as const,
        method: "post",
        summary: "Choose what you are mailed about",
        description:
          "At most one email an hour, and only where nobody reads a staff channel. Kinds that are left out stay as they are.",
        request: jsonBody(ownerNoticesBody),
        responses: answers("By kind", ownerNotices),
      }),
      async (c) => {
        const { reason, ...choice } = c.req.valid("json");
        return c.json(ok(await chooseOwnerNotices(ctx, c.get("desk").actor, { choice, reason })), 200);
      },
    );
}
