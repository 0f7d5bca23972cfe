import { createRoute, z } from "@hono/zod-openapi";
import type { Context, Handler } from "hono";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { tokenHash } from "@/core/secrets/secrets";
import { queueGauges } from "@/core/jobs/queue";
import { expectStoring } from "@/core/database/storing";
import { backupGauges } from "@/domain/backups/record";
import { discordGauges } from "@/domain/discord/gauges";
import { mailStates } from "@/domain/mail/watched";
import { paymentGauges } from "@/domain/payments/reconcile/gauges";
import { ticketGauges } from "@/domain/tickets/reading/queries";
import { laneOf } from "@/domain/topics";
import { botStates, type Env, type Shop } from "../shop";

export const metricsCall = createRoute({
  method: "get",
  path: "/metrics",
  tags: ["Operation"],
  summary: "Metrics in Prometheus' text format",
  description: "Needs METRICS_TOKEN as a bearer token. Without that setting this call answers 404.",
  security: [{ metricsToken: [] }],
  responses: {
    200: {
      description: "The counters and the shop's state",
      content: { "text/plain": { schema: z.string() } },
    },
  },
});

const databaseStates = ["up", "unwritable"] as const;

/** The gauges read from the database on request, each by an index. */
const queues = (ctx: Ctx) => queueGauges(ctx, laneOf);
const gauges = [queues, paymentGauges, discordGauges, ticketGauges, backupGauges];

/** GET /metrics: Prometheus text for requests with METRICS_TOKEN; 404 if none is configured. */
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
    const database = await expectStoring(shop.ctx.store).then(
      () => "up" as const,
      () => "unwritable" as const,
    );
    const text = await shop.metrics.text([
      ...(await Promise.all(gauges.map((read) => read(shop.ctx)))).flat(),
      state(
        "latchkey_database_state",
        "1 for whether the database stores what it is given.",
        databaseStates,
        database,
      ),
      {
        name: "latchkey_restored_copy",
        help: "1 on a copy that was restored from a backup and sells nothing.",
        values: [{ value: Number(shop.copy !== null) }],
      },
      state("latchkey_discord_state", "1 for the bot's current state.", botStates, discord),
      state(
        "latchkey_mail_state",
        "1 for the mail server's state when the last mail was sent.",
        mailStates,
        mail,
      ),
    ]);
    return c.body(text, 200, { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" });
  };

/** Whether the request carries the operator's METRICS_TOKEN. */
export function bearsMetricsToken({ config: { metricsToken } }: Shop, c: Context<Env>): boolean {
  const [, given] = /^Bearer (\S+)$/i.exec(c.req.header("authorization") ?? "") ?? [];
  // hashes have equal length, so the comparison's duration reveals nothing about the token
  return metricsToken !== null && given !== undefined && tokenHash(given) === tokenHash(metricsToken);
}

/** One series per state, so that alerts can refer even to a state that never occurred. */
const state = <S extends string>(name: string, help: string, states: readonly S[], now: S) => ({
  name,
  help,
  values: states.map((one) => ({ labels: { state: one }, value: Number(one === now) })),
});
