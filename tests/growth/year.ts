/** What an account may have after a year in which its owner did everything as often as the limits allow. */
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { brand } from "@/brand/brand";
import { day, hour, minute } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import { auditLog } from "@/core/database/schema";
import { tokenHash } from "@/core/secrets/secrets";
import { sealedKey } from "@/domain/licences/keys/issue";
import { soldKey } from "@/domain/licences/keys/keys";
import { legalColumns } from "@/domain/payments/checkout/legal-texts";
import { evidenceContext } from "@/domain/payments/checkout/purchase-evidence";
import { sessions } from "@/domain/schema/accounts";
import { contentAddressOf } from "@/domain/tickets/writing/files";
import { licences } from "@/domain/schema/licences";
import { paymentEvidence, payments } from "@/domain/schema/payments";
import { ticketFiles, ticketMessages, tickets } from "@/domain/schema/tickets";
import { openBulk } from "./bulk";

export const fullYear = {
  /** Checkouts that nobody paid, thirty an hour for as long as they are kept. */
  unpaid: 31 * 24 * 30,
  /** Paid orders of one key each, which the account redeemed; some are gifts with long words. */
  sold: 10_000,
  /** Paid orders of a hundred keys each. */
  large: 120,
  sessions: 100,
  /** Ten an hour for as long as they are kept. */
  tickets: 180 * 24 * 10,
  /** Messages of the longest text in one ticket, as many as one takes, with their earlier texts. */
  messages: 500,
  /** Entries of the security log. */
  events: 100_000,
};
export type Year = typeof fullYear;

/** What stories and benchmarks ask for. */
export type Filled = { ticketId: string; fileId: string; largePaymentId: string; payments: number };

type Owner = { id: string; discordUserId: string };

