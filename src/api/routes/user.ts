import { createRoute } from "@hono/zod-openapi";
import { dashboard, type Me, me } from "@/contract/accounts";
import type { Ctx } from "@/core/context";
import { apiKeyOf } from "@/domain/accounts/api-key";
import { countAccounts } from "@/domain/accounts/account";
import type { SignedIn } from "@/domain/accounts/sessions";
import { answers, needsSession, ok } from "../answers";
import { newRouter, signedInOnly } from "../route-guards";
import type { Shop } from "../shop";

/** /api/user: the signed-in account. */
export function userRoutes(shop: Shop) {
  const signedIn = signedInOnly(shop);
  return newRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/me",
        tags: ["Account"],
        summary: "The signed-in account",
        security: needsSession,
        middleware: [signedIn] as const,
        responses: answers("The account", me),
      }),
      (c) => c.json(ok(describe(shop.ctx, c.get("signedIn"))), 200),
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/dashboard",
        tags: ["Account"],
        summary: "How many accounts the shop has",
        security: needsSession,
        middleware: [signedIn] as const,
        responses: answers("The count", dashboard),
      }),
      async (c) => c.json(ok({ user_count: await countAccounts(shop.ctx) }), 200),
    );
}

const describe = (ctx: Ctx, { account, entitled, devices, linked, staffRole, pastDue }: SignedIn): Me => ({
  id: account.id,
  username: account.username,
  email: account.email,
  api_key: apiKeyOf(ctx, account),
  mfa: account.mfaEnabledAt !== null,
  active_license: entitled,
  hwid_set: devices.used > 0,
  last_reset: account.deviceResetAt?.toISOString() ?? null,
  devices,
  discord_authed: linked,
  staff: staffRole,
  past_due: pastDue && { subscription: pastDue.subscription, until: pastDue.until?.toISOString() ?? null },
  created_at: account.createdAt.toISOString(),
});
