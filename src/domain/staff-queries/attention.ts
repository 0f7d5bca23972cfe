import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, notInArray, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { isSample } from "@/brand/legal/template";
import { texts } from "@/brand/legal";
import type { AuditAction } from "@/contract/wire/audit-events";
import {
  type Attention,
  type AttentionKind,
  type LostReceipt,
  maxAttentionCount,
  maxLostReceipts,
} from "@/contract/wire/desk/attention";
import { day } from "@/contract/vocabulary/time";
import type { Actor } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { auditLog, isStuck, outbox } from "@/core/database/schema";
import { authorize } from "../permissions";
import { corrections } from "../schema/corrections";
import { levels } from "../schema/levels";
import { isMismatched, payments } from "../schema/payments";
import { stripeRefunds } from "../schema/money-back";
import { refunds } from "../schema/refunds";
import { subscriptions } from "../schema/subscriptions";
import { tickets } from "../schema/tickets";
import { webhookEndpoints } from "../schema/webhooks";
import { offersOnSale } from "../offers/list";
import { roleMove } from "../discord/level-roles";
import { isOpen } from "../tickets/reading/queries";
import { mailRefusing } from "../mail/refusing";
import { lostEmails, lostReceipts } from "../payments/corrections/lost-receipts";
import { lastRestore } from "../backups/restored";
import { lastFindings } from "../system/system";
import { type TroubleKind, troubles } from "../system/troubles";

/** How long something that nobody can settle is shown. */
const newsDays = 30;
/** The same for single emails, and for a restore. */
const mailDays = 7;

/** `link`: where this one can be settled, if not where the others are. */
type Problems = {
  at: Date | null;
  due?: Date | null;
  words?: string;
  link?: string;
  receipts?: LostReceipt[];
}[];

/**
 * What needs the attention of staff, and where it can be settled. Reads at most {@link maxAttentionCount} rows of each
 * kind, by indexes that hold only such rows.
 */
export async function attentionFor(ctx: Ctx, actor: Actor): Promise<Attention> {
  authorize(actor, "desk.read");
  const lines: Attention = [];
  for (const [kind, { link: usual, seen }] of Object.entries(kinds) as [AttentionKind, Kind][]) {
    const rows = (await seen(ctx)).slice(0, maxAttentionCount);
    if (rows.length === 0) continue;
    const due = earliest(rows.map((row) => row.due ?? null));
    const words = rows.flatMap((row) => row.words ?? [])[0];
    const link = rows[0]?.link ?? usual;
    const since = earliest(rows.map(({ at }) => at));
    const receipts = rows[0]?.receipts;
    lines.push({
      kind,
      count: rows.length,
      since,
      due,
      ...(words === undefined ? {} : { words }),
      ...(receipts && { receipts }),
      link,
    });
  }
  return lines;
}

function earliest(times: (Date | null)[]): string | null {
  const known = times.flatMap((time) => time?.getTime() ?? []);
  return known.length === 0
    ? null
    : new Date(known.reduce((one, other) => Math.min(one, other))).toISOString();
}

type Kind = { link: string; seen: (ctx: Ctx) => Promise<Problems> };

const daysAgo = ({ now }: Ctx, days: number) => new Date(now().getTime() - days * day);

/** The moments of the rows that meet a condition, the oldest first. */
const oldest = (at: SQLiteColumn, where: (ctx: Ctx) => SQL | undefined) => async (ctx: Ctx) =>
  (await ctx.store.db
    .select({ at })
    .from(at.table)
    .where(where(ctx))
    .orderBy(asc(at))
    .limit(maxAttentionCount)) as Problems;

const rejected: AuditAction = "mail.rejected";

