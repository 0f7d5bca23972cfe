import { createRoute, z } from "@hono/zod-openapi";
import type { Context, Handler } from "hono";
import { Refusal } from "@/core/refusal";
import { tokenHash } from "@/core/secrets";
import { queueGauges } from "@/core/queue";
import { backupGauges } from "@/domain/backups/record";
import { communityGauges } from "@/domain/community/gauges";
import { mailStates } from "@/domain/mail/watched";
import { paymentGauges } from "@/domain/payments/gauges";
import { ticketGauges } from "@/domain/tickets/queries";
import { botStates, type Env, type Shop } from "../shop";

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

/** What the database says of the shop at this moment. Each is a question that an index answers. */
const gauges = [queueGauges, paymentGauges, communityGauges, ticketGauges, backupGauges];

/** GET /metrics: Prometheus text, only for who bears the configured token; without one there is no such call. */
export const metricsRoute =
  (shop: Shop): Handler<Env> =>
  async (c) => {
    if (shop.config.metricsToken === null) throw new Refusal("not_found");
    if (!bearsMetricsToken(shop, c)) {
      shop.memory.spendByAddress(shop.limits.public, c.get("address"));
      throw new Refusal("unauthenticated");
    }
    const discord = shop.botState();
    const mail = shop.mailState();
    const text = shop.metrics.text([
      ...(await Promise.all(gauges.map((read) => read(shop.ctx)))).flat(),
      state("latchkey_discord_state", "1 for what the bot is.", botStates, discord),
      state("latchkey_mail_state", "1 for how the last letter found the mail server.", mailStates, mail),
    ]);
    return c.body(text, 200, { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" });
  };

/** Whether this is the operator's own monitoring. */
export function bearsMetricsToken({ config: { metricsToken } }: Shop, c: Context<Env>): boolean {
  const [, given] = /^Bearer (\S+)$/i.exec(c.req.header("authorization") ?? "") ?? [];
  // hashes of equal length, so that how long comparing takes tells nothing of the token
  return metricsToken !== null && given !== undefined && tokenHash(given) === tokenHash(metricsToken);
}

/** One series a state, so that an alarm can ask for each whether or not it was ever so. */
const state = <S extends string>(name: string, help: string, states: readonly S[], now: S) => ({
  name,
  help,
  values: states.map((one) => ({ labels: { state: one }, value: Number(one === now) })),
});
