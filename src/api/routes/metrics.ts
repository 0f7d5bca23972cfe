import { createRoute, z } from "@hono/zod-openapi";
import type { Handler } from "hono";
import { Refusal } from "@/core/refusal";
import { tokenHash } from "@/core/secrets";
import { gaugesOf } from "@/domain/staff/gauges";
import type { Env, Shop } from "../shop";

export const metricsCall = createRoute({
  method: "get",
  path: "/metrics",
  tags: ["Operation"],
  summary: "Metrics in Prometheus' text format",
  description: "Only for who bears METRICS_TOKEN; where that is not set there is no such call.",
  security: [{ metricsToken: [] }],
  responses: {
    200: {
      description: "What was counted, and how the shop is",
      content: { "text/plain": { schema: z.string() } },
    },
  },
});

/** GET /metrics: Prometheus text, only for who bears the configured token; without one there is no such call. */
export const metricsRoute =
  (shop: Shop): Handler<Env> =>
  async (c) => {
    const { metricsToken } = shop.config;
    if (metricsToken === null) throw new Refusal("not_found");
    const [, given = ""] = /^Bearer (\S+)$/i.exec(c.req.header("authorization") ?? "") ?? [];
    // hashes of equal length, so that how long comparing takes tells nothing of the token
    if (tokenHash(given) !== tokenHash(metricsToken)) {
      shop.memory.spend(shop.limits.public, c.get("address"));
      throw new Refusal("unauthenticated");
    }
    const discord = shop.botState();
    const mail = shop.mailState();
    const text = shop.metrics.text([
      ...(await gaugesOf(shop.ctx)),
      state("latchkey_discord_state", "The bot: off, elsewhere, away or up.", discord),
      state("latchkey_mail_state", "The mail server, as the last letter found it.", mail),
    ]);
    return c.body(text, 200, { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" });
  };

const state = (name: string, help: string, now: string) => ({
  name,
  help,
  values: [{ labels: { state: now }, value: 1 }],
});
