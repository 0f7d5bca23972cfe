import { setTimeout as wait } from "node:timers/promises";
import { Hono } from "hono";
import { controlRoutes } from "../base/actions";
import { assets, pageHeaders } from "../base/page";
import { webhookActions } from "./actions";
import { type Answers, statusOf } from "./answers";
import type { Inbox } from "./inbox";
import { receivedPage } from "./pages";

export const endpointPath = "/webhooks";
const redirectPath = "/elsewhere";

type Parts = { inbox: Inbox; answers: Answers; stopping: AbortSignal };

/** The endpoint for webhooks, the page of received requests, the report and the actions. */
export function webhookApp({ inbox, answers, stopping }: Parts): Hono {
  const app = new Hono();
  const actions = webhookActions(inbox, answers);
  app.get("/", (c) => {
    pageHeaders(c);
    const endpoint = new URL(endpointPath, c.req.url).href;
    return c.html(receivedPage({ inbox, answers, actions, endpoint, problem: c.req.query("problem") }));
  });
  app.post(endpointPath, async (c) => {
    const body = await c.req.text();
    const { mode, retryAfterSeconds, delayMs } = answers.take();
    const { headers } = c.req.raw;
    const problem = inbox.problemOf(body, headers);
    const status = problem !== null && statusOf[mode] === 204 ? 401 : statusOf[mode];
    const answered = mode === "slow" ? `${status}, after ${delayMs / 1000} s` : String(status);
    inbox.receive({ body, headers, problem, answered });
    // the stop has cut the connection
    if (mode === "slow") await wait(delayMs, undefined, { signal: stopping }).catch(() => {});
    if (mode === "busy") c.header("Retry-After", String(retryAfterSeconds));
    if (mode === "redirect") c.header("Location", new URL(redirectPath, c.req.url).href);
    return c.body(null, status);
  });
  app.post(redirectPath, async (c) => {
    const body = await c.req.text();
    const { headers } = c.req.raw;
    const problem = inbox.problemOf(body, headers);
    inbox.receive({ body, headers, problem, answered: "204, after a redirect" });
    return c.body(null, 204);
  });
  app.route("/", assets(import.meta.dir, ["webhooks.css"]));
  const reports = { received: () => ({ received: inbox.list() }) };
  app.route("/", controlRoutes(actions, reports));
  return app;
}
