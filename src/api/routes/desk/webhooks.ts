import { createRoute } from "@hono/zod-openapi";
import { pageOf } from "@/contract/wire/desk/pages";
import { reasonBody } from "@/contract/wire/desk/reason";
import {
  rotateBody,
  webhookBody,
  webhookChangeBody,
  webhookDetails,
  webhookParams,
  webhookRotated,
  webhookRow,
  webhookWithSecret,
} from "@/contract/wire/desk/webhooks";
import { addEndpoint, changeEndpoint, removeEndpoint } from "@/domain/webhooks/change-endpoint";
import { endpointShown } from "@/domain/webhooks/deliveries";
import { enableEndpoint } from "@/domain/webhooks/enable-endpoint";
import { endpoints } from "@/domain/webhooks/endpoints";
import { rotateSecret } from "@/domain/webhooks/rotate-secret";
import { testEndpoint } from "@/domain/webhooks/send-test";
import { answers, jsonBody, ok } from "../../answers";
import { deskCall, needsCode } from "../../desk-call";
import { byDesk } from "../../desk-guards";
import { newRouter } from "../../route-guards";
import type { Shop } from "../../shop";
import { endpointOnTheWire as wire } from "../../webhooks-on-the-wire";

/** /api/desk/webhooks: the endpoints of other systems that get the shop's events. */
export function deskWebhookRoutes(shop: Shop) {
  const { ctx } = shop;
  const { webhooksAllowPrivate: allowPrivate } = shop.config;
  return newRouter()
    .openapi(
      createRoute({
        ...deskCall(shop, "webhook.read"),
        method: "get",
        path: "/webhooks",
        summary: "Every endpoint, and whether it works; at most fifty",
        responses: answers("The endpoints, in the order in which they were added", pageOf(webhookRow)),
      }),
      async (c) => {
        const rows = (await endpoints(ctx, c.get("desk").actor)).map(wire);
        return c.json(ok({ rows, next: null }), 200);
      },
    )
    .openapi(
      createRoute({
        ...deskCall(shop, "webhook.add"),
        method: "post",
        path: "/webhooks",
        summary: "Add an endpoint, which gets events from now on",
        description: `Only this answer shows the secret that signs them. ${needsCode}`,
        request: jsonBody(webhookBody),
        responses: answers("The endpoint with its secret", webhookWithSecret),
      }),
      async (c) => {
        const { url, events: types, reason } = c.req.valid("json");
        const { endpoint, secret } = await addEndpoint(ctx, { url, types, allowPrivate }, byDesk(c, reason));
        return c.json(ok({ ...wire(endpoint), secret }), 200);
      },
    )
    .openapi(
      createRoute({
        ...deskCall(shop, "webhook.read"),
        method: "get",
        path: "/webhooks/{id}",
        summary: "An endpoint and how its last deliveries went",
        request: { params: webhookParams },
        responses: answers("The endpoint", webhookDetails),
      }),
      async (c) => {
        const shown = await endpointShown(ctx, c.req.valid("param").id, c.get("desk").actor);
        return c.json(ok({ ...wire(shown), waiting: shown.waiting, recent: shown.recent }), 200);
      },
    )
    .openapi(
      createRoute({
        ...deskCall(shop, "webhook.change"),
        method: "post",
        path: "/webhooks/{id}/change",
        summary: "Change an endpoint's URL or events",
        description: `Its secret stays. ${needsCode}`,
        request: { params: webhookParams, ...jsonBody(webhookChangeBody) },
        responses: answers("The endpoint", webhookRow),
      }),
      async (c) => {
        const { id } = c.req.valid("param");
        const { reason, url, events: types } = c.req.valid("json");
        const wanted = { ...(url === undefined ? {} : { url }), ...(types === undefined ? {} : { types }) };
        const changed = await changeEndpoint(ctx, { id, ...wanted, allowPrivate }, byDesk(c, reason));
        return c.json(ok(wire(changed)), 200);
      },
    )
    .openapi(
      createRoute({
        ...deskCall(shop, "webhook.enable"),
        method: "post",
        path: "/webhooks/{id}/enable",
        summary: "Enable a disabled endpoint from the next event on",
        description: `A replay sends what it missed. ${needsCode}`,
        request: { params: webhookParams, ...jsonBody(reasonBody) },
        responses: answers("The endpoint", webhookRow),
      }),
      async (c) => {
        const by = byDesk(c, c.req.valid("json").reason);
        return c.json(ok(wire(await enableEndpoint(ctx, c.req.valid("param").id, by))), 200);
      },
    )
    .openapi(
      createRoute({
        ...deskCall(shop, "webhook.test"),
        method: "post",
        path: "/webhooks/{id}/test",
        summary: "Send `webhook.test` to an endpoint, whatever its events",
        description: `It is sent within seconds; its deliveries show the outcome. ${needsCode}`,
        request: { params: webhookParams, ...jsonBody(reasonBody) },
        responses: answers("The endpoint", webhookDetails),
      }),
      async (c) => {
        const { id } = c.req.valid("param");
        await testEndpoint(ctx, id, byDesk(c, c.req.valid("json").reason));
        const shown = await endpointShown(ctx, id, c.get("desk").actor);
        return c.json(ok({ ...wire(shown), waiting: shown.waiting, recent: shown.recent }), 200);
      },
    )
    .openapi(
      createRoute({
        ...deskCall(shop, "webhook.rotate"),
        method: "post",
        path: "/webhooks/{id}/rotate",
        summary: "Give an endpoint a new secret",
        description: `Only this answer shows it. The former secret is used as well for another 24 hours. ${needsCode}`,
        request: { params: webhookParams, ...jsonBody(rotateBody) },
        responses: answers("The endpoint with its new secret", webhookRotated),
      }),
      async (c) => {
        const { at_once: atOnce, reason } = c.req.valid("json");
        const asked = { id: c.req.valid("param").id, atOnce };
        const { endpoint, secret, ended } = await rotateSecret(ctx, asked, byDesk(c, reason));
        return c.json(ok({ ...wire(endpoint), secret, ended: ended?.toISOString() ?? null }), 200);
      },
    )
    .openapi(
      createRoute({
        ...deskCall(shop, "webhook.remove"),
        method: "post",
        path: "/webhooks/{id}/remove",
        summary: "Remove an endpoint and its deliveries",
        description: needsCode,
        request: { params: webhookParams, ...jsonBody(reasonBody) },
        responses: answers("The endpoint that was removed", webhookRow),
      }),
      async (c) => {
        const by = byDesk(c, c.req.valid("json").reason);
        return c.json(ok(wire(await removeEndpoint(ctx, c.req.valid("param").id, by))), 200);
      },
    );
}
