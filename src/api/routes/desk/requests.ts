import { createRoute } from "@hono/zod-openapi";
import { deskRequest, deskRequestBody, deskRequestDone } from "@/contract/wire/desk/staff";
import { confirmRequest, requestToConfirm } from "@/domain/staff/requests";
import { answers, jsonBody, ok } from "../../answers";
import { deskCall, needsCode } from "../../desk-call";
import { newRouter } from "../../route-guards";
import type { Shop } from "../../shop";

/** /api/desk/requests: what staff asked for in Discord, to confirm on the desk. */
export function deskRequestRoutes(shop: Shop) {
  const { ctx } = shop;
  const call = deskCall(shop, "desk.read");
  return newRouter()
    .openapi(
      createRoute({
        ...call,
        method: "post",
        path: "/requests",
        summary: "What the link from Discord asks to confirm",
        request: jsonBody(deskRequestBody),
        responses: answers("In words", deskRequest),
      }),
      async (c) =>
        c.json(ok(await requestToConfirm(ctx, c.get("desk").actor, c.req.valid("json").token)), 200),
    )
    .openapi(
      createRoute({
        ...call,
        method: "post",
        path: "/requests/confirm",
        summary: "Do what was asked for in Discord, once",
        description: needsCode,
        request: jsonBody(deskRequestBody),
        responses: answers("Done", deskRequestDone),
      }),
      async (c) => c.json(ok(await confirmRequest(ctx, c.get("desk").actor, c.req.valid("json").token)), 200),
    );
}