/** In the order in which they are shown: what stops sales or receipts stands above the work of every day. */
const kinds: Record<AttentionKind, Kind> = {
  restored: { link: "/desk/system", seen: restoreProblems },
  disputes: { link: "/desk/payments?status=disputed", seen: disputesToAnswer },
  refusing_mail: { link: "/desk/system", seen: refusingMail },
  lost_receipts: { link: "/desk", seen: receiptsThatNeverArrived },
  discord_away: around("discord_away"),
  refused_events: around("refused_events"),
  missed_events: around("missed_events"),
  full_disk: around("full_disk"),
  overdue_backup: around("overdue_backup"),
  unlike_processes: around("unlike_processes"),
  nothing_on_sale: {
    link: "/desk/products",
    seen: async (ctx) => ((await offersOnSale(ctx)).length === 0 ? [{ at: null }] : []),
  },
  levels_from_orders: {
    link: "/desk/products/levels",
    seen: oldest(levels.createdAt, () => eq(levels.fromOrder, true)),
  },
  legal_templates: { link: "/desk/system", seen: legalTemplates },
  refund_proposals: {
    link: "/desk/refunds?state=proposed",
    seen: oldest(refunds.createdAt, () => eq(refunds.state, "proposed")),
  },
  refund_failures: { link: "/desk/refunds?state=failed", seen: refundFailures },
  address_proposals: {
    link: "/desk/corrections?state=proposed",
    seen: oldest(corrections.createdAt, () => eq(corrections.state, "proposed")),
  },
  // recent warnings by the card network
  fraud_warnings: {
    link: "/desk/payments?status=succeeded",
    seen: oldest(payments.fraudWarnedAt, (ctx) =>
      and(gt(payments.fraudWarnedAt, daysAgo(ctx, newsDays)), sql`+${payments.state} = 'succeeded'`),
    ),
  },
  mismatches: {
    link: "/desk/payments?status=processing",
    seen: oldest(payments.createdAt, () => isMismatched),
  },
  stuck_jobs: { link: "/desk/system", seen: oldest(outbox.createdAt, () => isStuck) },
  past_due_subscriptions: { link: "/desk/subscriptions?status=past_due", seen: pastDue },
  waiting_tickets: {
    link: "/desk/tickets?waiting_for=staff",
    seen: oldest(tickets.waitingSince, () => and(isOpen, eq(tickets.waitingFor, "staff"))),
  },
  failing_webhooks: { link: "/desk/webhooks", seen: failingWebhooks },
  rejected_mail: {
    link: "/desk/audit?action=mail.rejected",
    seen: oldest(auditLog.at, (ctx) =>
      and(
        eq(auditLog.action, rejected),
        gt(auditLog.at, daysAgo(ctx, mailDays)),
        // `lost_receipts` counts these
        notInArray(sql`${auditLog.detail} ->> 'letter'`, ["receipt", "renewal-receipt", "gift"]),
      ),
    ),
  },
  moving_roles: { link: "/desk/products", seen: rolesBeingMoved },
  doctor: { link: "/desk/system", seen: checkup },
};

/** Disputes for which Stripe is waiting for evidence, the most urgent first. */
async function disputesToAnswer({ store: { db }, livemode }: Ctx): Promise<Problems> {
  const { id, disputedAt: at, disputeAnswerBy: due } = payments;
  const rows = await db
    .select({ id, at, due })
    .from(payments)
    // the status may be that of another dispute, which was lost
    .where(and(eq(payments.livemode, livemode), isNotNull(due)))
    .orderBy(asc(due))
    .limit(maxAttentionCount);
  return rows.map((row) => ({ ...row, link: `/desk/payments/${row.id}` }));
}

