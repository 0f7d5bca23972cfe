import { utcTime } from "@/contract/vocabulary/dates";
import { and, desc, gte, lte } from "drizzle-orm";
import { day, minute } from "@/contract/vocabulary/time";
import { commit, type Write } from "@/core/database/commit";
import type { StripeConfig } from "@/core/settings/config";
import type { Ctx } from "@/core/database/context";
import { factOf, forgetFact, keepFact } from "@/core/database/key-values";
import { tokenHash } from "@/core/secrets/secrets";
import { payments } from "../../schema/payments";
import { clearReportWrite, reportOnce } from "../../notices/report-once";

/** Names the report to staff; made once until a webhook is accepted again. */
export const webhookReport = "webhooks";

export type WebhookWatch = {
  /** A webhook with a valid signature arrived. */
  taken(): Promise<void>;
  /** A webhook with an invalid signature arrived. */
  refused(): Promise<void>;
  /** Notifies staff if Stripe's webhooks don't arrive or we refuse them. */
  check(): Promise<void>;
};

/** Refusals since the last accepted webhook. */
type Refusals = { first: number; last: number };

/** Stripe sends an event within seconds, and retries for three days. */
const graceMilliseconds = 10 * minute;
/** Records an accepted webhook at most this often, so that a rush of sales costs no extra writes. */
const noteMilliseconds = minute / 2;
/** How far Stripe's clock and the record of accepted webhooks may be behind. */
const slackMilliseconds = minute;
const fact = "last_webhook";
/**
 * The first and the last refusal since the last accepted webhook, with the fingerprint of the signing secret that they
 * didn't match. The last is to the minute, so that a flood of forged webhooks writes little.
 */
const refusalFact = "refused_webhook";
type Refusal = { at: string; last?: string; secret: string };
/** The first of Stripe's events since the last accepted webhook, as its list has it. */
const untoldFact = "untold_event";
/** How long ago a refusal, and how old an event that no webhook told, is trouble. */
const refusedMilliseconds = 15 * minute;
const untoldMilliseconds = 5 * minute;
const fingerprintOf = (secret: string) => tokenHash(secret).slice(0, 16);

/** When we last accepted a webhook, to half a minute; null if never. */
export async function lastWebhook(ctx: Ctx): Promise<Date | null> {
  const kept = await factOf(ctx, fact);
  return kept === null ? null : new Date(kept);
}

/**
 * When we refused the first and the last webhook since the last accepted one, and whether with this secret; null if we
 * refused none.
 */
export async function refusedWebhook(
  ctx: Ctx,
  secret: string,
): Promise<{ at: Date; last: Date; isOwnSecret: boolean } | null> {
  const kept = await factOf(ctx, refusalFact);
  if (kept === null) return null;
  const { at, last = at, secret: refusedBy } = JSON.parse(kept) as Refusal;
  return { at: new Date(at), last: new Date(last), isOwnSecret: refusedBy === fingerprintOf(secret) };
}

/** Since when webhooks are refused by this secret, if one was lately and none was accepted after it. */
export async function recentRefusal(ctx: Ctx, secret: string): Promise<{ since: Date } | null> {
  const refused = await refusedWebhook(ctx, secret);
  const isRecent = refused && ctx.now().getTime() - refused.last.getTime() < refusedMilliseconds;
  return isRecent && refused.isOwnSecret ? { since: refused.at } : null;
}

/** When the first of Stripe's events was made that no webhook has told for minutes; null if there is none. */
export async function untoldEvent(ctx: Ctx): Promise<{ since: Date } | null> {
  const kept = await factOf(ctx, untoldFact);
  if (kept === null) return null;
  const since = new Date(kept);
  if (ctx.now().getTime() - since.getTime() < untoldMilliseconds) return null;
  return since.getTime() > (await toldUntil(ctx)) ? { since } : null;
}

/** Up to when an accepted webhook shows that they arrive. */
const toldUntil = async (ctx: Ctx): Promise<number> =>
  ((await lastWebhook(ctx))?.getTime() ?? -Infinity) + slackMilliseconds;

