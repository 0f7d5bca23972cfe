import { and, desc, gte, lte } from "drizzle-orm";
import { commit } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { factOf, keepFact } from "@/core/installation";
import { utcMinute } from "@/core/utc-minute";
import { payments } from "../schema/payments";
import { clearingReport, reportOnce } from "../notices/report-once";

/** The name of the report to staff, which is made once until a webhook is accepted again. */
export const webhookTrouble = "webhooks";

export type WebhookWatch = {
  /** A webhook with a valid signature arrived. */
  taken(): Promise<void>;
  /** A webhook with an invalid signature arrived. */
  refused(): void;
  /** Tells staff if Stripe's webhooks don't arrive or are refused. */
  look(): Promise<void>;
};

/** Refusals since a webhook was last accepted. */
type Refusals = { first: number; last: number };

const minute = 60_000;
const day = 86_400_000;
/** Stripe sends an event within seconds, and retries for three days. */
const patienceMilliseconds = 10 * minute;
/** An accepted webhook is recorded at most this often, so that a rush of sales costs no extra writes. */
const noteMilliseconds = minute / 2;
/** How far Stripe's clock and that record may be behind. */
const slackMilliseconds = minute;
const fact = "last_webhook";

/**
 * Watches whether Stripe's webhooks arrive: by sales that no webhook reported, and by refused signatures while none
 * is accepted. Forged webhooks, or an old endpoint left at Stripe, don't bother staff as long as others are accepted.
 */
export function watchWebhooks(ctx: Ctx): WebhookWatch {
  // Stripe's times are whole seconds
  const began = new Date(Math.floor(ctx.now().getTime() / 1000) * 1000);
  let notedAt = -Infinity;
  let refusals: Refusals | null = null;

  const lastTaken = async () => {
    const kept = await factOf(ctx, fact);
    return kept === null ? -Infinity : Date.parse(kept);
  };
  /** The newest sale that a webhook should have reported by now. Sales while the shop was down don't count. */
  const newestSale = async () => {
    const now = ctx.now().getTime();
    const [row] = await ctx.store.db
      .select({ at: payments.paidAt })
      .from(payments)
      .where(and(gte(payments.paidAt, began), lte(payments.paidAt, new Date(now - patienceMilliseconds))))
      .orderBy(desc(payments.paidAt))
      .limit(1);
    return row?.at ?? null;
  };

  return {
    async taken() {
      refusals = null;
      const now = ctx.now();
      if (now.getTime() - notedAt < noteMilliseconds) return;
      notedAt = now.getTime();
      await commit(ctx.store, [keepFact(ctx, fact, now.toISOString()), clearingReport(ctx, webhookTrouble)]);
    },
    refused() {
      const now = ctx.now().getTime();
      refusals = { first: refusals?.first ?? now, last: now };
    },
    async look() {
      const [taken, sale] = await Promise.all([lastTaken(), newestSale()]);
      const isUntold = sale !== null && sale.getTime() > taken + slackMilliseconds;
      if (!isUntold && !(refusals && lastsAlone(refusals, taken))) return;
      const sentence = refusals ? refusedSentence(new Date(refusals.first)) : untoldSentence(sale ?? began);
      ctx.log.warn("Stripe's webhooks don't arrive", {
        reason: refusals ? "their signature does not match" : "none came",
      });
      await reportOnce(ctx, webhookTrouble, { kind: "webhooks", sentence });
    },
  };
}

/** Refused for a while, with none accepted in the day before. */
const lastsAlone = ({ first, last }: Refusals, taken: number) =>
  last - first >= patienceMilliseconds && taken < last - day;

const refusedSentence = (since: Date) =>
  `Stripe's webhooks have been refused since ${utcMinute(since)}: their signature does not match STRIPE_WEBHOOK_SECRET, which belongs to another endpoint. ${meanwhile}`;
const untoldSentence = (sale: Date) =>
  `No webhook reported the sale of ${utcMinute(sale)}: look at the endpoint in Stripe's dashboard. ${meanwhile}`;
const meanwhile = "Meanwhile the shop asks Stripe every minute.";
