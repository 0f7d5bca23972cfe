import { inArray, or } from "drizzle-orm";
import pLimit from "p-limit";
import { commit } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { reasonOf } from "@/core/log";
import type { Handler } from "@/core/job-handlers";
import { jobOf, enqueue } from "@/core/outbox";
import { shopTopics } from "@/core/outbox-topics";
import { openDisputeStatuses, type Payment, payments } from "../../schema/payments";
import {
  CheckoutForbidden,
  type CheckoutGateway,
  CheckoutUnreachable,
  type EventSubject,
} from "../checkout/checkout";
import { settleSubject } from "../settle/settle";
import type { ReconcileReport } from "./progress";

/**
 * Payments settled concurrently: at 100 ms an answer, eighty a second of the hundred requests that Stripe allows.
 * https://docs.stripe.com/rate-limits
 */
const atOnce = 8;

/** What a sweep did so far; the subjects that it came across, and the ids of the payments that had changed. */
export type Tally = { report: ReconcileReport; seen: Set<string> };

/** What the sweep has not come across yet; several lists may name the same payment. */
export const unseen = (entries: EventSubject[], { seen }: Tally): EventSubject[] =>
  entries.filter((entry) => !seen.has(JSON.stringify(entry)));

/**
 * Settles what Stripe's entries are about, each once, and adds it to the tally. What can't be settled is handed to the
 * outbox, so that it holds up nothing else. Throws `CheckoutUnreachable` if Stripe is away.
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
          note({ report, seen }, before, await settleSubject(ctx, gateway, subject));
        } catch (error) {
          if (isAway(error)) throw error;
          report.failed += 1;
          ctx.log.warn("a session could not be settled", { reason: reasonOf(error) });
          await tryAgain(ctx, subject);
        }
      }),
    ),
  );
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

const isAway = (error: unknown) =>
  error instanceof CheckoutUnreachable && !(error instanceof CheckoutForbidden);

/** Unless it is being tried already: posting again would forget how often that failed. */
async function tryAgain(ctx: Ctx, subject: EventSubject): Promise<void> {
  const name = nameOf(subject);
  if (await jobOf(ctx, shopTopics.settleAgain, name)) return;
  await commit(ctx.store, [enqueue(ctx, { topic: shopTopics.settleAgain, subject: name, payload: subject })]);
}

/** The outbox handler that settles what the sweep could not; one that keeps failing is reported as stuck. */
export const settleAgain =
  (ctx: Ctx, gateway: CheckoutGateway): Handler<typeof shopTopics.settleAgain> =>
  async ({ payload }) => {
    await settleSubject(ctx, gateway, payload);
    return [];
  };

const nameOf = (subject: EventSubject) => ("sessionId" in subject ? subject.sessionId : subject.intentId);

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
 * A session that was completed or that expired says nothing new about a payment that is sold or expired; refunds and
 * disputes have entries of their own.
 */
const isKnownEnd = (held: Payment, subject: EventSubject) =>
  "sessionId" in subject &&
  (held.state === "succeeded" || held.state === "expired") &&
  !openDisputeStatuses.includes(held.disputeStatus ?? "");

/** A payment counts once, by whichever of Stripe's lists it changes and how often. */
function note({ report, seen }: Tally, before: Payment | undefined, after: Payment | null) {
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
