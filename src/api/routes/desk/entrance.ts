import { createRoute, z } from "@hono/zod-openapi";
import { deskCodeBody, deskConfirmed, deskEntered, deskMe } from "@/contract/wire/desk/staff";
import { confirmedMilliseconds, permissionsOf } from "@/domain/permissions";
import { confirmAtDesk, enterDesk, leaveDesk } from "@/domain/staff/desk-session";
import { answers, jsonBody, needsDesk, needsSession, ok } from "../../answers";
import { writeCookie } from "../../cookies";
import { deskOnly } from "../../desk-guards";
import { browserOf, newRouter, requesterOf, signedInOnly } from "../../route-guards";
import type { Shop } from "../../shop";

const until = (confirmedAt: Date) => new Date(confirmedAt.getTime() + confirmedMilliseconds).toISOString();

/** /api/desk: enter and leave the desk, and confirm with a fresh code. */
export function deskEntranceRoutes(shop: Shop) {
  const { ctx, limits } = shop;
  const { publicUrl } = shop.config;
  const atDesk = deskOnly(shop, "desk.enter");
  return newRouter()
    .openapi(
      createRoute({
        method: "post",
        path: "/enter",
        tags: ["desk"],
        summary: "Enter the desk with a code of the authenticator",
        description:
          "For staff whose account has two-factor; recovery codes are not accepted. Five wrong codes lock two-factor for 15 minutes, as at sign-in. The desk closes after 12 hours, after 30 minutes without a call, and when the session ends or the password, two-factor or role changes.",
        security: needsSession,
        middleware: [signedInOnly(shop)] as const,
        request: jsonBody(deskCodeBody),
        responses: answers("The desk's cookie is set, and the code counts as a confirmation", deskEntered),
      }),
      async (c) => {
        const requester = requesterOf(c, shop);
        const code = c.req.valid("json").security_code;
        const { token, role } = await enterDesk(ctx, limits, { requester, code });
        writeCookie(c, { name: "desk", value: token, publicUrl });
        return c.json(ok({ name: requester.account.username, role }), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/leave",
        tags: ["desk"],
        summary: "Leave the desk; the account stays signed in",
        security: needsDesk,
        middleware: [atDesk] as const,
        responses: answers("The desk is closed", z.null()),
      }),
      async (c) => {
        await leaveDesk(ctx, c.get("desk"));
        writeCookie(c, { name: "desk", value: "", publicUrl });
        return c.json(ok(null), 200);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/me",
        tags: ["desk"],
        summary: "The member of staff who calls",
        security: needsDesk,
        middleware: [atDesk] as const,
        responses: answers("Who they are, and how long the last code counts", deskMe),
      }),
      (c) => {
        const { account, role, actor } = c.get("desk");
        const { id, username: name } = account;
        return c.json(
          ok({ id, name, role, may: permissionsOf(role), confirmed_until: until(actor.confirmedAt) }),
          200,
        );
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/confirm",
        tags: ["desk"],
        summary: "Confirm with a fresh code, for ten minutes",
        description: "For a call that was refused with `confirm`; send that call again afterwards.",
        security: needsDesk,
        middleware: [atDesk] as const,
        request: jsonBody(deskCodeBody),
        responses: answers("Confirmed", deskConfirmed),
      }),
      async (c) => {
        const code = c.req.valid("json").security_code;
        const at = await confirmAtDesk(ctx, limits, {
          at: c.get("desk"),
          code,
          browser: browserOf(c, shop),
        });
        return c.json(ok({ confirmed_until: until(at) }), 200);
      },
    );
}
