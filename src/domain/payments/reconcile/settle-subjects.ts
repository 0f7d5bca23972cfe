import { inArray, or } from "drizzle-orm";
import pLimit from "p-limit";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { reasonOf } from "@/core/log/log";
import type { Handler } from "@/core/jobs/job-handlers";
import { jobOf, enqueue } from "@/core/jobs/outbox";
import { shopTopics } from "../../outbox-topics";
import { openDisputeStatuses, type Payment, payments } from "../../schema/payments";
import { type CheckoutGateway, isStripeAway, type EventSubject } from "../port/stripe";
import { settleSubject } from "../settlement/settle";
import type { ReconcileReport } from "./progress";

/**
 * Payments settled concurrently: at 100 ms an answer, eighty a second of the hundred requests that Stripe allows.
 * https://docs.stripe.com/rate-limits
 */
const atOnce = 8;

/** Reconciliation's results so far: the subjects that it met, and the ids of the payments that changed. */
export type Tally = { report: ReconcileReport; seen: Set<string> };

/** The subjects that reconciliation has not met yet; several lists may name the same payment. */
export const unseen = (entries: EventSubject[], { seen }: Tally): EventSubject[] =>
  entries.filter((entry) => !seen.has(JSON.stringify(entry)));

/**
 * Settles each subject once and adds it to the tally. Hands failures to the outbox, so that they hold up nothing else.
 * Throws `CheckoutUnreachable` if Stripe is away.
 */
export async function settleSubjects(
  ctx: Ctx,
  gateway: CheckoutGateway,
  entries: EventSubject[],
  { report, seen }: Tally,
): Promise<void> {
  const subjects = [...new Map(entries.map((entry) => [JSON.stringify(entry), entry])).values()];
  for (const subject of subjects) seen.add(JSON.stringify(subject));
  const limit = pLimit(atOnce);
  const known = await heldOf(ctx, subjects);
  const results = await Promise.allSettled(
    subjects.map((subject) =>
      limit(async () => {
        const before = known.get(nameOf(subject));
        if (before && isKnownEnd(before, subject)) return;
        report.asked += 1;
        try {
          countOnce({ report, seen }, before, await settleSubject(ctx, gateway, subject));
        } catch (error) {
          if (isStripeAway(error)) throw error;
          report.failed += 1;
          ctx.log.warn("a session could not be settled", { reason: reasonOf(error) });
          await settleLater(ctx, subject);
        }
      }),
    ),
  );
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

/**
 * Enqueues a check for when Stripe answers, unless the outbox already has it: enqueuing again would reset its count of
 * failures.
 */
export async function settleLater(ctx: Ctx, subject: EventSubject): Promise<void> {
  const name = nameOf(subject);
  if (await jobOf(ctx, shopTopics.settleAgain, name)) return;
  await commit(ctx.store, [enqueue(ctx, { topic: shopTopics.settleAgain, subject: name, payload: subject })]);
}

/** The outbox handler that settles what reconciliation could not; an unending failure is reported as stuck. */
export const settleAgain =
  (ctx: Ctx, gateway: CheckoutGateway): Handler<typeof shopTopics.settleAgain> =>
  async ({ payload }) => {
    await settleSubject(ctx, gateway, payload);
    return [];
  };

function nameOf(subject: EventSubject): string {
  if ("sessionId" in subject) return subject.sessionId;
  if ("customer" in subject) return subject.customer;
  if ("invoice" in subject) return subject.invoice;
  return "subscription" in subject ? subject.subscription : subject.intentId;
}

async function heldOf(ctx: Ctx, subjects: EventSubject[]): Promise<Map<string, Payment>> {
  if (subjects.length === 0) return new Map();
  const names = subjects.map(nameOf);
  const rows = await ctx.store.db
    .select()
    .from(payments)
    .where(or(inArray(payments.sessionId, names), inArray(payments.intentId, names)));
  return new Map(rows.flatMap((row) => [[row.sessionId, row] as const, [row.intentId ?? "", row] as const]));
}

/**
 * A completed or expired session says nothing new about a payment that is sold or expired; refunds and disputes have
 * entries of their own.
 */
const isKnownEnd = (held: Payment, subject: EventSubject) =>
  "sessionId" in subject &&
  (held.state === "succeeded" || held.state === "expired") &&
  !openDisputeStatuses.includes(held.disputeStatus ?? "");

/** Counts a payment once, however many of Stripe's lists change it. */
function countOnce({ report, seen }: Tally, before: Payment | undefined, after: Payment | null) {
  if (!after || after.version === before?.version) return;
  const known = report.found.find(({ payment }) => payment === after.id);
  if (known) known.to = after.state;
  if (known || seen.has(after.id)) return;
  seen.add(after.id);
  report.changed += 1;
  if (report.found.length < 100) {
    report.found.push({ payment: after.id, from: before?.state ?? "unknown", to: after.state });
  }
}
