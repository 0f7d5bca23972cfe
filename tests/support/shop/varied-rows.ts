import { deskPaymentStatuses, subscriptionStatuses } from "@/contract/vocabulary/statuses";
import { day, minute } from "@/contract/vocabulary/time";
import { auditLog } from "@/core/database/schema";
import { brand } from "@/brand/brand";
import { newId } from "@/core/database/context";
import { sealedKey } from "@/domain/licences/keys/issue";
import { randomKey } from "@/domain/licences/keys/keys";
import { accounts } from "@/domain/schema/accounts";
import { corrections, type CorrectionState } from "@/domain/schema/corrections";
import { licences } from "@/domain/schema/licences";
import { payments } from "@/domain/schema/payments";
import { refunds, type RefundState } from "@/domain/schema/refunds";
import { subscriptions } from "@/domain/schema/subscriptions";
import { tickets } from "@/domain/schema/tickets";
import type { Stage } from "./stage";

const correctionStates: CorrectionState[] = ["proposed", "approved", "declined"];
const refundStates: RefundState[] = ["proposed", "declined", "approved", "made", "refused"];

/** One of these, by the number of a row. */
const of = <T>(some: readonly T[], at: number): T => some[at % some.length]!;

/**
 * Fills a shop with rows of every state, so that each filter of the desk and each combination finds some: `count` of
 * each kind, two a minute, and every other at the same moment as the one before.
 */
export async function addVariedRows(stage: Stage, count: number): Promise<{ people: string[] }> {
  const { ctx } = stage;
  const { db } = ctx.store;
  const now = ctx.now().getTime();
  const when = (at: number) => new Date(now - 2 * day - Math.floor(at / 2) * minute);
  const people = [newId(), newId()];
  await db.insert(accounts).values(
    people.map((id, at) => ({
      id,
      username: `person${at}`,
      usernameKey: `person${at}`,
      email: `person${at}@example.com`,
      emailKey: `person${at}@example.com`,
      passwordHash: "none",
      timezone: "UTC",
      createdAt: when(at),
    })),
  );
  const rows = Array.from({ length: count }, (_, at) => at);
  const sold = rows.map((at) => ({
    id: newId(),
    sessionId: `cs_test_${at}`,
    state: of(deskPaymentStatuses, at),
    offer: of(["premium-30", brand.offer.id], Math.floor(at / 7)),
    product: "Premium",
    unitAmount: 500,
    currency: "usd",
    livemode: false,
    email: `buyer${at}@example.com`,
    accountId: of([...people, null], Math.floor(at / 3)),
    // the newest open ones can still be paid
    createdAt: at < 20 ? new Date(now - at * minute) : when(at),
  }));
  await db.insert(payments).values(sold);
  await db.insert(licences).values(
    rows.map((at) => {
      const id = newId();
      const redeemed = at % 3 > 0;
      return {
        id,
        ...sealedKey(ctx, id, randomKey()),
        level: brand.premium.type,
        chain: brand.premium.type,
        days: 30,
        ...(at % 2 === 0 ? { primaryPaymentId: sold[at]?.id ?? null } : {}),
        paymentStatus: of(["good", "good", "good", "disputed", "refunded", "revoked"] as const, at),
        livemode: of([null, false, true], Math.floor(at / 6)),
        suspendedAt: at % 11 === 0 ? when(at) : null,
        revokedAt: at % 13 === 0 ? when(at) : null,
        accountId: redeemed ? of(people, Math.floor(at / 2)) : null,
        redeemedAt: redeemed ? when(at) : null,
        expiresAt: redeemed
          ? of([null, new Date(now - minute), new Date(now + day)], Math.floor(at / 5))
          : null,
        createdAt: when(at),
      };
    }),
  );
  await db.insert(subscriptions).values(
    rows.map((at) => ({
      id: sold[at]?.id ?? "",
      stripeId: `sub_${at}`,
      customerId: `cus_${at}`,
      status: of(subscriptionStatuses, at),
      offer: of(["month", "year"], Math.floor(at / 6)),
      price: `price_${at}`,
      level: brand.premium.type,
      amount: 300,
      currency: "usd",
      every: of(["month", "year"] as const, Math.floor(at / 6)),
      endedAt: of(subscriptionStatuses, at) === "ended" ? when(at) : null,
      livemode: false,
      accountId: of([...people, null], Math.floor(at / 3)),
      startedAt: when(at),
      checkedAt: when(at),
    })),
  );
  await db.insert(tickets).values(
    rows.map((at) => ({
      id: newId(),
      number: 1_000 + at,
      topic: "other",
      memberName: "somebody",
      accountId: of([...people, null], at),
      question: "Why?",
      state: of(["open", "closed"] as const, at),
      waitingFor: of(["staff", "member"] as const, Math.floor(at / 2)),
      waitingSince: when(at),
      openedAt: when(at),
      closedAt: at % 2 === 1 ? when(at) : null,
    })),
  );
  await db.insert(refunds).values(
    rows.map((at) => ({
      id: newId(),
      paymentId: sold[at]?.id ?? "",
      amount: 100,
      state: of(refundStates, at),
      request: `request ${at}`,
      reason: "Asked for it",
      askedBy: of(["operator", people[0]!, "discord:81"], at),
      createdAt: when(at),
    })),
  );
  await db.insert(corrections).values(
    rows.map((at) => ({
      id: newId(),
      paymentId: sold[at]?.id ?? "",
      receiver: at % 7 === 0,
      email: `right${at}@example.com`,
      state: of(correctionStates, at),
      reason: "Asked for it",
      askedBy: people[0]!,
      createdAt: when(at),
    })),
  );
  await db.insert(auditLog).values(
    rows.map((at) => ({
      id: newId(),
      at: when(at),
      actor: of(["shop", people[0]!, "discord:81", people[1]!, "operator"], at),
      actorKind: of(["shop", "customer", "staff", "customer", "operator"] as const, at),
      action: of(["licence.suspended", "licence.reinstated", "payment.synced", "payment.contested"], at),
      subject: of([people[0]!, people[1]!], Math.floor(at / 4)),
      accountId: of([people[0]!, null], Math.floor(at / 3)),
    })),
  );
  return { people };
}
