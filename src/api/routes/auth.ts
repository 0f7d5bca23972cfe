import { createRoute, z } from "@hono/zod-openapi";
import { loginBody, registerBody } from "@/contract/wire/accounts";
import { byAddress, spend, spendAll, uncount, uncountWrite } from "@/core/limits/limits";
import { register } from "@/domain/accounts/sign-in/register";
import { signOut } from "@/domain/accounts/sessions/sessions";
import { signIn } from "@/domain/accounts/sign-in/sign-in";
import { mailedKey } from "@/domain/payments/reading/mailed-key";
import { pageQuery } from "@/contract/wire/pages";
import {
  endOthersBody,
  type SecurityEvent,
  securityEvent,
  type Session,
  session,
  sessionEndBody,
} from "@/contract/wire/security";
import { securityLogOf } from "@/domain/accounts/sessions/security-log";
import { endOtherSessions, endSession, sessionsOf } from "@/domain/accounts/sessions/session-list";
import { answers, jsonBody, ok } from "../answers";
import { browserHashesOf } from "../checkout-marks";
import { readCookie, writeCookie } from "../cookies";
import {
  browserOf,
  setSessionCookies,
  limitRequests,
  newRouter,
  refuseExhausted,
  requesterOf,
  signedInCall,
} from "../route-guards";
import type { Shop } from "../shop";
import { listAnswers, pageAnswer, placeIn, rowsToRead } from "../list-answers";

const signedInAs = z.object({ username: z.string() });

/** /api/auth: register, sign in, sign out. */
export function authRoutes(shop: Shop) {
  const { ctx, limits } = shop;
  const { publicUrl } = shop.config;
  return newRouter()
    .openapi(
      createRoute({
        method: "post",
        path: "/register",
        tags: ["Account"],
        summary: "Create an account with a license key and sign in",
        middleware: [refuseExhausted(shop, "register-failure", "register-success")] as const,
        request: jsonBody(registerBody),
        responses: answers("The account exists, its key is redeemed, the session cookie is set", signedInAs),
      }),
      async (c) => {
        const typed = c.req.valid("json");
        const sendsMail = shop.mailState() !== "off";
        const failures = byAddress(limits["register-failure"], c.get("address"));
        const successes = byAddress(limits["register-success"], c.get("address"));
        await spendAll(ctx, [...failures, ...successes]);
        const entered = await register(ctx, typed, {
          browser: browserOf(c, shop),
          browserHashes: browserHashesOf(c, publicUrl),
          also: [uncountWrite(ctx, failures)],
          asksForProof: sendsMail,
          mailed: sendsMail ? await mailedKey(ctx, typed.mailed_token) : null,
        }).catch(async (error: unknown) => {
          await uncount(ctx, successes);
          throw error;
        });
        setSessionCookies(c, shop, entered);
        return c.json(ok({ username: typed.username }), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/login",
        tags: ["Account"],
        summary: "Sign in by username or email",
        description:
          "With two-factor on, the right password without a code is refused with `mfa_required`: send the whole body again with `security_code`.",
        middleware: [refuseExhausted(shop, "login-address")] as const,
        request: jsonBody(loginBody),
        responses: answers("The session cookie is set", signedInAs),
      }),
      async (c) => {
        const { account, entered } = await signIn(ctx, limits, c.req.valid("json"), browserOf(c, shop));
        setSessionCookies(c, shop, entered);
        return c.json(ok({ username: account.username }), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/logout",
        tags: ["Account"],
        summary: "End the session",
        middleware: [limitRequests(shop, "other")] as const,
        responses: answers("Signed out, even if there was no session", z.null()),
      }),
      async (c) => {
        const token = readCookie(c, "session", publicUrl);
        if (token) await signOut(ctx, token);
        writeCookie(c, { name: "session", value: "", publicUrl });
        c.header("Clear-Site-Data", '"cache", "storage"');
        return c.json(ok(null), 200);
      },
    );
}

/** /api/user: sessions and the security log. */
export function sessionRoutes(shop: Shop) {
  const { ctx, limits } = shop;
  const signedIn = signedInCall(shop);
  return newRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/sessions",
        tags: ["Sessions"],
        summary: "Where the account is signed in",
        ...signedIn,
        request: { query: pageQuery },
        responses: listAnswers("Most recently seen first", session),
      }),
      async (c) => {
        const own = await sessionsOf(ctx, c.get("signedIn"), {
          after: placeIn(c.req.valid("query")),
          most: rowsToRead,
        });
        return c.json(
          pageAnswer(own, {
            wire: sessionOnTheWire,
            place: ({ lastSeenAt, id }) => ({ at: lastSeenAt, id }),
          }),
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
        ...signedIn,
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
        ...signedIn,
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
        ...signedIn,
        request: { query: pageQuery },
        responses: listAnswers("Newest first", securityEvent),
      }),
      async (c) => {
        const log = await securityLogOf(ctx, c.get("signedIn").account.id, {
          after: placeIn(c.req.valid("query")),
          most: rowsToRead,
        });
        return c.json(
          pageAnswer(log, { wire: securityEventOnTheWire, place: ({ at, id }) => ({ at, id }) }),
          200,
        );
      },
    );
}

type RowOf<List extends (...args: never[]) => Promise<unknown[]>> = Awaited<ReturnType<List>>[number];

export const sessionOnTheWire = ({ createdAt, lastSeenAt, ...rest }: RowOf<typeof sessionsOf>): Session => ({
  ...rest,
  created_at: createdAt.toISOString(),
  last_seen_at: lastSeenAt.toISOString(),
});

export const securityEventOnTheWire = ({ at, ...rest }: RowOf<typeof securityLogOf>): SecurityEvent => ({
  ...rest,
  at: at.toISOString(),
});
