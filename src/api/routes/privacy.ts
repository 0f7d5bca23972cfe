import { createRoute, z } from "@hono/zod-openapi";
import { type AccountExport, accountExport, deleteBody } from "@/contract/security";
import { spend } from "@/core/limits";
import { deleteOwnAccount } from "@/domain/privacy/erase";
import { exportAccount } from "@/domain/privacy/export";
import { answers, jsonBody, needsSession, ok } from "../answers";
import { writeCookie } from "../cookies";
import { actorOf, newRouter, signedInOnly } from "../route-guards";
import type { Shop } from "../shop";
import { licenceOnTheWire } from "./licences";
import { paymentOnTheWire } from "./payments";
import { securityEventOnTheWire, sessionOnTheWire } from "./sessions";
import { transcriptOnTheWire } from "./tickets";

/** /api/user: export the stored data, delete the account. */
export function privacyRoutes(shop: Shop) {
  const { ctx, limits } = shop;
  const { publicUrl } = shop.config;
  const signedIn = signedInOnly(shop);
  return newRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/export",
        tags: ["Account"],
        summary: "Everything stored about the account, as a file",
        security: needsSession,
        middleware: [signedIn] as const,
        responses: answers("The export", accountExport),
      }),
      async (c) => {
        const { account, session } = c.get("signedIn");
        const file = onTheWire(await exportAccount(ctx, { account, session }), ctx.now());
        c.header("Content-Disposition", `attachment; filename="account-${account.username}.json"`);
        return c.json(ok(file), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/delete",
        tags: ["Account"],
        summary: "Delete the account",
        description: "Its license keys stay used, and its payments stay on record without a name.",
        security: needsSession,
        middleware: [signedIn] as const,
        request: jsonBody(deleteBody),
        responses: answers("The account is deleted", z.null()),
      }),
      async (c) => {
        const actor = actorOf(c, shop);
        await spend(ctx, limits["account-delete"], actor.account.id);
        await deleteOwnAccount(ctx, limits, actor, c.req.valid("json"));
        for (const name of ["session", "known"] as const) writeCookie(c, { name, value: "", publicUrl });
        c.header("Clear-Site-Data", '"cache", "storage"');
        return c.json(ok(null), 200);
      },
    );
}

function onTheWire(held: Awaited<ReturnType<typeof exportAccount>>, now: Date): AccountExport {
  const { account, device, link } = held;
  return {
    account: {
      id: account.id,
      username: account.username,
      email: account.email,
      timezone: account.timezone,
      created_at: account.createdAt.toISOString(),
      mfa: account.mfaEnabledAt !== null,
      last_reset: account.deviceResetAt?.toISOString() ?? null,
      unsubscribed_at: account.unsubscribedAt?.toISOString() ?? null,
    },
    device: device && {
      label: device.label,
      os: device.os,
      version: device.version,
      first_seen_at: device.firstSeenAt.toISOString(),
      last_seen_at: device.lastSeenAt.toISOString(),
    },
    discord: link && { user_id: link.discordUserId, linked_at: link.linkedAt.toISOString() },
    licenses: held.licences.map(licenceOnTheWire),
    payments: held.payments.map(paymentOnTheWire),
    purchases: held.purchases.map((one) => ({
      payment: one.paymentId,
      terms_edition: one.termsEdition,
      terms_accepted_at: one.termsAcceptedAt.toISOString(),
      address: one.address,
      user_agent: one.userAgent,
    })),
    tickets: held.tickets.map((one) => transcriptOnTheWire(one, now)),
    sessions: held.sessions.map(sessionOnTheWire),
    security_events: held.security.map(securityEventOnTheWire),
  };
}
