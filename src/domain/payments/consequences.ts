import { eq } from "drizzle-orm";
import { brand } from "@/brand/brand";
import { audit } from "@/core/audit";
import type { Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { post } from "@/core/outbox";
import { issue } from "../licences/issue";
import { soldKey } from "../licences/keys";
import { licences } from "../licences/tables";
import type { Decision } from "./decide";
import type { payments } from "./tables";

type Payment = typeof payments.$inferSelect;
export type Settlement = { before: Payment; after: Payment; decision: Decision };

/** Everything that follows from a settlement, for the commit that writes it. */
export const consequences = (ctx: Ctx, settlement: Settlement): Write[] => [
  ...licenceWrites(ctx, settlement),
  ...letters(ctx, settlement),
  ...notices(ctx, settlement),
  ...history(ctx, settlement),
];

/** The licence of a paid order exists and has the payment's standing, whatever came before. */
function licenceWrites(ctx: Ctx, { before, decision: { standing } }: Settlement): Write[] {
  if (standing === null) return [];
  const key = soldKey(ctx, before.sessionId);
  return [
    issue(ctx, { key, type: brand.premium.type, days: null, paymentId: before.id, standing }),
    ctx.store.db.update(licences).set({ paymentStanding: standing }).where(eq(licences.paymentId, before.id)),
  ];
}

/** What the buyer is told by mail. */
function letters(ctx: Ctx, { before, after, decision }: Settlement): Write[] {
  if (!after.email) return [];
  const topics: string[] = [];
  if (decision.standing === "good" && before.state !== "succeeded" && !after.receiptSentAt) {
    topics.push("mail.receipt");
  }
  if (decision.standing === "disputed" && before.state !== "disputed") topics.push("mail.payment-disputed");
  if (decision.refundedAmount > before.refundedAmount) topics.push("mail.payment-refunded");
  return topics.map((topic) => post(ctx, { topic, subject: before.id }));
}

/** What staff are told; each thing once. */
function notices(ctx: Ctx, { before, decision }: Settlement): Write[] {
  const words: string[] = [];
  if (decision.state === "succeeded" && before.paidAt === null) words.push("sale");
  if (decision.mismatch && !before.mismatch) words.push("mismatch");
  if (decision.disputeStatus && decision.disputeStatus !== before.disputeStatus) {
    words.push(`dispute ${decision.disputeStatus}`);
  }
  if (decision.refundedAmount > before.refundedAmount) words.push("refund");
  return words.map((word) =>
    post(ctx, { topic: "staff.notice", subject: `${before.id}:${word}`, payload: { what: word } }),
  );
}

function history(ctx: Ctx, { before, after }: Settlement): Write[] {
  if (before.state === after.state) return [];
  const { id: subject, accountId } = after;
  return [audit(ctx, { actor: "shop", action: `payment.${after.state}`, subject, accountId })];
}
