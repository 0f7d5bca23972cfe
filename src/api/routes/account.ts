import { createRoute, z } from "@hono/zod-openapi";
import {
  emailConfirmBody,
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
import { undoEmailChange } from "@/domain/accounts/undo-email";
import { answers, jsonBody, needsSession, ok } from "../answers";
import { writeCookie } from "../cookies";
import { actorOf, browserOf, newRouter, notUsedUp, signedInOnly } from "../route-guards";
import type { Shop } from "../shop";

/** /api/user: changing email and password. */
export function accountRoutes(shop: Shop) {
  const { ctx, limits } = shop;
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
        const actor = actorOf(c, shop);
        const typed = c.req.valid("json");
        await spend(ctx, limits["email-change"], actor.account.id);
        await changeEmail(ctx, limits, actor, typed);
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
          "Needs the token from the notice. Works once, for 72 hours or until the password changes. Every session of the account ends, and both addresses are notified.",
        middleware: [notUsedUp(shop, "email-undo")] as const,
        request: jsonBody(emailUndoBody),
        responses: answers("Undone", emailUndone),
      }),
      async (c) => {
        await spendByAddress(ctx, limits["email-undo"], c.get("address"));
        const email = await undoEmailChange(ctx, c.req.valid("json").token, browserOf(c, shop));
        return c.json(ok({ email }), 200);
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
        const actor = actorOf(c, shop);
        await spend(ctx, limits["password-change"], actor.account.id);
        await changePassword(ctx, limits, actor, c.req.valid("json"));
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
        const value = await reauthenticate(ctx, limits, actorOf(c, shop), c.req.valid("json"));
        writeCookie(c, { name: "session", value, publicUrl: shop.config.publicUrl });
        return c.json(ok(null), 200);
      },
    );
}
