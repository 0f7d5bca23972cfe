import { and, desc, eq, gte, inArray } from "drizzle-orm";
import { utcTime } from "@/contract/vocabulary/dates";
import { money } from "@/contract/vocabulary/money";
import type { Ctx } from "@/core/database/context";
import { auditLog } from "@/core/database/schema";
import { billOf } from "../../bills/bill";
import { devices } from "../../schema/devices";
import { licences } from "../../schema/licences";
import type { Payment } from "../../schema/payments";
import type { Subscription } from "../../schema/subscriptions";
import { paidPaymentsOf } from "../reading/subscriptions";

/** What an account does with its licence, in words for a bank. */
const uses: Record<string, string> = {
  "account.signed_in": "The account with the license signed in to the shop.",
  "build.downloaded": "That account downloaded the application.",
  "device.bound": "That account activated the application on a computer.",
  "device.signed_in": "The application was signed in to that account on a computer.",
};
/** Stripe accepts 150,000 characters in all; of a long history we send what is newest. */
const mostInvoices = 120;
const mostUses = 300;

type Line = { at: Date; text: string };

/** All paid invoices of a subscription and the use of its licence between them, oldest first. */
export async function subscriptionHistory(
  ctx: Ctx,
  { stripeId, id: firstPaymentId }: Pick<Subscription, "stripeId" | "id">,
): Promise<string[]> {
  const { db } = ctx.store;
  const paid = (await paidPaymentsOf(ctx, stripeId)).slice(0, mostInvoices);
  const [licence] = await db.select().from(licences).where(eq(licences.primaryPaymentId, firstPaymentId));
  const { accountId = null, redeemedAt = null } = licence ?? {};
  const used = accountId && redeemedAt ? await usesOf(ctx, accountId, redeemedAt) : [];
  return [...paid.flatMap(invoiceLines), ...used]
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
    .map(({ at, text }) => `${utcTime(at)}  ${text}`);
}

function invoiceLines(payment: Payment): Line[] {
  const { paidAt, createdAt, periodEndsAt, refundedAt } = payment;
  const { paid, refunded, currency } = billOf(payment);
  const until = periodEndsAt ? ` It paid until ${utcTime(periodEndsAt)}.` : "";
  const given = refundedAt ? [{ at: refundedAt, text: `${money(refunded, currency)} was refunded.` }] : [];
  return [
    { at: paidAt ?? createdAt, text: `An invoice of ${money(paid, currency)} was paid.${until}` },
    ...given,
  ];
}

async function usesOf({ store: { db } }: Ctx, accountId: string, since: Date): Promise<Line[]> {
  const logged = await db
    .select({ at: auditLog.at, action: auditLog.action })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.accountId, accountId),
        inArray(auditLog.action, Object.keys(uses)),
        gte(auditLog.at, since),
      ),
    )
    .orderBy(desc(auditLog.at))
    .limit(mostUses);
  const computers = await db
    .select({ first: devices.firstSeenAt, last: devices.lastSeenAt })
    .from(devices)
    .where(eq(devices.accountId, accountId));
  return [
    { at: since, text: "The license was added to an account of the shop." },
    ...logged.map(({ at, action }) => ({ at, text: uses[action] ?? action })),
    ...computers.map(({ first, last }) => ({
      at: last,
      text: `The application on a computer of that account had its license confirmed, first on ${utcTime(first)} and last now.`,
    })),
  ];
}
