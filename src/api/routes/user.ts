import { createRoute } from "@hono/zod-openapi";
import { dashboard, type Me, me } from "@/contract/wire/accounts";
import { apiKeyOf } from "@/domain/accounts/sessions/api-key";
import { countAccounts } from "@/domain/accounts/sessions/account";
import type { OwnAccount } from "@/domain/accounts/sessions/own-account";
import { answers, needsSession, ok } from "../answers";
import { newRouter, signedInBy, signedInOnly } from "../route-guards";
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
        middleware: [signedInBy(shop, shop.readOwnAccount)] as const,
        responses: answers("The account", me),
      }),
      (c) => c.json(ok(describe(shop, c.get("signedIn"))), 200),
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

const describe = (
  { ctx, mailState }: Pick<Shop, "ctx" | "mailState">,
  { account, pastDue, ...own }: OwnAccount,
): Me => ({
  id: account.id,
  username: account.username,
  email: account.email,
  email_confirmed: account.emailConfirmedAt !== null,
  email_pending: own.emailPending,
  sends_mail: mailState() !== "off",
  api_key: apiKeyOf(ctx, account),
  mfa: account.mfaEnabledAt !== null,
  active_license: own.entitled,
  hwid_set: own.devices > 0,
  last_reset: account.deviceResetAt?.toISOString() ?? null,
  devices: { used: own.devices, places: own.places },
  discord_authed: own.linked,
  staff: own.staffRole,
  staff_asleep: own.staffAsleep,
  past_due: pastDue && { subscription: pastDue.subscription, until: pastDue.until?.toISOString() ?? null },
  created_at: account.createdAt.toISOString(),
});
