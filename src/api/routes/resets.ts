import { createRoute } from "@hono/zod-openapi";
import { apiKey, sentence } from "@/contract/wire/security";
import { texts } from "@/contract/vocabulary/texts";
import { spend } from "@/core/limits/limits";
import { resetApiKey } from "@/domain/accounts/sessions/api-key";
import { resetDevices } from "@/domain/devices/remove";
import { answers, needsSession, ok } from "../answers";
import { requesterOf, newRouter, signedInOnly } from "../route-guards";
import type { Shop } from "../shop";

/** /api/user/info/reset: the auth token and the device. */
export function resetRoutes(shop: Shop) {
  const { ctx, limits } = shop;
  const signedIn = signedInOnly(shop);
  return newRouter()
    .openapi(
      createRoute({
        method: "post",
        path: "/token",
        tags: ["Account"],
        summary: "Replace the auth token",
        description: "The old one stops working at once, and applications that use it are signed out.",
        security: needsSession,
        middleware: [signedIn] as const,
        responses: answers("The new token", apiKey),
      }),
      async (c) => {
        const requester = requesterOf(c, shop);
        await spend(ctx, limits["token-reset"], requester.account.id);
        return c.json(ok({ api_key: await resetApiKey(ctx, requester) }), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/hwid",
        tags: ["Account"],
        summary: "Remove the account's computer",
        description:
          "Of several, as many as may be removed: in 30 days as many as the account has places. A refusal says in `available_at` when the first can be.",
        security: needsSession,
        middleware: [signedIn] as const,
        responses: answers("Removed", sentence),
      }),
      async (c) => {
        const requester = requesterOf(c, shop);
        await spend(ctx, limits["device-reset"], requester.account.id);
        await resetDevices(ctx, requester);
        return c.json(ok(texts.hwidReset), 200);
      },
    );
}
