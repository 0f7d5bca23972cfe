import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { HTTPException } from "hono/http-exception";
import { routePath } from "hono/route";
import type { RefusalCode } from "@/contract/vocabulary/refusals";
import { failureOf } from "@/core/log/failure";
import { Refusal, refusalIn, type RefusalDetail } from "@/core/base/refusal";
import { runTraced } from "@/core/log/trace";
import { addDescription } from "./docs/routes";
import { boundedBodies, limitBody } from "./json-body";
import { isOAuth, oauthRefusalOf } from "./oauth";
import {
  isDeskUpload,
  isUpload,
  jsonOnly,
  storeAddress,
  limitRequests,
  newRouter,
  sameOrigin,
} from "./route-guards";
import { refusalBody } from "./refusal-body";
import { accountRoutes, twoFactorRoutes, userRoutes } from "./routes/account";
import { applicationRoutes } from "./routes/application";
import { authRoutes, sessionRoutes } from "./routes/auth";
import { deskRoutes } from "./routes/desk/all";
import { deviceRoutes, ownDeviceRoutes } from "./routes/devices";
import { deviceRequestRoutes } from "./routes/device-requests";
import { downloadRoutes, versionRoutes } from "./routes/downloads";
import { discordRoutes, discordUrlRoute } from "./routes/discord";
import { healthRoutes, metricsCall, metricsRoute } from "./routes/health";
import { invitationRoutes } from "./routes/invitation";
import { licenceRoutes } from "./routes/licences";
import { lookUpRoutes } from "./routes/look-ups";
import { offerRoutes } from "./routes/offers";
import { paymentRoutes, subscriptionRoutes } from "./routes/payments";
import { privacyRoutes } from "./routes/privacy";
import { recoveryRoutes, resetRoutes } from "./routes/recovery";
import { signInRoutes } from "./routes/sign-in";
import { stripeKeyRoute, stripeRoutes } from "./routes/stripe";
import { ticketRoutes, ticketWritingRoutes } from "./routes/tickets";
import { unsubscribeRoutes } from "./routes/unsubscribe";
import { updateRoutes } from "./routes/updates";
import { stripeWebhook, webhookCall } from "./routes/webhook";
import type { Env, Shop } from "./shop";

const bodyMost = 64 * 1024;
const webhookMost = 256 * 1024;

/** The types of the browser's client. */
export type Api = ReturnType<typeof routes>;

/** The whole of `/api`. It answers every request, including ones that no route takes. */
export function createApi(shop: Shop) {
  const app = newRouter({ strict: false });
  app.onError((error, c) => refuse(shop, error, c));
  // such as a request whose Host header makes no valid URL
  app.notFound((c) => refuse(shop, new Refusal("not_found"), c));
  app.use(observeRequests(shop));
  app.get(metricsCall.path, storeAddress(shop), metricsRoute(shop));
  // the webhook comes from a server, carries no cookie and has a signed body that must stay raw
  const bounded = boundedBodies(shop);
  app.post(webhookCall.path, storeAddress(shop), bounded, limitBody(webhookMost), stripeWebhook(shop));
  app.use("/api/*", storeAddress(shop), bounded, limitOther, sameOrigin(shop), jsonOnly);
  const all = routes(app, shop);
  all.openAPIRegistry.registerPath(webhookCall);
  all.openAPIRegistry.registerPath(metricsCall);
  addDescription(all, shop);
  all.all("/api/*", limitRequests(shop, "other"), (c) => {
    const allowed = methodsFor(all, c.req.path);
    if (allowed.length === 0) throw new Refusal("not_found");
    c.header("Allow", allowed.join(", "));
    throw new Refusal("method_not_allowed");
  });
  return all;
}