/** The writes that note of Stripe's listed events the first since `began` that no webhook told. */
export async function noteUntold(ctx: Ctx, times: Date[], began: Date): Promise<Write[]> {
  const told = await toldUntil(ctx);
  const kept = await factOf(ctx, untoldFact);
  if (kept !== null && Date.parse(kept) > told) return [];
  // Stripe sends again for days what it could not deliver while the shop was down
  const untold = times.filter((at) => at >= began && at.getTime() > told);
  const first = untold.toSorted((one, other) => one.getTime() - other.getTime())[0];
  if (first) return [keepFact(ctx, untoldFact, first.toISOString())];
  return kept === null ? [] : [forgetFact(ctx, untoldFact)];
}

/**
 * Watches whether Stripe's webhooks arrive: by sales that no webhook reported, and by refused signatures while none is
 * accepted. Forged webhooks, or an old endpoint left at Stripe, cause no notice as long as others are accepted.
 */
export function watchWebhooks(
  ctx: Ctx,
  { webhookSecret }: Pick<StripeConfig, "webhookSecret">,
): WebhookWatch {
  // Stripe's times are whole seconds
  const began = new Date(Math.floor(ctx.now().getTime() / 1000) * 1000);
  let notedAt = -Infinity;
  let refusals: Refusals | null = null;

  const lastTaken = async () => (await lastWebhook(ctx))?.getTime() ?? -Infinity;
  /** The newest sale that a webhook should have reported by now. Ignores sales while the shop was down. */
  const newestSale = async () => {
    const now = ctx.now().getTime();
    const [row] = await ctx.store.db
      .select({ at: payments.paidAt })
      .from(payments)
      .where(and(gte(payments.paidAt, began), lte(payments.paidAt, new Date(now - graceMilliseconds))))
      .orderBy(desc(payments.paidAt))
      .limit(1);
    return row?.at ?? null;
  };

  return {
    async taken() {
      const wereRefused = refusals !== null;
      refusals = null;
      const now = ctx.now();
      if (!wereRefused && now.getTime() - notedAt < noteMilliseconds) return;
      notedAt = now.getTime();
      await commit(ctx.store, [
        keepFact(ctx, fact, now.toISOString()),
        forgetFact(ctx, refusalFact),
        clearReportWrite(ctx, webhookReport),
      ]);
    },
    async refused() {
      const now = ctx.now();
      refusals = { first: refusals?.first ?? now.getTime(), last: now.getTime() };
      const before = await refusedWebhook(ctx, webhookSecret);
      const first = before?.isOwnSecret ? before.at : now;
      if (before?.isOwnSecret && now.getTime() - before.last.getTime() < minute) return;
      const refusal: Refusal = {
        at: first.toISOString(),
        last: now.toISOString(),
        secret: fingerprintOf(webhookSecret),
      };
      await commit(ctx.store, [keepFact(ctx, refusalFact, JSON.stringify(refusal))]);
    },
    async check() {
      const [taken, sale] = await Promise.all([lastTaken(), newestSale()]);
      const isMissed = sale !== null && sale.getTime() > taken + slackMilliseconds;
      if (!isMissed && !(refusals && areOnlyRefused(refusals, taken))) return;
      const sentence = refusals ? refusedSentence(new Date(refusals.first)) : missedSentence(sale ?? began);
      ctx.log.warn("Stripe's webhooks don't arrive", {
        reason: refusals ? "their signature does not match" : "none came",
      });
      await reportOnce(ctx, webhookReport, { kind: "webhooks", sentence });
    },
  };
}

/** Webhooks have been refused for a while, and none was accepted in the day before. */
const areOnlyRefused = ({ first, last }: Refusals, taken: number) =>
  last - first >= graceMilliseconds && taken < last - day;

const refusedSentence = (since: Date) =>
  `Stripe's webhooks have been refused since ${utcTime(since)}: their signature does not match STRIPE_WEBHOOK_SECRET, which belongs to another endpoint. ${meanwhile}`;
const missedSentence = (sale: Date) =>
  `No webhook reported the sale of ${utcTime(sale)}: look at the endpoint in Stripe's dashboard. ${meanwhile}`;
const meanwhile = "Meanwhile the shop asks Stripe every minute.";