/** Adds them to an account of a database that no process has open. */
export function fillYear(ctx: Ctx, file: string, { id: owner, discordUserId }: Owner, year: Year): Filled {
  const bulk = openBulk(file);
  const add = {
    payment: bulk.table(payments),
    evidence: bulk.table(paymentEvidence),
    licence: bulk.table(licences),
    session: bulk.table(sessions),
    ticket: bulk.table(tickets),
    message: bulk.table(ticketMessages),
    file: bulk.table(ticketFiles),
    audit: bulk.table(auditLog),
  };
  const now = ctx.now().getTime();
  const ago = (milliseconds: number) => new Date(now - milliseconds);
  const logged = (at: Date, action: string, subject: string) =>
    add.audit({
      id: idAt(at),
      at,
      actor: owner,
      actorKind: "customer",
      action,
      subject,
      accountId: owner,
      detail: { device: "Firefox on Linux" },
    });

  const order = (at: Date, more: Partial<typeof payments.$inferInsert>) => {
    const id = idAt(at);
    const sessionId = `cs_test_${randomBytes(24).toString("hex")}`;
    const quantity = more.quantity ?? 1;
    const paid = more.state === "expired" || more.state === "open" ? null : 500 * quantity;
    const seller = { offer: "premium", product: brand.premium.name, days: 1 };
    add.payment({
      id,
      sessionId,
      intentId: paid === null ? null : `pi_${randomBytes(12).toString("hex")}`,
      method: paid === null ? null : "card",
      unitAmount: 500,
      paidAmount: paid,
      currency: "usd",
      livemode: false,
      email: paid === null ? null : "year@example.com",
      accountId: owner,
      browserHash: tokenHash(sessionId),
      createdAt: at,
      paidAt: paid === null ? null : at,
      soldAt: paid === null ? null : at,
      ...seller,
      state: "succeeded",
      ...more,
    });
    const browser = JSON.stringify({ address: "192.0.2.7", userAgent: "Firefox" });
    add.evidence({
      paymentId: id,
      ...legalColumns,
      termsAcceptedAt: at,
      buyerSealed: ctx.secrets.seal(browser, evidenceContext(id)),
    });
    logged(at, "payment.opened", id);
    return { id, sessionId };
  };
  const licence = (
    at: Date,
    { id: paymentId, sessionId }: { id: string; sessionId: string },
    index: number,
  ) => {
    const id = idAt(at);
    return {
      id,
      ...sealedKey(ctx, id, soldKey(ctx, sessionId, index)),
      level: brand.premium.type,
      chain: brand.premium.type,
      days: 1,
      ...(index === 0
        ? { primaryPaymentId: paymentId }
        : { additionalPaymentId: paymentId, paymentIndex: index }),
      orderedAt: at,
      livemode: false,
      createdAt: at,
    };
  };

  bulk.begin();
  for (let at = 0; at < year.unpaid; at += 1)
    order(ago(day + at * 2 * minute), { state: at % 2 ? "open" : "expired" });
  for (let at = 0; at < year.sold; at += 1) {
    const bought = ago((365 * day * (at + 1)) / year.sold);
    const gift =
      at % 3 === 0 ? { giftEmail: "friend@example.com", giftFrom: "Ann", giftMessage: "愛".repeat(500) } : {};
    const state = at % 5 === 0 ? "refunded" : "succeeded";
    const payment = order(bought, { ...gift, state });
    const ended = { accountId: owner, redeemedAt: bought, expiresAt: new Date(bought.getTime() + day) };
    const paymentStatus = state === "refunded" ? "refunded" : "good";
    add.licence({ ...licence(bought, payment, 0), ...ended, paymentStatus });
    logged(bought, "licence.redeemed", owner);
  }
  let largePaymentId = "";
  for (let at = 0; at < year.large; at += 1) {
    const bought = ago(hour + at * minute);
    const payment = order(bought, { quantity: 100 });
    largePaymentId = payment.id;
    for (let index = 0; index < 100; index += 1) add.licence(licence(bought, payment, index));
  }
  for (let at = 0; at < year.sessions; at += 1) {
    const seen = ago((at + 1) * hour);
    const token = tokenHash(randomBytes(16).toString("hex"));
    const from = { userAgent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0", address: "192.0.2.7" };
    add.session({
      tokenHash: token,
      id: idAt(seen),
      accountId: owner,
      createdAt: seen,
      lastSeenAt: seen,
      provedAt: seen,
      ...from,
    });
  }
  for (let at = 0; at < year.events; at += 1)
    logged(ago(day + at * 5_000), at % 2 ? "device.bound" : "device.deactivated", owner);
  logged(ago(300 * day), "password.changed", owner);

  const opened = (at: Date, number: number) => {
    const id = idAt(at);
    add.ticket({
      id,
      number,
      topic: "technical",
      discordUserId,
      memberName: "year",
      accountId: number % 2 ? owner : null,
      question: "愛".repeat(1_000),
      state: "closed",
      openedAt: at,
      waitingSince: at,
      closedAt: at,
      closedBy: "staff",
      closeReason: "愛".repeat(1_000),
    });
    return id;
  };
  for (let at = 0; at < year.tickets; at += 1) opened(ago(day + at * 6 * minute), 1_000_000 + at);
  const ticketId = opened(ago(hour), 2_000_001);
  const text = (at: number) => `${at} ${"x".repeat(2_000)}`.slice(0, 2_000);
  for (let at = 0; at < year.messages; at += 1) {
    const sent = ago(day - at * 1_000);
    const before = at % 10 === 0 ? ["愛".repeat(2_000), "愛".repeat(2_000)] : [];
    const by = { author: "member" as const, authorId: discordUserId, authorName: "year" };
    add.message({
      id: `7${String(at).padStart(17, "0")}`,
      ticketId,
      ...by,
      content: text(at),
      at: sent,
      before,
    });
  }
  const fileId = `8${"0".repeat(17)}`;
  const sent = { id: fileId, messageId: `7${"0".repeat(17)}`, ticketId, name: "log.txt", size: 5 };
  const bytes = Buffer.from("bytes");
  const address = contentAddressOf(bytes);
  mkdirSync(join(dirname(file), "builds/tickets"), { recursive: true });
  writeFileSync(join(dirname(file), "builds/tickets", address), bytes);
  add.file({ ...sent, url: "https://cdn.example/log.txt", state: "kept", address });
  bulk.close(() => {});
  return { ticketId, fileId, largePaymentId, payments: year.unpaid + year.sold + year.large };
}

/** A UUIDv7 of that moment, as `newId` makes one for now. */
const idAt = (at: Date): string => Bun.randomUUIDv7("hex", at.getTime());
