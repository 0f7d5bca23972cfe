import { createRoute, z } from "@hono/zod-openapi";
import { pageQuery } from "@/contract/wire/pages";
import {
  type SecurityEvent,
  type Session,
  endOthersBody,
  securityEvent,
  session,
  sessionEndBody,
} from "@/contract/wire/security";
import { spend } from "@/core/limits/limits";
import { securityLogOf } from "@/domain/accounts/sessions/security-log";
import { endOtherSessions, endSession, sessionsOf } from "@/domain/accounts/sessions/session-list";
import { answers, jsonBody, needsSession, ok } from "../answers";
import { listAnswers, page, placeIn, rowsToRead } from "../list-answers";
import { requesterOf, newRouter, signedInOnly } from "../route-guards";
import type { Shop } from "../shop";

/** /api/user: sessions and the security log. */
export function sessionRoutes(shop: Shop) {
  const { ctx, limits } = shop;
  const signedIn = signedInOnly(shop);
  return newRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/sessions",
        tags: ["Sessions"],
        summary: "Where the account is signed in",
        security: needsSession,
        middleware: [signedIn] as const,
        request: { query: pageQuery },
        responses: listAnswers("Most recently seen first", session),
      }),
      async (c) => {
        const own = await sessionsOf(ctx, c.get("signedIn"), {
          after: placeIn(c.req.valid("query")),
          most: rowsToRead,
        });
        return c.json(
          page(own, { wire: sessionOnTheWire, place: ({ lastSeenAt, id }) => ({ at: lastSeenAt, id }) }),
          200,
        );
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/sessions/end",
        tags: ["Sessions"],
        summary: "Sign out one session",
        security: needsSession,
        middleware: [signedIn] as const,
        request: jsonBody(sessionEndBody),
        responses: answers("It has ended", z.null()),
      }),
      async (c) => {
        await endSession(ctx, requesterOf(c, shop), c.req.valid("json").id);
        return c.json(ok(null), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/sessions/end-others",
        tags: ["Sessions"],
        summary: "Sign out every other session",
        security: needsSession,
        middleware: [signedIn] as const,
        request: { body: { ...jsonBody(endOthersBody).body, required: false } },
        responses: answers("Only this session is left", z.null()),
      }),
      async (c) => {
        const requester = requesterOf(c, shop);
        const { renew_token: renewToken } = c.req.valid("json");
        if (renewToken) await spend(ctx, limits["token-reset"], requester.account.id);
        await endOtherSessions(ctx, requester, { renewToken });
        return c.json(ok(null), 200);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/security-events",
        tags: ["Sessions"],
        summary: "The account's security events",
        security: needsSession,
        middleware: [signedIn] as const,
        request: { query: pageQuery },
        responses: listAnswers("Newest first", securityEvent),
      }),
      async (c) => {
        const log = await securityLogOf(ctx, c.get("signedIn").account.id, {
          after: placeIn(c.req.valid("query")),
          most: rowsToRead,
        });
        return c.json(page(log, { wire: securityEventOnTheWire, place: ({ at, id }) => ({ at, id }) }), 200);
      },
    );
}

type Listed<List extends (...args: never[]) => Promise<unknown[]>> = Awaited<ReturnType<List>>[number];

export const sessionOnTheWire = ({ createdAt, lastSeenAt, ...rest }: Listed<typeof sessionsOf>): Session => ({
  ...rest,
  created_at: createdAt.toISOString(),
  last_seen_at: lastSeenAt.toISOString(),
});

export const securityEventOnTheWire = ({ at, ...rest }: Listed<typeof securityLogOf>): SecurityEvent => ({
  ...rest,
  at: at.toISOString(),
});
