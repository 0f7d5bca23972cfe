import { createRoute, z } from "@hono/zod-openapi";
import type { Context, Handler } from "hono";
import { migrationState } from "@/core/database/migrations";
import { queueGauges, queues } from "@/core/jobs/outbox";
import { Refusal } from "@/core/base/refusal";
import { release } from "@/core/database/release";
import { expectStoring } from "@/core/database/storing";
import { withTimeout } from "@/core/base/with-timeout";
import { mailStates } from "@/domain/mail/watched";
import type { Ctx } from "@/core/database/context";
import { proofOf, tokenHash } from "@/core/secrets/secrets";
import { backupGauges } from "@/domain/backups/record";
import { discordGauges } from "@/domain/discord/gauges";
import { paymentGauges } from "@/domain/payments/reconcile/gauges";
import { ticketGauges } from "@/domain/tickets/reading/queries";
import { laneOf } from "@/domain/topics";
import { answers, ok } from "../answers";
import { limitRequests, newRouter } from "../route-guards";
import { botStates, type Env, type Shop } from "../shop";

const mailRefusal = z
  .string()
  .optional()
  .describe("While mail is refusing, the first words of the server's reply");

const alive = z.object({
  release: z.string().describe("The running release's number"),
  mail: z.literal("refusing").optional().describe("Only while the mail server refuses everyone"),
  mail_refusal: mailRefusal,
});

const readiness = z.object({
  database: z.literal("up"),
  migrations: z
    .enum(["current", "ahead"])
    .describe("Ahead: a newer version of the shop has migrated this database"),
  discord: z
    .enum(botStates)
    .describe("Whether the bot is switched off, runs in another process, is not connected, or is connected"),
  mail: z
    .enum(mailStates)
    .describe(
      "The state of the mail server when the last mail was sent; refusing: it refuses whatever it is sent",
    ),
  mail_refusal: mailRefusal,
  waiting_jobs: z.int().optional().describe("Deliveries waiting; only with METRICS_TOKEN"),
  oldest_job_seconds: z.int().optional().describe("How long the oldest has waited; only with METRICS_TOKEN"),
  copy_of: z.iso
    .datetime()
    .optional()
    .describe("On a restored copy, when its backup was made; only with METRICS_TOKEN"),
  stuck_jobs: z.int().optional().describe("Deliveries that keep failing; only with METRICS_TOKEN"),
});

const oursQuery = z.object({ nonce: z.string().regex(/^[0-9a-f]{32}$/) });

/** /api/health and /api/ready: for monitoring; /api/ours: for set-up. */
export function healthRoutes(shop: Shop) {
  return newRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/health",
        tags: ["Operation"],
        summary: "Alive",
        responses: answers("The process answers", alive),
      }),
      (c) => {
        const refusal = refusalOf(shop);
        return c.json(
          ok({ release: release.number, ...(refusal && { mail: "refusing" as const, ...refusal }) }),
          200,
        );
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/ready",
        tags: ["Operation"],
        summary: "Ready to sell: the database answers, stores, and has every migration",
        description: "Discord, mail and stuck deliveries are reported but don't make it unready.",
        middleware: [limitRequests(shop, "public")] as const,
        responses: answers("Ready", readiness),
      }),
      async (c) => {
        const states = await readinessOf(shop);
        // only with the token: a rising number would tell anyone that an address has an account
        const figures = bearsMetricsToken(shop, c) ? await figuresOf(shop) : {};
        return c.json(ok({ ...states, ...figures }), 200);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/ours",
        tags: ["Operation"],
        summary: "Prove that this address is this shop's",
        description:
          "`shop setup` asks it at PUBLIC_URL: only a shop with the same SECRET_KEY gives the answer it expects.",
        middleware: [limitRequests(shop, "public")] as const,
        request: { query: oursQuery },
        responses: answers(
          "HMAC-SHA-256 of the nonce, in hexadecimal digits, under a key derived from SECRET_KEY for this alone",
          z.object({ proof: z.string() }),
        ),
      }),
      (c) => c.json(ok({ proof: proofOf(shop.ctx.secrets, c.req.valid("query").nonce) }), 200),
    );
}

/** If the database does not answer within this time, the shop takes no orders. */
const answerMilliseconds = 2_000;

async function readinessOf(shop: Shop): Promise<z.infer<typeof readiness>> {
  const { ctx, botState } = shop;
  await expectStoring(ctx.store);
  const migrations = await withTimeout(answerMilliseconds, migrationState(ctx.store)).catch(
    (cause: unknown) => {
      throw new Refusal("unavailable", {}, { cause });
    },
  );
  if (migrations === "behind") throw new Refusal("unavailable");
  return { database: "up", migrations, discord: botState(), mail: shop.mailState(), ...refusalOf(shop) };
}

const refusalOf = ({ mailRefusing }: Shop) => {
  const refusing = mailRefusing();
  return refusing && { mail_refusal: refusing.words };
};

async function figuresOf({ ctx, copy }: Shop) {
  const now = ctx.now().getTime();
  const waiting = await queues(ctx);
  return {
    waiting_jobs: waiting.reduce((sum, topic) => sum + topic.waiting, 0),
    oldest_job_seconds: Math.floor((now - Math.min(now, ...waiting.map(({ oldest }) => oldest))) / 1000),
    stuck_jobs: waiting.reduce((sum, topic) => sum + topic.stuck, 0),
    ...(copy ? { copy_of: copy.made } : {}),
  };
}

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
const outboxGauges = (ctx: Ctx) => queueGauges(ctx, laneOf);
const gauges = [outboxGauges, paymentGauges, discordGauges, ticketGauges, backupGauges];

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
function bearsMetricsToken({ config: { metricsToken } }: Shop, c: Context<Env>): boolean {
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
