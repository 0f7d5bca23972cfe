import { createRoute, z } from "@hono/zod-openapi";
import { invitationBody, joinBody } from "@/contract/wire/desk/staff";
import { spendByAddress } from "@/core/limits/limits";
import { acceptInvitation, joinStaff } from "@/domain/staff/invite";
import { answers, jsonBody, needsSession, ok } from "../answers";
import {
  browserOf,
  setSessionCookies,
  newRouter,
  refuseExhausted,
  requesterOf,
  signedInOnly,
} from "../route-guards";
import type { Shop } from "../shop";

/** /api/invitation: how somebody who was invited to the staff gets an account. */
export function invitationRoutes(shop: Shop) {
  const { ctx, limits } = shop;
  return newRouter()
    .openapi(
      createRoute({
        method: "post",
        path: "/invitation/join",
        tags: ["Account"],
        summary: "Accept an invitation to the staff with the account that is signed in",
        description:
          "Needs the token from the mailed link, which works once, for 72 hours, and the password, with two-factor also a code, in the call or typed in this session after its sign-in and less than 15 minutes ago (`reauthenticate`). The account keeps its address.",
        security: needsSession,
        middleware: [signedInOnly(shop), refuseExhausted(shop, "invitation")] as const,
        request: jsonBody(joinBody),
        responses: answers("The account has the role", z.object({ username: z.string() })),
      }),
      async (c) => {
        await spendByAddress(ctx, limits.invitation, c.get("address"));
        const requester = requesterOf(c, shop);
        await joinStaff(ctx, limits, requester, c.req.valid("json"));
        return c.json(ok({ username: requester.account.username }), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/invitation",
        tags: ["Account"],
        summary: "Accept an invitation to the staff",
        description:
          "Needs the token from the mailed link; works once, for 72 hours. The account has the invited address, which the link confirms, and no license.",
        middleware: [refuseExhausted(shop, "invitation")] as const,
        request: jsonBody(invitationBody),
        responses: answers(
          "The account exists and the session cookie is set",
          z.object({ username: z.string() }),
        ),
      }),
      async (c) => {
        await spendByAddress(ctx, limits.invitation, c.get("address"));
        const typed = c.req.valid("json");
        setSessionCookies(c, shop, await acceptInvitation(ctx, typed, browserOf(c, shop)));
        return c.json(ok({ username: typed.username }), 200);
      },
    );
}
