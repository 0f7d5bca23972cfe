import { createRoute, z } from "@hono/zod-openapi";
import {
  emailConfirmBody,
  emailKeepBody,
  emailConfirmed,
  emailResetBody,
  emailUndoBody,
  emailUndone,
  passwordResetBody,
  reauthenticateBody,
  sentence,
} from "@/contract/security";
import { texts } from "@/contract/texts";
import { spend, spendByAddress } from "@/core/limits";
import { changeEmail } from "@/domain/accounts/change-email";
import { changePassword } from "@/domain/accounts/change-password";
import { confirmEmail } from "@/domain/accounts/confirm-email";
import { reauthenticate } from "@/domain/accounts/reauthenticate";
import { keepEmail } from "@/domain/accounts/keep-email";
import { undoEmailChange } from "@/domain/accounts/undo-email";
import { answers, jsonBody, needsSession, ok } from "../answers";
import { readCookie, writeCookie } from "../cookies";
import { requesterOf, browserOf, newRouter, notUsedUp, signedInOnly } from "../route-guards";
import type { Shop } from "../shop";

/** /api/user: changing email and password. */
export function accountRoutes(shop: Shop) {
  const { ctx, limits } = shop;
  const { publicUrl } = shop.config;
  const signedIn = signedInOnly(shop);
  return newRouter()
    .openapi(
      createRoute({
        method: "post",
        path: "/email/reset",
        tags: ["Account"],
        summary: "Change the email address",
        description:
          "Takes effect at once. The old address gets a link that undoes the change for 72 hours; until then it is also notified of any further change.",
        security: needsSession,
        middleware: [signedIn] as const,
        request: jsonBody(emailResetBody),
        responses: answers("Changed", sentence),
      }),
      async (c) => {
        const requester = requesterOf(c, shop);
        const typed = c.req.valid("json");
        await spend(ctx, limits["email-change"], requester.account.id);
        await changeEmail(ctx, limits, requester, typed);
        return c.json(ok(texts.emailUpdated(typed.email)), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/email/undo",
        tags: ["Account"],
        summary: "Give an account its previous email address back",
        description:
          "Needs the token from the notice. Works once, for 72 hours. Every session of the account ends, and two-factor if it was turned on since the change. Both addresses are notified, and the restored one gets a recovery code for this browser, which gets a cookie for it: until a new password is chosen with it, calls that change what protects the account are refused with `recovery_due`.",
        middleware: [notUsedUp(shop, "email-undo")] as const,
        request: jsonBody(emailUndoBody),
        responses: answers("Undone", emailUndone),
      }),
      async (c) => {
        await spendByAddress(ctx, limits["email-undo"], c.get("address"));
        const browser = { ...browserOf(c, shop), recovery: readCookie(c, "recovery", publicUrl) };
        const { email, recovery } = await undoEmailChange(ctx, c.req.valid("json").token, browser);
        writeCookie(c, { name: "recovery", value: recovery, publicUrl });
        return c.json(ok({ email }), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/email/keep",
        tags: ["Account"],
        summary: "End the time in which an email change can be undone",
        description:
          "Needs a code of the two-factor that was on before the change, or a recovery code. Both addresses are notified.",
        security: needsSession,
        middleware: [signedIn] as const,
        request: jsonBody(emailKeepBody),
        responses: answers("The change is final", sentence),
      }),
      async (c) => {
        const requester = requesterOf(c, shop);
        await spend(ctx, limits["mfa-change"], requester.account.id);
        await keepEmail(ctx, limits, requester, c.req.valid("json").security_code);
        return c.json(ok(texts.emailKept), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/email/confirm",
        tags: ["Account"],
        summary: "Confirm an email address that support entered for an account",
        description:
          "Needs the token from the mail to the new address. Works once, for 72 hours. The old address gets a link that undoes the change for 72 hours.",
        middleware: [notUsedUp(shop, "email-confirm")] as const,
        request: jsonBody(emailConfirmBody),
        responses: answers("Changed", emailConfirmed),
      }),
      async (c) => {
        await spendByAddress(ctx, limits["email-confirm"], c.get("address"));
        const email = await confirmEmail(ctx, c.req.valid("json").token, browserOf(c, shop));
        return c.json(ok({ email }), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/password/reset",
        tags: ["Account"],
        summary: "Change the password",
        description: "Every other session of the account ends.",
        security: needsSession,
        middleware: [signedIn] as const,
        request: jsonBody(passwordResetBody),
        responses: answers("Changed", sentence),
      }),
      async (c) => {
        const requester = requesterOf(c, shop);
        await spend(ctx, limits["password-change"], requester.account.id);
        await changePassword(ctx, limits, requester, c.req.valid("json"));
        return c.json(ok(texts.passwordUpdated), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/reauthenticate",
        tags: ["Account"],
        summary: "Prove the password again",
        description:
          "Allows calls that are refused with `reauthenticate` for the next 15 minutes. The session gets a new cookie. Has the same limits as signing in.",
        security: needsSession,
        middleware: [signedIn] as const,
        request: jsonBody(reauthenticateBody),
        responses: answers("The password is right, and the new session cookie is set", z.null()),
      }),
      async (c) => {
        const value = await reauthenticate(ctx, limits, requesterOf(c, shop), c.req.valid("json"));
        writeCookie(c, { name: "session", value, publicUrl });
        return c.json(ok(null), 200);
      },
    );
}
