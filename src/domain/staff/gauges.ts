import { and, count, eq, gte, isNotNull, like, max, min, ne, sql } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import type { Gauge } from "@/core/metrics";
import { stuckAttempts } from "@/core/outbox";
import { installation, limitCounters, outbox } from "@/core/tables";
import { links } from "../community/tables";
import { entitles } from "../licences/entitlement";
import { licences } from "../licences/tables";
import { payments } from "../payments/tables";

const hour = 3_600_000;
const day = 24 * hour;

/** What the database says of how the shop does at this moment. Each is a question that an index answers. */
export async function gaugesOf(ctx: Ctx): Promise<Gauge[]> {
  const all = [queue(ctx), settling(ctx), sweeping(ctx), roles(ctx), identifies(ctx)];
  return (await Promise.all(all)).flat();
}

async function queue(ctx: Ctx): Promise<Gauge[]> {
  const rows = await ctx.store.db
    .select({
      topic: outbox.topic,
      waiting: count(),
      stuck: sql<number>`sum(${outbox.attempts} >= ${stuckAttempts})`,
      failing: sql<number>`sum(${outbox.attempts} > 0)`,
      oldest: min(outbox.createdAt),
    })
    .from(outbox)
    .groupBy(outbox.topic);
  const by = (name: string, help: string, value: (row: (typeof rows)[number]) => number): Gauge => ({
    name,
    help,
    values: rows.map((row) => ({ labels: { topic: row.topic }, value: value(row) })),
  });
  const ages = rows.map(({ oldest }) => (oldest ? ctx.now().getTime() - oldest.getTime() : 0));
  return [
    by("latchkey_outbox_waiting", "Deliveries that wait.", (row) => row.waiting),
    by("latchkey_outbox_failing", "Deliveries that failed at least once.", (row) => row.failing),
    by("latchkey_outbox_stuck", "Deliveries that failed again and again.", (row) => row.stuck),
    {
      name: "latchkey_outbox_oldest_seconds",
      help: "How long the oldest delivery has waited.",
      values: [{ value: Math.max(0, ...ages) / 1000 }],
    },
  ];
}

/** From Stripe's payment to the stored licence, of the sales of the last hour. */
async function settling(ctx: Ctx): Promise<Gauge[]> {
  const now = ctx.now().getTime();
  const [lag] = await ctx.store.db
    .select({ worst: sql<number | null>`max(${licences.createdAt} - ${payments.paidAt})` })
    .from(payments)
    .innerJoin(licences, eq(licences.paymentId, payments.id))
    .where(
      and(
        gte(payments.createdAt, new Date(now - day)),
        isNotNull(payments.paidAt),
        gte(licences.createdAt, new Date(now - hour)),
      ),
    );
  const [processing] = await ctx.store.db
    .select({ value: count() })
    .from(payments)
    .where(eq(payments.state, "processing"));
  return [
    {
      name: "latchkey_settle_lag_seconds",
      help: "The longest that a sale of the last hour waited for its licence.",
      values: [{ value: Math.max(0, lag?.worst ?? 0) / 1000 }],
    },
    {
      name: "latchkey_payments_processing",
      help: "Payments that Stripe has not decided.",
      values: [{ value: processing?.value ?? 0 }],
    },
  ];
}

async function sweeping(ctx: Ctx): Promise<Gauge[]> {
  const [last] = await ctx.store.db.select().from(installation).where(eq(installation.name, "last_sweep"));
  if (!last) return [];
  const value = (ctx.now().getTime() - Date.parse(last.value)) / 1000;
  const help = "How long ago the last complete comparison with Stripe began.";
  return [{ name: "latchkey_sweep_age_seconds", help, values: [{ value }] }];
}

/** Members whose premium role is not what their licences say. */
async function roles(ctx: Ctx): Promise<Gauge[]> {
  const entitled = sql<number>`EXISTS ${ctx.store.db
    .select({ one: sql`1` })
    .from(licences)
    .where(and(eq(licences.accountId, links.accountId), entitles(ctx.now())))}`;
  const [found] = await ctx.store.db
    .select({ value: count() })
    .from(links)
    .where(and(eq(links.member, true), isNotNull(links.holdsRole), ne(links.holdsRole, entitled)));
  const help = "Linked members whose premium role is not what it should be.";
  return [{ name: "latchkey_role_differences", help, values: [{ value: found?.value ?? 0 }] }];
}

async function identifies(ctx: Ctx): Promise<Gauge[]> {
  const [found] = await ctx.store.db
    .select({ value: max(limitCounters.count) })
    .from(limitCounters)
    .where(and(like(limitCounters.key, "discord-identify-day:%"), gte(limitCounters.endsAt, ctx.now())));
  const help = "How often the bot identified at Discord today; a thousand would reset its token.";
  return [{ name: "latchkey_discord_identifies", help, values: [{ value: found?.value ?? 0 }] }];
}
