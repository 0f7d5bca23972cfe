import { createRoute } from "@hono/zod-openapi";
import { toString } from "qrcode";
import {
  mfaEnableBody,
  mfaRecoveryCodes,
  mfaRemoveBody,
  mfaResetBody,
  mfaSetup,
  sentence,
} from "@/contract/wire/security";
import { texts } from "@/contract/vocabulary/texts";
import { spend } from "@/core/limits/limits";
import { enableMfa, offerAuthenticator } from "@/domain/accounts/credentials/enable-mfa";
import { removeMfa } from "@/domain/accounts/credentials/remove-mfa";
import { answers, jsonBody, needsSession, ok } from "../answers";
import { requesterOf, newRouter, signedInOnly } from "../route-guards";
import type { Shop } from "../shop";

/** /api/user/mfa: turn two-factor on and off. */
export function twoFactorRoutes(shop: Shop) {
  const { ctx, limits } = shop;
  const signedIn = signedInOnly(shop);
  return newRouter()
    .openapi(
      createRoute({
        method: "post",
        path: "/reset",
        tags: ["Two-factor"],
        summary: "Start setting up an authenticator",
        description:
          "Takes the password (`reauthenticate` without it). Valid for ten minutes; nothing changes until its first code is sent back.",
        security: needsSession,
        middleware: [signedIn] as const,
        request: { body: { ...jsonBody(mfaResetBody).body, required: false } },
        responses: answers("The secret for an authenticator app", mfaSetup),
      }),
      async (c) => {
        const requester = requesterOf(c, shop);
        await spend(ctx, limits["mfa-setup"], requester.account.id);
        const offered = await offerAuthenticator(ctx, limits, requester, c.req.valid("json"));
        return c.json(ok({ qr: await qrDataUrl(offered.otpauth), ...offered }), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/enable",
        tags: ["Two-factor"],
        summary: "Turn two-factor on with the authenticator's first code",
        security: needsSession,
        middleware: [signedIn] as const,
        request: jsonBody(mfaEnableBody),
        responses: answers("Two-factor is on; the recovery codes", mfaRecoveryCodes),
      }),
      async (c) => {
        const requester = requesterOf(c, shop);
        await spend(ctx, limits["mfa-change"], requester.account.id);
        const codes = await enableMfa(ctx, requester, c.req.valid("json").security_code);
        return c.json(ok({ recovery_codes: codes }), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/remove",
        tags: ["Two-factor"],
        summary: "Turn two-factor off with a code, or a recovery code",
        description:
          "Refused with `reauthenticate` if the password was last entered more than 15 minutes ago. The code is not used up: send the whole body again with `password`.",
        security: needsSession,
        middleware: [signedIn] as const,
        request: jsonBody(mfaRemoveBody),
        responses: answers("Two-factor is off", sentence),
      }),
      async (c) => {
        const requester = requesterOf(c, shop);
        await spend(ctx, limits["mfa-change"], requester.account.id);
        await removeMfa(ctx, limits, requester, c.req.valid("json"));
        return c.json(ok(texts.mfaRemoved), 200);
      },
    );
}

/** A QR code as a data URL, made here so that the secret never goes to another host. */
async function qrDataUrl(text: string): Promise<string> {
  const svg = await toString(text, { type: "svg", errorCorrectionLevel: "M", margin: 4 });
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}
