import { createRoute } from "@hono/zod-openapi";
import { emailResetBody, emailUndoBody, emailUndone, passwordResetBody, sentence } from "@/contract/security";
import { texts } from "@/contract/texts";
import { spend, spendByAddress } from "@/core/limits";
import { changeEmail } from "@/domain/accounts/change-email";
import { changePassword } from "@/domain/accounts/change-password";
import { undoEmailChange } from "@/domain/accounts/undo-email";
import { answers, jsonBody, needsSession, ok } from "../answers";
import { actorOf, browserOf, room, signedInOnly } from "../door";
import type { Shop } from "../shop";

/** /api/user: changing by what somebody signs in. */
export function accountRoutes(shop: Shop) {
  const { ctx, limits } = shop;
  const signedIn = signedInOnly(shop);
  return room()
    .openapi(
      createRoute({
        method: "post",
        path: "/email/reset",
        tags: ["Account"],
        summary: "Change the email address",
        description: "At once. The old address gets a link that undoes it for 72 hours.",
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
        description: "With the token of the notice, once, for 72 hours. Every session of the account ends.",
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
    );
}
