import { createRoute, z } from "@hono/zod-openapi";
import { loginBody, registerBody } from "@/contract/wire/accounts";
import { byAddress, spendAll, takeBack, takingBack } from "@/core/limits/limits";
import { register } from "@/domain/accounts/sign-in/register";
import { signOut } from "@/domain/accounts/sessions/sessions";
import { signIn } from "@/domain/accounts/sign-in/sign-in";
import { mailedKey } from "@/domain/payments/reading/mailed-key";
import { answers, jsonBody, ok } from "../answers";
import { browserHashesOf } from "../checkout-marks";
import { readCookie, writeCookie } from "../cookies";
import { browserOf, enter, limited, newRouter, notUsedUp } from "../route-guards";
import type { Shop } from "../shop";

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
        middleware: [notUsedUp(shop, "register-failure", "register-success")] as const,
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
          also: [takingBack(ctx, failures)],
          asksForProof: sendsMail,
          mailed: sendsMail ? await mailedKey(ctx, typed.mailed_token) : null,
        }).catch(async (error: unknown) => {
          await takeBack(ctx, successes);
          throw error;
        });
        enter(c, shop, entered);
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
        middleware: [notUsedUp(shop, "login-address")] as const,
        request: jsonBody(loginBody),
        responses: answers("The session cookie is set", signedInAs),
      }),
      async (c) => {
        const { account, entered } = await signIn(ctx, limits, c.req.valid("json"), browserOf(c, shop));
        enter(c, shop, entered);
        return c.json(ok({ username: account.username }), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/logout",
        tags: ["Account"],
        summary: "End the session",
        middleware: [limited(shop, "other")] as const,
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
