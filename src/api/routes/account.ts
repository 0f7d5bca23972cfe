import { createRoute, z } from "@hono/zod-openapi";
import { toString } from "qrcode";
import {
  emailConfirmBody,
  emailConfirmed,
  emailDeclineBody,
  emailResetBody,
  mfaEnableBody,
  mfaRecoveryCodes,
  mfaRemoveBody,
  mfaResetBody,
  mfaSetup,
  passwordResetBody,
  reauthenticateBody,
  sentence,
} from "@/contract/wire/security";
import { texts } from "@/contract/vocabulary/texts";
import { customer } from "@/core/base/actor";
import { spend, spendByAddress } from "@/core/limits/limits";
import { Refusal } from "@/core/base/refusal";
import { changeEmail } from "@/domain/accounts/addresses/change-email";
import { changePassword } from "@/domain/accounts/credentials/change-password";
import {
  confirmByCode,
  confirmEmail,
  declineEmail,
  sendConfirmation,
} from "@/domain/accounts/addresses/confirm-email";
import { reauthenticate } from "@/domain/accounts/credentials/reauthenticate";
import { downloadLinkBody, downloadLinkMailed } from "@/contract/wire/releases";
import { mailDownload } from "@/domain/application/mail-download";
import { dashboard, type Me, me } from "@/contract/wire/accounts";
import { apiKeyOf } from "@/domain/accounts/sessions/api-key";
import { countAccounts } from "@/domain/accounts/sessions/account";
import type { OwnAccount } from "@/domain/accounts/sessions/own-account";
import { enableMfa, offerAuthenticator } from "@/domain/accounts/credentials/enable-mfa";
import { seatsIn } from "@/domain/devices/read";
import { featuresIn, levelIn } from "@/domain/levels/ladder";
import { removeMfa } from "@/domain/accounts/credentials/remove-mfa";
import { answers, jsonBody, maybeSession, needsSession, ok } from "../answers";
import { writeCookie } from "../cookies";
import {
  browserOf,
  newRouter,
  refuseExhausted,
  requesterOf,
  signedInBy,
  signedInFrom,
  signedInCall,
} from "../route-guards";
import type { Shop } from "../shop";

