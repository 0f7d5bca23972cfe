import { createRoute } from "@hono/zod-openapi";
import { addressKey } from "@/contract/vocabulary/addresses";
import { forgotBody, forgotQuery, forgotResetBody, proofIn } from "@/contract/wire/recovery";
import { apiKey, sentence } from "@/contract/wire/security";
import { texts } from "@/contract/vocabulary/texts";
import { spend, spendByAddress } from "@/core/limits/limits";
import { refusalIn } from "@/core/base/refusal";
import { resetPassword, verifyByLink, verifyRecovery } from "@/domain/accounts/sign-in/recover";
import { recoveryCodeEmail } from "@/domain/accounts/emails/recovery-code";
import { accountKnownTo, askForRecovery } from "@/domain/accounts/recovery/recovery-code";
import { resetApiKey } from "@/domain/accounts/sessions/api-key";
import { resetDevices } from "@/domain/devices/remove";
import { answers, jsonBody, ok, wakeAfterAnswering } from "../answers";
import { readCookie, writeCookie } from "../cookies";
import {
  browserOf,
  expectOwnSite,
  newRouter,
  refuseExhausted,
  requesterOf,
  signedInCall,
} from "../route-guards";
import type { Shop } from "../shop";

/** /api/user/password: recovery in three steps, none of which starts a session. */
export function recoveryRoutes(shop: Shop) {
  const { ctx, limits } = shop;
  const { publicUrl } = shop.config;
  /** Beyond the day's mails one an hour goes: its link works in any browser, so strangers who ask keep nobody out. */
  const spendForMailbox = (key: string) =>
    spend(ctx, limits["forgot-email"], key).catch((error: unknown) => {
      if (refusalIn(error)?.code !== "rate_limited") throw error;
      return spend(ctx, limits["forgot-late"], key);
    });
  return newRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/forgot",
        tags: ["Recovery"],
        summary: "Send a code to an email address",
        description:
          "The answer and its timing are the same whether or not the address has an account. The code works only in this browser, which gets a cookie for it; it replaces an earlier code of this browser.",
        request: { query: forgotQuery },
        responses: answers("Sent, if there is an account", sentence),
      }),
      async (c) => {
        // an image or link on another site must not make us send email
        expectOwnSite(c);
        const { email } = c.req.valid("query");
        await spendByAddress(ctx, limits["forgot-address"], c.get("address"));
        const asker = `${addressKey(email)} ${c.get("address")}`;
        await spend(ctx, limits["forgot-hour"], asker);
        await spend(ctx, limits["forgot-day"], asker);
        const known = await accountKnownTo(ctx, email, readCookie(c, "known", publicUrl));
        if (known) await spend(ctx, limits["forgot-known"], known);
        else await spendForMailbox(addressKey(email));
        const value = await askForRecovery(ctx, email, readCookie(c, "recovery", publicUrl));
        writeCookie(c, { name: "recovery", value, publicUrl });
        wakeAfterAnswering(shop, recoveryCodeEmail);
        return c.json(ok(texts.recoverySent), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/forgot",
        tags: ["Recovery"],
        summary: "Verify the mailed code or link",
        description:
          "Each code allows three tries, in the browser that asked for it. The link's token verifies any browser, and then that one alone.",
        middleware: [refuseExhausted(shop, "forgot-codes")] as const,
        request: jsonBody(forgotBody),
        responses: answers("Verified", sentence),
      }),
      async (c) => {
        await spendByAddress(ctx, limits["forgot-codes"], c.get("address"));
        const proof = proofIn(c.req.valid("json"));
        const cookie = readCookie(c, "recovery", publicUrl);
        const value = await ("token" in proof
          ? verifyByLink(ctx, proof.token)
          : verifyRecovery(ctx, proof, cookie));
        // restarts the cookie's ten minutes, to choose a password
        writeCookie(c, { name: "recovery", value, publicUrl });
        return c.json(ok(texts.recoveryVerified), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/forgot-reset",
        tags: ["Recovery"],
        summary: "Choose a new password",
        description:
          "Every session of the account ends, its token is replaced, and two-factor and a Discord connection end that are younger than 72 hours, or of any age while nobody had confirmed the address. A former address comes back with it; two-factor that stays then asks its code (`mfa_required`). An address that another account has confirmed stays there, and this one has none.",
        middleware: [refuseExhausted(shop, "forgot-reset")] as const,
        request: jsonBody(forgotResetBody),
        responses: answers("The password is changed", sentence),
      }),
      async (c) => {
        await spendByAddress(ctx, limits["forgot-reset"], c.get("address"));
        const recovery = readCookie(c, "recovery", publicUrl);
        const { password, security_code, ...typed } = c.req.valid("json");
        const wanted = { ...proofIn(typed), password, security_code };
        const value = await resetPassword(ctx, limits, wanted, {
          ...browserOf(c, shop),
          recovery,
        });
        writeCookie(c, { name: "recovery", value: "", publicUrl });
        writeCookie(c, { name: "known", value, publicUrl });
        return c.json(ok(texts.recoveryDone), 200);
      },
    );
}

/** /api/user/info/reset: the auth token and the device. */
export function resetRoutes(shop: Shop) {
  const { ctx, limits } = shop;
  const signedIn = signedInCall(shop);
  return newRouter()
    .openapi(
      createRoute({
        method: "post",
        path: "/token",
        tags: ["Account"],
        summary: "Replace the auth token",
        description: "The old one stops working right away, and applications that use it are signed out.",
        ...signedIn,
        responses: answers("The new token", apiKey),
      }),
      async (c) => {
        const requester = requesterOf(c, shop);
        await spend(ctx, limits["token-reset"], requester.account.id);
        return c.json(ok({ api_key: await resetApiKey(ctx, requester) }), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/hwid",
        tags: ["Account"],
        summary: "Remove the account's computer",
        description:
          "Of several, as many as may be removed: in 30 days as many as the account has seats. A refusal says in `available_at` when the first can be.",
        ...signedIn,
        responses: answers("Removed", sentence),
      }),
      async (c) => {
        const requester = requesterOf(c, shop);
        await spend(ctx, limits["device-reset"], requester.account.id);
        await resetDevices(ctx, requester);
        return c.json(ok(texts.hwidReset), 200);
      },
    );
}
