import { and, asc, inArray, like, or } from "drizzle-orm";
import type { LicenceEvent } from "@/contract/vocabulary/licence-events";
import type { Ctx } from "@/core/database/context";
import { auditLog } from "@/core/database/schema";
import { keyOf } from "../../licences/keys/issue";
import { type LicencePage, licencesOfAccount } from "../../licences/changes/list";
import { hasRunOut } from "../../licences/entitlement/time";
import type { Licence, PaymentStatus } from "../../schema/licences";
import { paymentStatusOf } from "../port/disputes";

type LogEntry = Pick<typeof auditLog.$inferSelect, "id" | "at" | "action" | "subject" | "detail">;

export type LicenceHistory = {
  licence: Licence;
  key: string;
  events: { at: Date; event: LicenceEvent }[];
};

/** The most events of a licence, the newest. */
const mostEvents = 50;

/** The histories of a page of an account's licences, newest redemption first, events oldest first. */
export async function licenceHistoriesOf(
  ctx: Ctx,
  accountId: string,
  page: LicencePage,
): Promise<LicenceHistory[]> {
  const own = await licencesOfAccount(ctx, accountId, page);
  const logged = Map.groupBy(await loggedOf(ctx, own), ({ subject }) => subject);
  return own.map((licence) => {
    const { id, paymentId } = licence;
    const rows = [...(logged.get(id) ?? []), ...(logged.get(paymentId ?? "") ?? [])].toSorted(
      (one, other) => one.at.getTime() - other.at.getTime() || (one.id < other.id ? -1 : 1),
    );
    const events = lifeOf(licence, rows, ctx.now()).slice(-mostEvents);
    return { licence, key: keyOf(ctx, licence), events };
  });
}

async function loggedOf(ctx: Ctx, own: Licence[]): Promise<LogEntry[]> {
  if (own.length === 0) return [];
  const subjects = own.flatMap(({ id, paymentId }) => (paymentId ? [id, paymentId] : [id]));
  return ctx.store.db
    .select()
    .from(auditLog)
    .where(
      and(
        inArray(auditLog.subject, subjects),
        or(like(auditLog.action, "licence.%"), like(auditLog.action, "payment.%")),
      ),
    )
    .orderBy(asc(auditLog.at), asc(auditLog.id));
}

/** A licence's events, from the audit log of the licence and of its payment. */
function lifeOf(licence: Licence, logged: LogEntry[], now: Date): LicenceHistory["events"] {
  const events: LicenceHistory["events"] = [
    { at: licence.createdAt, event: licence.paymentId ? "purchased" : "issued" },
  ];
  let paid: Paid = { paymentStatus: "good", refunded: 0 };
  for (const row of logged) {
    const after = paidAfter(row) ?? paid;
    const event = ownEvents[row.action] ?? eventBetween(paid, after);
    if (event) events.push({ at: row.at, event });
    paid = after;
  }
  const { expiresAt } = licence;
  if (expiresAt && hasRunOut(licence, now)) events.push({ at: expiresAt, event: "expired" });
  return events.toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

/** The events of a licence's own entries. */
const ownEvents: Readonly<Record<string, LicenceEvent | undefined>> = {
  "licence.redeemed": "redeemed",
  "licence.added": "added",
  "licence.suspended": "suspended",
  "licence.reinstated": "reinstated",
  "licence.revoked": "revoked",
};

type Paid = { paymentStatus: PaymentStatus; refunded: number };

/** The outcome of a settlement, from its log entry; undefined for entries before the payment succeeded. */
function paidAfter({ action, detail }: LogEntry): Paid | undefined {
  const refunded = typeof detail?.["refunded"] === "number" ? detail["refunded"] : 0;
  const dispute = typeof detail?.["dispute"] === "string" ? detail["dispute"] : null;
  if (action === "payment.succeeded") return { paymentStatus: "good", refunded };
  if (action === "payment.refunded") return { paymentStatus: "refunded", refunded };
  return action === "payment.disputed" ? { paymentStatus: paymentStatusOf(dispute), refunded } : undefined;
}

function eventBetween(before: Paid, after: Paid): LicenceEvent | undefined {
  if (after.paymentStatus === before.paymentStatus) {
    return after.refunded > before.refunded ? "partly_refunded" : undefined;
  }
  if (after.paymentStatus === "disputed") return "disputed";
  if (after.paymentStatus === "revoked") return "dispute_lost";
  if (after.paymentStatus === "refunded") return "refunded";
  return before.paymentStatus === "refunded" ? "refund_failed" : "dispute_won";
}
