import { createRoute } from "@hono/zod-openapi";
import { device } from "@/contract/wire/application";
import { firstDevice } from "@/domain/devices/list";
import { answers, needsSession, ok } from "../answers";
import { newRouter, signedInOnly } from "../route-guards";
import type { Shop } from "../shop";

/** /api/user/device: the device shown in the dashboard. */
export function deviceRoutes(shop: Shop) {
  return newRouter().openapi(
    createRoute({
      method: "get",
      path: "/device",
      tags: ["Account"],
      summary: "The device that the account is bound to",
      security: needsSession,
      middleware: [signedInOnly(shop)] as const,
      responses: answers("null if none is bound", device),
    }),
    async (c) => {
      const bound = await firstDevice(shop.ctx, c.get("signedIn").account.id);
      const data = bound && {
        label: bound.label,
        os: bound.os,
        version: bound.version,
        active: bound.deactivatedAt === null,
        first_seen: bound.firstSeenAt.toISOString(),
        last_seen: bound.lastSeenAt.toISOString(),
      };
      return c.json(ok(data), 200);
    },
  );
}
