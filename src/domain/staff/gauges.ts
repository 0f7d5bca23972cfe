import { and, count, eq, gte, isNotNull, like, max, min, ne, sql } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import type { Gauge } from "@/core/metrics";
import { laneOf, stuckAttempts } from "@/core/outbox";
import { factOf } from "@/core/installation";
import { limitCounters, outbox } from "@/core/schema";
import { lastBackup } from "../backups/record";
import { identifyBudgets } from "../community/identify-budgets";
import { links } from "../schema/community";
import { entitles } from "../licences/entitlement";
import { licences } from "../schema/licences";
import { payments } from "../schema/payments";
import { openByTurn } from "../tickets/stats";

const hour = 3_600_000;
const day = 24 * hour;

/** What the database says of how the shop does at this moment. Each is a question that an index answers. */
export async function gaugesOf(ctx: Ctx): Promise<Gauge[]> {
  const readers = [queue, settling, sweeping, roles, identifies, support, backups];
  const all = readers.map((read) => read(ctx));
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
  const lanes = Map.groupBy(rows, ({ topic }) => laneOf(topic));
  const age = ({ oldest }: (typeof rows)[number]) => (oldest ? ctx.now().getTime() - oldest.getTime() : 0);
  return [
    by("latchkey_outbox_waiting", "Deliveries that wait.", (row) => row.waiting),
    by("latchkey_outbox_failing", "Deliveries that failed at least once.", (row) => row.failing),
    by("latchkey_outbox_stuck", "Deliveries that failed again and again.", (row) => row.stuck),
    {
      name: "latchkey_outbox_oldest_seconds",
      help: "How long the oldest delivery of each lane has waited.",
      values: Array.from(lanes, ([lane, own]) => ({
        labels: { lane },
        value: Math.max(0, ...own.map(age)) / 1000,
      })),
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
  const last = await factOf(ctx, "last_sweep");
  if (last === null) return [];
  const value = (ctx.now().getTime() - Date.parse(last)) / 1000;
  const help = "How long ago the last complete comparison with Stripe began.";
  return [{ name: "latchkey_sweep_age_seconds", help, values: [{ value }] }];
}

/** Members whose premium role is not what their licences say. */
async function roles(ctx: Ctx): Promise<Gauge[]> {
  const entitled = sql<number>`EXISTS ${ctx.store.db
    .select({ one: sql`1` })
    .from(licences)
    .where(and(eq(licences.accountId, links.accountId), entitles(ctx, ctx.now())))}`;
  const [found] = await ctx.store.db
    .select({ value: count() })
    .from(links)
    .where(and(eq(links.member, true), isNotNull(links.holdsRole), ne(links.holdsRole, entitled)));
  const help = "Linked members whose premium role is not what it should be.";
  return [{ name: "latchkey_role_differences", help, values: [{ value: found?.value ?? 0 }] }];
}

async function identifies(ctx: Ctx): Promise<Gauge[]> {
  const left = identifyBudgets.map(async ({ name, most, window }) => {
    const [found] = await ctx.store.db
      .select({ used: max(limitCounters.count) })
      .from(limitCounters)
      .where(and(like(limitCounters.key, `${name}:%`), gte(limitCounters.endsAt, ctx.now())));
    return { labels: { window }, value: most - (found?.used ?? 0) };
  });
  const help = "How often the bot may still identify at Discord, by its own budget.";
  return [{ name: "latchkey_discord_identifies_left", help, values: await Promise.all(left) }];
}

async function support(ctx: Ctx): Promise<Gauge[]> {
  const open = await openByTurn(ctx);
  const help = "Tickets that are open, by who is to speak next.";
  const values = (["staff", "member"] as const).map((whom) => ({
    labels: { waiting_for: whom },
    value: open[whom],
  }));
  return [{ name: "latchkey_tickets_open", help, values }];
}

async function backups(ctx: Ctx): Promise<Gauge[]> {
  const last = await lastBackup(ctx);
  if (!last) return [];
  const age = (ctx.now().getTime() - last.at.getTime()) / 1000;
  return [
    {
      name: "latchkey_backup_age_seconds",
      help: "How long ago the last backup was made.",
      values: [{ value: age }],
    },
    { name: "latchkey_backup_bytes", help: "How large the last backup is.", values: [{ value: last.bytes }] },
  ];
}
