import { createRoute, type z } from "@hono/zod-openapi";
import { accessToken, codeBody, codes, deviceGrant, oauthRefusal, tokenBody } from "@/contract/wire/sign-in";
import { spendByAddress } from "@/core/limits/limits";
import { pollForToken, requestCode } from "@/domain/application/device-sign-in";
import { oauthBody } from "../oauth";
import { newRouter } from "../route-guards";
import type { Shop } from "../shop";

const tags = ["Application"];

const refusedAnswer = (description: string) => ({
  description,
  content: { "application/json": { schema: oauthRefusal.meta({ id: "OAuthRefusal" }) } },
});

/** Their bodies may be forms, so the handlers read them and these schemas validate nothing. */
const oauthCall = (path: string, summary: string, schemas: { body: z.ZodType; answer: z.ZodType }) =>
  createRoute({
    method: "post",
    path,
    tags,
    summary,
    description: "RFC 8628. The body is JSON or a form, and every answer has OAuth's form.",
    request: {
      body: {
        required: true,
        content: {
          "application/json": { schema: schemas.body },
          "application/x-www-form-urlencoded": { schema: schemas.body },
        },
      },
    },
    responses: {
      200: { description: "As asked", content: { "application/json": { schema: schemas.answer } } },
      "4XX": refusedAnswer("Why not, or not yet"),
      "5XX": refusedAnswer("The shop can't answer right now"),
    },
  });

const codeCall = oauthCall("/device/code", "Ask to be signed in on this computer", {
  body: codeBody,
  answer: codes,
});
const tokenCall = oauthCall("/device/token", "Whether this computer is signed in", {
  body: tokenBody,
  answer: accessToken,
});

/** /api/app/v1/device: how the application is signed in on a computer. */
export function signInRoutes(shop: Shop) {
  const { ctx, limits, memory } = shop;
  const verification = new URL("/device", shop.config.publicUrl);
  const app = newRouter();
  app.openAPIRegistry.registerPath(codeCall);
  app.openAPIRegistry.registerPath(tokenCall);
  app.post(codeCall.path, async (c) => {
    const { hwid, label, os, version } = await oauthBody(c, codeBody);
    const address = c.get("address");
    await spendByAddress(ctx, limits["device-code"], address);
    const made = await requestCode(ctx, { hwid, label, os, version, address });
    const complete = new URL(verification);
    complete.searchParams.set("user_code", made.userCode);
    return c.json({
      device_code: made.deviceCode,
      user_code: made.userCode,
      verification_uri: verification.href,
      verification_uri_complete: complete.href,
      expires_in: made.expiresInSeconds,
      interval: made.pollSeconds,
    } satisfies z.infer<typeof codes>);
  });
  app.post(tokenCall.path, async (c) => {
    memory.spendByAddress(limits["device-poll"], c.get("address"));
    const { grant_type: grant, device_code: code } = await oauthBody(c, tokenBody);
    if (grant !== deviceGrant) return c.json({ error: "unsupported_grant_type" }, 400);
    const polled = await pollForToken(ctx, code);
    if ("error" in polled) return c.json(polled, 400);
    return c.json({ access_token: polled.token, token_type: "bearer" } satisfies z.infer<typeof accessToken>);
  });
  return app;
}