/** One router per noun. */
const routes = (app: OpenAPIHono<Env>, shop: Shop) =>
  app
    .route("/api/auth", authRoutes(shop))
    .route("/api/user", userRoutes(shop))
    .route("/api/user", deviceRoutes(shop))
    .route("/api/user", accountRoutes(shop))
    .route("/api/user", sessionRoutes(shop))
    .route("/api/user", privacyRoutes(shop))
    .route("/api/user/info/reset", resetRoutes(shop))
    .route("/api/user/mfa", twoFactorRoutes(shop))
    .route("/api/user/password", recoveryRoutes(shop))
    .route("/api/licenses", licenceRoutes(shop))
    .route("/api/devices", ownDeviceRoutes(shop))
    .route("/api/devices", deviceRequestRoutes(shop))
    .route("/api/offers", offerRoutes(shop))
    .route("/api/payments", paymentRoutes(shop))
    .route("/api/subscriptions", subscriptionRoutes(shop))
    .route("/api/stripe", stripeRoutes(shop))
    .route("/api/functions", stripeKeyRoute(shop))
    .route("/api/functions", discordUrlRoute(shop))
    .route("/api/discord", discordRoutes(shop))
    .route("/api/tickets", ticketRoutes(shop))
    .route("/api/tickets", ticketWritingRoutes(shop))
    .route("/api/version", versionRoutes(shop))
    .route("/api", downloadRoutes(shop))
    .route("/api/app/v1", applicationRoutes(shop))
    .route("/api/app/v1", signInRoutes(shop))
    .route("/api/app/v1/update", updateRoutes(shop))
    .route("/api/v1", lookUpRoutes(shop))
    .route("/api/desk", deskRoutes(shop))
    .route("/api", invitationRoutes(shop))
    .route("/api", unsubscribeRoutes(shop))
    .route("/api", healthRoutes(shop));

const limitJson = limitBody(bodyMost);
/**
 * Bodies are JSON, but for files that are sent in tickets or to be imported, and for parts of builds: those are bounded once
 * their sender is known, because bounding may read them.
 */
const limitOther = createMiddleware<Env>((c, next) =>
  isUpload(c) || isDeskUpload(c) ? next() : limitJson(c, next),
);

/** The methods that a path accepts; empty if there is no such path. */
function methodsFor(app: OpenAPIHono<Env>, path: string): string[] {
  const parts = partsOf(path);
  const methods = app.routes
    .filter((route) => route.method !== "ALL" && routeMatches(route.path, parts))
    .flatMap((route) => (route.method === "GET" ? ["GET", "HEAD"] : [route.method]));
  return [...new Set(methods)];
}

/** The segments of a path, ignoring trailing slashes. */
const partsOf = (path: string) => path.replace(/(?<!\/)\/+$/, "").split("/");

function routeMatches(route: string, parts: string[]): boolean {
  const wanted = partsOf(route);
  return (
    wanted.length === parts.length && wanted.every((part, at) => part.startsWith(":") || part === parts[at])
  );
}

function refuse(shop: Shop, error: Error, c: Context<Env>) {
  const [code, detail] = wasCutOff(error, c) ? (["invalid_json", {}] as const) : refusalOf(error);
  c.set("refused", code);
  if (code === "internal") {
    shop.ctx.log.error("a request failed", {
      method: c.req.method,
      route: routePath(c),
      ...failureOf(error),
    });
  }
  if (detail.retryAfterSeconds !== undefined) c.header("Retry-After", String(detail.retryAfterSeconds));
  if (isOAuth(c)) {
    const { error: named, status } = oauthRefusalOf(code);
    return c.json({ error: named }, status);
  }
  const body = refusalBody(code, detail);
  return c.json(body, body.status);
}

/** Whether the body ended early: the client disconnected, or sent malformed chunks. */
const wasCutOff = (error: Error, c: Context<Env>) => error.name === "AbortError" && c.req.raw.signal.aborted;

function refusalOf(error: Error): [RefusalCode, RefusalDetail] {
  const refusal = refusalIn(error);
  if (refusal) return [refusal.code, refusal.detail];
  // Hono throws this for a body that is not JSON or that it could not read
  if (error instanceof HTTPException && error.status === 400) return ["invalid_json", {}];
  if (error instanceof HTTPException && error.status === 413) return ["body_too_large", {}];
  if (error instanceof HTTPException && error.status === 415) return ["unsupported_media_type", {}];
  return ["internal", {}];
}

/** Logs and counts every request of the API. */
const observeRequests = ({ requests }: Shop) =>
  createMiddleware<Env>(async (c, next) => {
    const request = requests(c.req.method);
    await runTraced(request.id, next);
    request.answered(routePath(c), c.res, c.get("refused"));
  });
