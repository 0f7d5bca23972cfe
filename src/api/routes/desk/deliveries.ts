import { createRoute } from "@hono/zod-openapi";
import { pageOf } from "@/contract/wire/desk/pages";
import {
  deliveriesQuery,
  delivery,
  deliveryRow,
  replayBody,
  replayed,
  webhookParams,
} from "@/contract/wire/desk/webhooks";
import { deliveriesOf, deliveryWithBody } from "@/domain/webhooks/deliveries";
import { replay } from "@/domain/webhooks/replay";
import { replaySinceForAWhile } from "@/domain/webhooks/replay-for-a-while";
import { answers, jsonBody, ok } from "../../answers";
import { deskCall, needsCode } from "../../desk-call";
import { byDesk } from "../../desk-guards";
import { newRouter } from "../../route-guards";
import type { Shop } from "../../shop";
import { deliveryOnTheWire as wire } from "../../webhooks-on-the-wire";

/** /api/desk/webhooks: what was sent in the last 30 days, and sending it again. */
export function deskDeliveryRoutes(shop: Shop) {
  const { ctx } = shop;
  return newRouter()
    .openapi(
      createRoute({
        ...deskCall(shop, "webhook.read"),
        method: "get",
        path: "/webhooks/deliveries",
        summary: "What was sent in the last 30 days, newest first",
        request: { query: deliveriesQuery },
        responses: answers("A page of the deliveries", pageOf(deliveryRow)),
      }),
      async (c) => {
        const { endpoint, state, after: before, limit: most } = c.req.valid("query");
        const { rows, next } = await deliveriesOf(
          ctx,
          { endpoint, state, before, most },
          c.get("desk").actor,
        );
        return c.json(ok({ rows: rows.map(wire), next }), 200);
      },
    )
    .openapi(
      createRoute({
        ...deskCall(shop, "webhook.read"),
        method: "get",
        path: "/webhooks/deliveries/{id}",
        summary: "What a delivery sent, and what the endpoint answered",
        request: { params: webhookParams },
        responses: answers("The delivery", delivery),
      }),
      async (c) => {
        const found = await deliveryWithBody(ctx, c.req.valid("param").id, c.get("desk").actor);
        return c.json(ok({ ...wire(found), body: found.body, answer: found.answer }), 200);
      },
    )
    .openapi(
      createRoute({
        ...deskCall(shop, "webhook.replay"),
        method: "post",
        path: "/webhooks/replay",
        summary: "Send again a delivery, an event, or everything since a time",
        description: `Ids and bodies stay the same. If it takes longer than a few seconds, it goes on after the answer (\`finished: false\`). ${needsCode}`,
        request: jsonBody(replayBody),
        responses: answers("What is sent again", replayed),
      }),
      async (c) => {
        const { id, since, endpoint, reason } = c.req.valid("json");
        const by = byDesk(c, reason);
        const done =
          since === undefined
            ? { ...(await replay(ctx, { id: id ?? "", endpoint }, by)), finished: true }
            : await replaySinceForAWhile(ctx, { since: new Date(since), endpoint }, by);
        const { finished, events, deliveries, alreadyWaiting, disabled } = done;
        return c.json(ok({ finished, events, deliveries, already_waiting: alreadyWaiting, disabled }), 200);
      },
    );
}
