import { utcTime } from "@/contract/vocabulary/dates";
import { and, desc, gte, lte } from "drizzle-orm";
import { day, minute } from "@/contract/vocabulary/time";
import { commit } from "@/core/database/commit";
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
 * The first refusal since the last accepted webhook, with the fingerprint of the signing secret that it didn't match.
 */
const refusalFact = "refused_webhook";
type Refusal = { at: string; secret: string };
const fingerprintOf = (secret: string) => tokenHash(secret).slice(0, 16);

/** When we last accepted a webhook, to half a minute; null if never. */
export async function lastWebhook(ctx: Ctx): Promise<Date | null> {
  const kept = await factOf(ctx, fact);
  return kept === null ? null : new Date(kept);
}

/**
 * When we refused the first webhook since the last accepted one, and whether with this secret; null if we refused none.
 */
export async function refusedWebhook(
  ctx: Ctx,
  secret: string,
): Promise<{ at: Date; isOwnSecret: boolean } | null> {
  const kept = await factOf(ctx, refusalFact);
  if (kept === null) return null;
  const refusal = JSON.parse(kept) as Refusal;
  return { at: new Date(refusal.at), isOwnSecret: refusal.secret === fingerprintOf(secret) };
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
      // once, so that a flood of forged webhooks writes nothing
      if ((await refusedWebhook(ctx, webhookSecret))?.isOwnSecret) return;
      const refusal: Refusal = { at: now.toISOString(), secret: fingerprintOf(webhookSecret) };
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
