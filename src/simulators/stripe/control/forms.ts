import { Hono } from "hono";
import { sameOriginOnly } from "../../page-headers";
import type { Courier } from "../webhooks/courier";
import type { World } from "../world";
import { actions } from "./actions";
import { noFaults } from "../faults";
import { changeFaults } from "./change-faults";
import { ControlRefusal } from "./find";
import { shapes } from "./shapes";

type Fields = Record<string, string | number | boolean>;

/** The buttons of the control page: the same actions as the JSON calls, then back to the page. */
export function controlForms(world: World, events: Courier): Hono {
  const app = new Hono();
  app.use("/_do/*", sameOriginOnly);
  const button = (name: string, does: (fields: Fields) => void) =>
    app.post(`/_do/${name}`, async (c) => {
      const fields = read(await c.req.formData());
      try {
        does(fields);
        return c.redirect("/", 303);
      } catch (error) {
        return c.redirect(`/?problem=${encodeURIComponent(sentence(error))}`, 303);
      }
    });

  button("pay", (fields) => void actions.pay(world, shapes.pay.parse(fields)));
  button("settle", (fields) => void actions.settle(world, shapes.settle.parse(fields)));
  button("expire", (fields) => void actions.expire(world, shapes.named.parse(fields)));
  button("refund", (fields) => void actions.refund(world, shapes.refund.parse(fields)));
  button("refund-move", (fields) => void actions.moveRefund(world, shapes.refundMove.parse(fields)));
  button("dispute", (fields) => void actions.dispute(world, shapes.dispute.parse(fields)));
  button("warning", (fields) => void actions.warning(world, shapes.named.parse(fields)));
  button("redeliver", ({ event }) => void events.redeliver(String(event)));
  button("faults", (fields) => void changeFaults(world.faults, faultsIn(fields)));
  button("faults-off", () => void changeFaults(world.faults, noFaults()));
  return app;
}

function faultsIn({ latencyMs, away, fail, count, drop, repeat, shuffleMs, delayMs }: Fields) {
  const next = fail === undefined ? [] : [{ fail, count }];
  return shapes.faults.parse({
    api: { latencyMs, away: away === "on", next },
    webhooks: { drop: drop === "on" ? "all" : 0, repeat, shuffleMs, delayMs },
  });
}

/** The filled fields; digits become numbers. */
function read(form: FormData): Fields {
  const fields: Fields = {};
  for (const [name, value] of form)
    if (typeof value === "string" && value !== "")
      fields[name] = /^\d{1,9}$/.test(value) ? Number(value) : value;
  return fields;
}

function sentence(error: unknown): string {
  if (error instanceof ControlRefusal) return error.message;
  return error instanceof Error && error.name === "ZodError"
    ? "A field holds what it can't."
    : "That failed.";
}