/** Refunds that Stripe refused or that failed there lately, of payments that have not been refunded since. */
async function refundFailures(ctx: Ctx): Promise<Problems> {
  const { db } = ctx.store;
  const { paymentId, failedAt: at, createdAt, state } = refunds;
  const failed = await db
    .select({ paymentId, at })
    .from(refunds)
    .where(gt(at, daysAgo(ctx, newsDays)))
    .orderBy(desc(at))
    .limit(maxAttentionCount);
  if (failed.length === 0) return [];
  const ids = [...new Set(failed.map((one) => one.paymentId))];
  const others = [
    ...(await db
      .select({ paymentId, at: createdAt })
      .from(refunds)
      .where(and(inArray(paymentId, ids), inArray(sql`+${state}`, ["proposed", "approved", "made"])))),
    ...(await db
      .select({ paymentId: stripeRefunds.paymentId, at: stripeRefunds.at })
      .from(stripeRefunds)
      .where(
        and(
          inArray(stripeRefunds.paymentId, ids),
          notInArray(sql`+${stripeRefunds.status}`, ["failed", "canceled"]),
        ),
      )),
  ];
  const last = new Map<string, number>();
  for (const one of others) last.set(one.paymentId, Math.max(one.at.getTime(), last.get(one.paymentId) ?? 0));
  return failed.filter((one) => (last.get(one.paymentId) ?? 0) <= (one.at?.getTime() ?? 0));
}

/** Stripe doesn't say since when. */
async function pastDue({ store: { db }, livemode }: Ctx): Promise<Problems> {
  const rows = await db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(eq(subscriptions.status, "past_due"), eq(subscriptions.livemode, livemode)))
    .limit(maxAttentionCount);
  return rows.map(() => ({ at: null }));
}

/** Endpoints that are failing, or that the shop disabled because they failed. */
function failingWebhooks({ store: { db } }: Ctx): Promise<Problems> {
  const { failingSince, removedAt } = webhookEndpoints;
  return db
    .select({ at: failingSince })
    .from(webhookEndpoints)
    .where(and(isNull(removedAt), isNotNull(failingSince)));
}

async function receiptsThatNeverArrived(ctx: Ctx): Promise<Problems> {
  const lost = await lostReceipts(ctx, maxAttentionCount);
  const receipts = await lostEmails(ctx, lost.slice(0, maxLostReceipts));
  return lost.map(({ refusedMail }) => ({
    at: new Date(Math.min(...Object.values(refusedMail ?? {}).map(({ at }) => at))),
    receipts,
  }));
}

/** The mail server refuses everybody. */
async function refusingMail(ctx: Ctx): Promise<Problems> {
  const refusing = await mailRefusing(ctx);
  return refusing ? [{ at: new Date(refusing.since), words: refusing.words }] : [];
}

/** What is wrong around the shop, as its processes found it. */
function around(wanted: TroubleKind): Kind {
  const seen = async (ctx: Ctx) =>
    (await troubles(ctx))
      .filter(({ kind }) => kind === wanted)
      .map(({ since, words }) => ({ at: since, ...(words === undefined ? {} : { words }) }));
  return { link: "/desk/system", seen };
}

/** Legal texts that nobody has reviewed, where real money is taken. */
async function legalTemplates({ livemode }: Ctx): Promise<Problems> {
  return livemode && Object.values(texts).some(isSample) ? [{ at: null }] : [];
}

/** A restore of the last days, because what was done after the backup is gone; of a copy always, which sells nothing. */
async function restoreProblems(ctx: Ctx): Promise<Problems> {
  const last = await lastRestore(ctx);
  return last && (last.copy || last.at > daysAgo(ctx, mailDays)) ? [{ at: last.at }] : [];
}

/** Members whose role follows a level's changed one. */
async function rolesBeingMoved(ctx: Ctx): Promise<Problems> {
  const move = await roleMove(ctx);
  if (!move) return [];
  const { left, members, since: at } = move;
  const words = [members - left, members].map((one) => one.toLocaleString("en-US")).join(" of ");
  return Array.from({ length: Math.min(left, maxAttentionCount) }, () => ({ at, words }));
}

/** The failures and warnings of the last checkup. */
async function checkup(ctx: Ctx): Promise<Problems> {
  const last = await lastFindings(ctx);
  return (last?.findings ?? [])
    .filter(({ state }) => state === "wrong" || state === "warning")
    .map(() => ({ at: last?.at ?? null }));
}