/** /api/user: changing email and password. */
export function accountRoutes(shop: Shop) {
  const { ctx, limits } = shop;
  const { publicUrl } = shop.config;
  const signedIn = signedInCall(shop);
  return newRouter()
    .openapi(
      createRoute({
        method: "post",
        path: "/email/reset",
        tags: ["Account"],
        summary: "Change the email address",
        description:
          "Mails a link and six digits to the new address, and a notice to the old one, which stays until the new one is confirmed. In a shop that sends no mail it takes effect right away.",
        ...signedIn,
        request: jsonBody(emailResetBody),
        responses: answers("Mailed, or changed", sentence),
      }),
      async (c) => {
        const requester = requesterOf(c, shop);
        const typed = c.req.valid("json");
        await spend(ctx, limits["email-change"], requester.account.id);
        const sends = shop.mailState() !== "off";
        await changeEmail(ctx, limits, requester, { ...typed, sends });
        return c.json(ok((sends ? texts.emailAsked : texts.emailUpdated)(typed.email)), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/email/confirm",
        tags: ["Account"],
        summary: "Confirm an address, or have link and digits mailed again",
        description:
          "`token` is of the mailed link: it confirms in a browser that is signed in to the account that asked (`confirm_elsewhere` otherwise), and what support entered in any. `code` is the six digits, in a session; three wrong ones end them. Without either, mails both again, three times a day. Both are valid for 24 hours. A former address that was confirmed recovers the account for 72 hours.",
        security: maybeSession,
        middleware: [refuseExhausted(shop, "email-confirm")] as const,
        request: { body: { ...jsonBody(emailConfirmBody).body, required: false } },
        responses: answers("Confirmed, or mailed", emailConfirmed),
      }),
      async (c) => {
        const { token, code } = c.req.valid("json");
        const found = await signedInFrom(c, shop);
        if (token !== undefined) {
          await spendByAddress(ctx, limits["email-confirm"], c.get("address"));
          const who = { browser: browserOf(c, shop), signedIn: found?.account.id ?? null };
          return c.json(ok({ email: await confirmEmail(ctx, token, who), confirmed: true }), 200);
        }
        if (!found) throw new Refusal("unauthenticated");
        const { account, session } = found;
        const requester = { actor: customer(account.id), account, session, browser: browserOf(c, shop) };
        if (code === undefined && shop.mailState() === "off") throw new Refusal("mail_off");
        if (code === undefined) await spend(ctx, limits["email-send"], account.id);
        const email =
          code === undefined
            ? await sendConfirmation(ctx, limits, requester)
            : await confirmByCode(ctx, limits, requester, code);
        return c.json(ok({ email, confirmed: code !== undefined }), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/email/decline",
        tags: ["Account"],
        summary: "End a request to use this address",
        description: "Needs the token from the mail to it.",
        middleware: [refuseExhausted(shop, "email-confirm")] as const,
        request: jsonBody(emailDeclineBody),
        responses: answers("Ended", z.null()),
      }),
      async (c) => {
        await spendByAddress(ctx, limits["email-confirm"], c.get("address"));
        await declineEmail(ctx, c.req.valid("json").token);
        return c.json(ok(null), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/password/reset",
        tags: ["Account"],
        summary: "Change the password",
        description: "Every other session of the account ends.",
        ...signedIn,
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
        ...signedIn,
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

/** /api/user: the signed-in account. */
export function userRoutes(shop: Shop) {
  const signedIn = signedInCall(shop);
  return newRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/me",
        tags: ["Account"],
        summary: "The signed-in account",
        security: needsSession,
        middleware: [signedInBy(shop, shop.readOwnAccount)] as const,
        responses: answers("The account", me),
      }),
      (c) => c.json(ok(describe(shop, c.get("signedIn"))), 200),
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/dashboard",
        tags: ["Account"],
        summary: "How many accounts the shop has",
        ...signedIn,
        responses: answers("The count", dashboard),
      }),
      async (c) => {
        const count = shop.config.showsTotalUsers ? await countAccounts(shop.ctx) : null;
        return c.json(ok({ user_count: count }), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/download-link",
        tags: ["Account"],
        summary: "Have the link to the download page mailed",
        description:
          "To the account's own confirmed address, for a computer; five times a day. Refused with `own_email_unconfirmed`, and with `mail_off` in a shop that sends no mail.",
        ...signedIn,
        request: jsonBody(downloadLinkBody),
        responses: answers("Mailed", downloadLinkMailed),
      }),
      async (c) => {
        if (shop.mailState() === "off") throw new Refusal("mail_off");
        const { file = null } = c.req.valid("json");
        const email = await mailDownload(shop.ctx, shop.limits, requesterOf(c, shop), file);
        return c.json(ok({ email }), 200);
      },
    );
}

const describe = (
  { ctx, mailState }: Pick<Shop, "ctx" | "mailState">,
  { account, pastDue, ...own }: OwnAccount,
): Me => ({
  id: account.id,
  username: account.username,
  email: account.email,
  email_confirmed: account.emailConfirmedAt !== null,
  email_pending: own.emailPending,
  sends_mail: mailState() !== "off",
  api_key: apiKeyOf(ctx, account),
  mfa: account.mfaEnabledAt !== null,
  active_license: own.active.length > 0,
  level: levelIn(own.ladder, own.active),
  features: featuresIn(own.ladder, own.active),
  hwid_set: own.devices > 0,
  last_reset: account.deviceResetAt?.toISOString() ?? null,
  devices: { used: own.devices, places: seatsIn(own.active) },
  discord_authed: own.linked,
  staff: own.staffRole,
  staff_asleep: own.staffAsleep,
  past_due: pastDue && { subscription: pastDue.subscription, until: pastDue.until?.toISOString() ?? null },
  created_at: account.createdAt.toISOString(),
});

/** /api/user/mfa: turn two-factor on and off. */
export function twoFactorRoutes(shop: Shop) {
  const { ctx, limits } = shop;
  const signedIn = signedInCall(shop);
  return newRouter()
    .openapi(
      createRoute({
        method: "post",
        path: "/reset",
        tags: ["Two-factor"],
        summary: "Start setting up an authenticator",
        description:
          "Takes the password (`reauthenticate` without it). Valid for ten minutes; nothing changes until its first code is sent back.",
        ...signedIn,
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
        ...signedIn,
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
        ...signedIn,
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
