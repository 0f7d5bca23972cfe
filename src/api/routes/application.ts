import { createRoute, type z } from "@hono/zod-openapi";
import {
  activateBody,
  deactivateBody,
  deactivated,
  keySet,
  notValid,
  valid,
  validateBody,
} from "@/contract/wire/application";
import { me } from "@/contract/wire/sign-in";
import { Refusal } from "@/core/base/refusal";
import {
  activateApplication,
  deactivateApplication,
  validateApplication,
} from "@/domain/application/activate";
import { describeOwner } from "@/domain/application/me";
import { type OfflineToken, tokenKeys } from "@/domain/application/tokens";
import { jsonBody, needsToken } from "../answers";
import { bearerToken, invalidToken, requireApiKey } from "../bearer";
import { limitRequests, newRouter } from "../route-guards";
import type { Shop } from "../shop";
import { validationBody, validationOfRefusal } from "../validation-answers";

const tags = ["Application"];

export const notValidAnswer = {
  description: "A verdict in capitals, or a refusal code in lower case if there is no verdict",
  content: { "application/json": { schema: notValid.meta({ id: "Verdict" }) } },
};

/**
 * A router for the desktop application's calls; answers refusals that are validation results with the result's code.
 */
export function applicationRouter() {
  const app = newRouter();
  app.onError((error, c) => {
    const result = validationOfRefusal(error);
    // the app's own error handler answers other errors
    if (!result) throw error;
    const wait = error instanceof Refusal ? error.detail.retryAfterSeconds : undefined;
    if (wait !== undefined) c.header("Retry-After", String(wait));
    // a computer's token may end during the call
    if (result.status === 401 && bearerToken(c)) c.header("WWW-Authenticate", invalidToken);
    c.set("refused", result.code);
    return c.json(result, result.status);
  });
  return app;
}

/** /api/app/v1: the desktop application's calls. */
export function applicationRoutes(shop: Shop) {
  const { ctx } = shop;
  const issuer = shop.config.publicUrl.origin;
  const owner = requireApiKey(shop);
  return applicationRouter()
    .openapi(
      createRoute({
        method: "post",
        path: "/activate",
        tags,
        summary: "Bind this device, or confirm that it is bound",
        security: needsToken,
        middleware: [owner] as const,
        request: jsonBody(activateBody),
        responses: { ...answerOf("The device is bound", valid), "4XX": notValidAnswer },
      }),
      async (c) => {
        const result = await activateApplication(ctx, c.get("tokenOwner"), c.req.valid("json"), issuer);
        if (result.code === "VALID") return c.json(validAnswer(result.offlineToken), 200);
        return c.json(validationBody(result), 403);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/validate",
        tags,
        summary: "Whether the application may run",
        security: needsToken,
        middleware: [owner] as const,
        request: jsonBody(validateBody),
        responses: { ...answerOf("It may run", valid), "4XX": notValidAnswer },
      }),
      async (c) => {
        const result = await validateApplication(ctx, c.get("tokenOwner"), c.req.valid("json"), issuer);
        if (result.code === "VALID") return c.json(validAnswer(result.offlineToken), 200);
        return c.json(validationBody(result), 403);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/deactivate",
        tags,
        summary: "Deactivate this device",
        security: needsToken,
        middleware: [owner] as const,
        request: jsonBody(deactivateBody),
        responses: {
          ...answerOf("The application is not activated here", deactivated),
          "4XX": notValidAnswer,
        },
      }),
      async (c) => {
        const result = await deactivateApplication(ctx, c.get("tokenOwner"), c.req.valid("json").hwid);
        if (result.code !== "NOT_ACTIVATED") return c.json(validationBody(result), 403);
        return c.json({ status: 200 as const, code: result.code, data: null }, 200);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/me",
        tags,
        summary: "Whose application this is, and the licence",
        security: needsToken,
        middleware: [owner] as const,
        responses: { ...answerOf("The account", me), "4XX": notValidAnswer },
      }),
      async (c) => {
        const { licence, expiresAt, ...described } = await describeOwner(ctx, c.get("tokenOwner"));
        const data = {
          ...described,
          offer: licence?.offer ?? null,
          type: licence?.level ?? null,
          expires_at: expiresAt?.toISOString() ?? null,
        };
        return c.json({ status: 200 as const, code: "VALID" as const, data }, 200);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/keys",
        tags,
        summary: "The public keys that verify tokens (JWKS)",
        middleware: [limitRequests(shop, "public")] as const,
        responses: { ...answerOf("The keys", keySet), "4XX": notValidAnswer },
      }),
      async (c) => c.json({ code: "VALID" as const, keys: await tokenKeys(ctx) }, 200),
    );
}

const answerOf = <S extends z.ZodType>(description: string, schema: S) => ({
  200: { description, content: { "application/json": { schema } } },
});

const validAnswer = ({ token, expiresAt, graceUntil, entitlement }: OfflineToken) => ({
  status: 200 as const,
  code: "VALID" as const,
  data: {
    token,
    expires_at: expiresAt.toISOString(),
    grace_until: graceUntil.toISOString(),
    entitlement: { type: entitlement.level.id, expires_at: entitlement.expiresAt?.toISOString() ?? null },
    level: entitlement.level,
    features: [...entitlement.features.keys()],
  },
});
