import { type Context, Hono } from "hono";
import type { z } from "zod";
import { noFaults } from "../faults";
import { sameOriginOnly } from "../../page-headers";
import type { Settings } from "../settings";
import type { Courier } from "../webhooks/courier";
import type { World } from "../world";
import { actions } from "./actions";
import { changeFaults } from "./change-faults";
import { ControlRefusal, checkoutOf } from "./find";
import { accountOf, deliveryLog } from "./report";
import { shapes } from "./shapes";

export type Controls = { settings: Settings; setWebhookUrl(url: string | null): void };

/** The control's JSON calls under `/_control`; README.md beside this folder lists them. */
export function controlApi(world: World, events: Courier, controls: Controls): Hono {
  const app = new Hono();
  app.use("/_control/*", sameOriginOnly);
  app.onError(refuse);
  function act<T>(path: string, shape: z.ZodType<T>, does: (body: T) => object | Promise<object>) {
    app.post(`/_control/${path}`, async (c) => c.json(await does(shape.parse(await c.req.json()))));
  }

  act("pay", shapes.pay, (body) => actions.pay(world, body));
  act("settle", shapes.settle, (body) => actions.settle(world, body));
  act("expire", shapes.named, (body) => actions.expire(world, body));
  act("refund", shapes.refund, (body) => actions.refund(world, body));
  act("refund/move", shapes.refundMove, (body) => actions.moveRefund(world, body));
  act("dispute", shapes.dispute, (body) => actions.dispute(world, body));
  act("warning", shapes.named, (body) => actions.warning(world, body));
  act("alter", shapes.alter, (body) => actions.alter(world, body));

  act("faults", shapes.faults, (body) => changeFaults(world.faults, body));
  app.get("/_control/faults", (c) => c.json(world.faults));
  app.delete("/_control/faults", (c) => c.json(changeFaults(world.faults, noFaults())));

  app.get("/_control/ledger", (c) => c.json(ledger(world)));
  app.get("/_control/ledger/:session", (c) =>
    c.json(accountOf(world, checkoutOf(world, { session: c.req.param("session") }))),
  );

  app.get("/_control/webhooks", (c) => c.json(log(world, events, Number(c.req.query("limit") ?? 100))));
  act("webhooks/url", shapes.webhookUrl, ({ url }) => {
    controls.setWebhookUrl(url);
    return { url };
  });
  act("webhooks/redeliver", shapes.redeliver, ({ event }) => {
    if (!events.redeliver(event)) throw new ControlRefusal(`No such event: ${event}.`);
    return { event };
  });
  act("keys", shapes.key, ({ key, lacks }) => {
    world.keys.set(key, lacks);
    return { key, lacks };
  });
  act("flush", shapes.flush, async ({ timeout_ms }) => {
    world.ledger.save();
    return { quiet: await events.flush(timeout_ms) };
  });
  act("clock", shapes.clock, ({ advance_seconds }) => {
    controls.settings.advanceClock(advance_seconds * 1000);
    return { now: Math.floor(world.now() / 1000) };
  });
  return app;
}

function ledger(world: World) {
  const sessions = world.ledger.checkouts.oldest().map((checkout) => accountOf(world, checkout));
  return { sessions: [...sessions] };
}

function log(world: World, events: Courier, limit: number) {
  return { url: events.endpoint()?.url ?? null, deliveries: deliveryLog(world, limit) };
}

function refuse(error: Error, c: Context): Response {
  if (error instanceof ControlRefusal) return c.json({ error: error.message }, 409);
  if (error.name === "ZodError" || error instanceof SyntaxError) return c.json({ error: error.message }, 400);
  console.error(error);
  return c.json({ error: "The stand-in failed; its log says how." }, 500);
}
