import { operator } from "@/core/base/actor";
import { eq } from "drizzle-orm";
import { expect, test } from "bun:test";
import { refunds, texts } from "@/brand/legal";
import { day, minute } from "@/contract/vocabulary/time";
import { record } from "@/core/database/audit";
import { commit } from "@/core/database/commit";
import { newId } from "@/core/database/context";
import { acceptDispute, contestDispute, evidenceFor } from "@/domain/payments/evidence/evidence";
import { keepLegalText, legalColumns, sha256 } from "@/domain/payments/checkout/legal-texts";
import { forgetBuyers } from "@/domain/payments/checkout/purchase-evidence";
import { accountNamed } from "@/domain/customers/find";
import { paymentNamed } from "@/domain/payments/reading/find";
import { settle } from "@/domain/payments/settlement/settle";
import { legalTexts, paymentEvidence } from "@/domain/schema/payments";
import { eraseAsStaff } from "@/domain/privacy/erase";
import { openStage, type Stage } from "../../support/shop/stage";
import { unproven } from "../accounts/people";

/** A buyer registers with the key, and their bank disputes the payment. */
async function disputedPurchase(stage: Stage) {
  const buyer = stage.person();
  const browser = { "user-agent": "Firefox on a test bench" };
  const opened = await buyer.post("/api/stripe/create-checkout-session", { currency: "usd" }, browser);
  const session: string = opened.body.data.id;
  await stage.stripeTells("pay", { session, email: "banker@example.com" });
  await stage.shop.worker.drain();
  const seen = await buyer.get(`/api/stripe/verify-payment?session_id=${session}`);
  await buyer.register(seen.body.data.license_key, "banker");
  await stage.stripeTells("dispute", { session, status: "needs_response" });
  const { rows } = await stage.ctx.store.client.execute("SELECT id FROM payments");
  return { buyer, session, paymentId: rows[0]?.id as string };
}

const evidenceOf = async ({ ctx }: Stage, paymentId: string) =>
  evidenceFor(ctx, await paymentNamed(ctx, paymentId));

test("the evidence lists terms, buyer, receipt and the licence's use", async () => {
  await using stage = await openStage();
  const { buyer, paymentId } = await disputedPurchase(stage);
  const evidence = await evidenceOf(stage, paymentId);
  expect(evidence).toMatchObject({
    customer_email_address: "banker@example.com",
    customer_purchase_ip: buyer.address,
    service_date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
  });
  expect(evidence.access_activity_log).toContain("Firefox on a test bench");
  expect(evidence.access_activity_log).toContain("USD 5.00 was paid by banker@example.com");
  const [receipt] = stage.mail.messages("banker@example.com").slice(-1);
  expect(evidence.access_activity_log).toContain(receipt?.messageId ?? "no receipt");
  expect(evidence.access_activity_log).toMatch(
    /UTC {2}The license key was redeemed on an account of the shop\.$/,
  );
  expect(evidence.refund_policy_disclosure).toMatch(/edition of \w+ \d+, \d{4}/);
});

test("the evidence quotes the refunds policy that the buyer had, which the shop keeps, and no other", async () => {
  await using stage = await openStage();
  const { paymentId } = await disputedPurchase(stage);
  const kept = await stage.ctx.store.db.select().from(legalTexts);
  expect(kept.map(({ text }) => text).toSorted()).toEqual([texts.terms, texts.refunds].toSorted());
  const [bought] = await stage.ctx.store.db.select().from(paymentEvidence);
  expect(bought).toMatchObject(legalColumns);
  expect((await evidenceOf(stage, paymentId)).refund_refusal_explanation).toBe(refunds.summary);

  const former = "# Refunds\n\n_May 1, 2025_\n\nNever.\n";
  await commit(stage.ctx.store, [
    keepLegalText(stage.ctx, former),
    stage.ctx.store.db
      .update(paymentEvidence)
      .set({ refundsSha256: sha256(former) })
      .where(eq(paymentEvidence.paymentId, paymentId)),
  ]);
  expect((await evidenceOf(stage, paymentId)).refund_refusal_explanation).toBe("Never.");
  await stage.restart();
  expect((await evidenceOf(stage, paymentId)).refund_refusal_explanation).toBe("Never.");
  expect(await stage.ctx.store.db.$count(legalTexts)).toBe(3);

  const unreadable = "Never, unless we say so.";
  const evidenceAfter = async (refundsSha256: string) => {
    await stage.ctx.store.db.update(paymentEvidence).set({ refundsSha256 });
    return evidenceOf(stage, paymentId);
  };
  await commit(stage.ctx.store, [keepLegalText(stage.ctx, unreadable)]);
  expect((await evidenceAfter(sha256(unreadable))).refund_refusal_explanation).toBe(unreadable);
  expect(await evidenceAfter("of a text that is lost")).not.toHaveProperty("refund_refusal_explanation");
  await stage.ctx.store.db.delete(paymentEvidence);
  expect(await evidenceOf(stage, paymentId)).not.toHaveProperty("refund_refusal_explanation");
});

test("an order that comes back by its seal brings the texts that it was made under, and not its browser", async () => {
  await using stage = await openStage();
  const { paymentId, session } = await disputedPurchase(stage);
  const explained = (await evidenceOf(stage, paymentId)).refund_refusal_explanation;
  await stage.ctx.store.client.batch(["DELETE FROM licences", "DELETE FROM payments"], "write");
  expect(await stage.ctx.store.db.$count(paymentEvidence)).toBe(0);
  await settle(stage.ctx, stage.shop.checkout, session);
  const evidence = await evidenceOf(stage, paymentId);
  expect(evidence.refund_refusal_explanation).toBe(explained);
  expect(evidence).not.toHaveProperty("customer_purchase_ip");
  const kept = await stage.ctx.store.db.select().from(paymentEvidence);
  expect(kept).toMatchObject([{ ...legalColumns, paymentId, buyerSealed: null }]);
});

test("the evidence claims nothing that the shop does not know", async () => {
  await using stage = await openStage();
  const friend = stage.person();
  await friend.register(await stage.handOut(1), "friend");
  await commit(stage.ctx.store, [
    record(stage.ctx, {
      actor: operator,
      action: "build.downloaded",
      subject: "win_exe",
      detail: { version: "1.0.0", platform: "win_exe" },
      accountId: (await accountNamed(stage.ctx, "friend")).id,
    }),
  ]);
  stage.advance(minute);
  const { key } = await stage.buy("banker@example.com");
  const { rows } = await stage.ctx.store.client.execute("SELECT id FROM payments");
  const paymentId = rows[0]?.id as string;
  const logged = async () => (await evidenceOf(stage, paymentId)).access_activity_log;
  expect(await logged()).toEndWith("\nThe license key has not been redeemed.");
  expect((await friend.post("/api/licenses/redeem", { key, timezone: "UTC" })).status).toBe(200);
  const evidence = await evidenceOf(stage, paymentId);
  // the customer who redeemed it need not be the buyer, and what they did earlier belongs to another licence
  expect(JSON.stringify(evidence)).not.toMatch(/The customer|every page/);
  expect(evidence.access_activity_log).not.toContain("downloaded the application");
  await eraseAsStaff(stage.ctx, async () => stage.shop.checkout, await accountNamed(stage.ctx, "friend"), {
    actor: operator,
    reason: "asked",
  });
  expect(await logged()).toContain("was redeemed on an account");
});

test("the buyer's data is sealed in the database", async () => {
  await using stage = await openStage();
  const { buyer } = await disputedPurchase(stage);
  const { rows } = await stage.ctx.store.client.execute("SELECT * FROM payment_evidence");
  const text = JSON.stringify(rows);
  expect(text).not.toContain(buyer.address);
  expect(text).not.toContain("Firefox");
});

test("contesting a dispute submits the evidence to Stripe, puts it under review, and is in the audit log", async () => {
  await using stage = await openStage();
  const { paymentId } = await disputedPurchase(stage);
  const sale = await paymentNamed(stage.ctx, paymentId);
  const by = { actor: operator, reason: "The key was redeemed the same minute." };
  const text = "They wrote to us\nthat it works.";
  const contest = () => contestDispute(stage.ctx, stage.shop.checkout, sale, { ...by, text });
  expect(await contest()).toBe(1);
  const [dispute] = stage.stripe.ledger.disputes.newest();
  expect(dispute?.status).toBe("under_review");
  expect(dispute?.evidence).toMatchObject({
    customer_email_address: "banker@example.com",
    uncategorized_text: text,
  });
  const { rows } = await stage.ctx.store.client.execute(
    "SELECT dispute_status AS status, (SELECT reason FROM audit_log WHERE action = 'payment.contested') AS reason FROM payments",
  );
  expect(rows[0]).toMatchObject({ status: "under_review", reason: by.reason });
  expect(contest()).rejects.toMatchObject({ code: "dispute_answered" });
});

test("a long history and the longest words of one's own fit into what Stripe takes", async () => {
  await using stage = await openStage();
  const { paymentId } = await disputedPurchase(stage);
  const { id: accountId } = await accountNamed(stage.ctx, "banker");
  stage.advance(minute);
  const bound = () =>
    record(stage.ctx, {
      actor: operator,
      action: "device.bound",
      subject: accountId,
      accountId,
      detail: { computer: newId(), cause: "application" },
    });
  await commit(stage.ctx.store, Array.from({ length: 100 }, bound));
  const { payment, licences } = await paymentNamed(stage.ctx, paymentId);
  // as long as the histories of three keys
  const sale = { payment, licences: [licences, licences, licences].flat() };
  const text = "x".repeat(20_000);
  const { access_activity_log: log } = await evidenceFor(stage.ctx, sale, text);
  expect(log.length).toBeLessThanOrEqual(20_000);
  expect(log).toContain("The license key was redeemed on an account of the shop.");
  expect(log).toEndWith("\nFurther entries are left out.");
  const by = { actor: operator, reason: "It was used a lot", text };
  expect(await contestDispute(stage.ctx, stage.shop.checkout, sale, by)).toBe(1);
});

test("an accepted dispute is lost, ends the licence when Stripe says so, and can't be accepted or contested again", async () => {
  await using stage = await openStage();
  const { buyer, paymentId } = await disputedPurchase(stage);
  const sale = await paymentNamed(stage.ctx, paymentId);
  const by = { actor: operator, reason: "They are right" };
  const accept = () => acceptDispute(stage.ctx, stage.shop.checkout, sale, by);
  await accept();
  await stage.stripe.flush();
  const { rows } = await stage.ctx.store.client.execute(
    "SELECT dispute_status AS status, (SELECT reason FROM audit_log WHERE action = 'payment.dispute_accepted') AS reason FROM payments",
  );
  expect(rows[0]).toMatchObject({ status: "lost", reason: by.reason });
  expect((await buyer.get("/api/user/me")).body.data.active_license).toBe(false);
  expect(accept()).rejects.toMatchObject({ code: "dispute_answered" });
});

test("an inquiry is not accepted, and a refund settles it", async () => {
  await using stage = await openStage();
  const { sessionId } = await stage.buy("banker@example.com");
  await stage.stripeTells("dispute", { session: sessionId, status: "warning_needs_response" });
  const sale = await paymentNamed(stage.ctx, sessionId);
  const by = { actor: operator, reason: "They asked" };
  const accepted = acceptDispute(stage.ctx, stage.shop.checkout, sale, by);
  expect(accepted).rejects.toMatchObject({ code: "dispute_inquiry" });
  expect(stage.stripe.ledger.disputes.newest()[0]?.status).toBe("warning_needs_response");
  await stage.stripeTells("refund", { session: sessionId });
  expect((await paymentNamed(stage.ctx, sessionId)).payment).toMatchObject({
    state: "refunded",
    disputeStatus: "warning_closed",
    disputeAnswerBy: null,
  });
});

test("an erasure keeps what a bank may ask about, sealed and without a name, for as long as it may ask", async () => {
  await using stage = await openStage();
  const { paymentId, session } = await disputedPurchase(stage);
  const unpaid = await stage.person().post("/api/stripe/create-checkout-session", { currency: "usd" });
  expect(unpaid.status).toBe(200);
  const account = await accountNamed(stage.ctx, "banker");
  await eraseAsStaff(stage.ctx, async () => stage.shop.checkout, account, {
    actor: operator,
    reason: "asked by mail",
  });
  const rowsOf = async (sql: string) => (await stage.ctx.store.client.execute(sql)).rows;
  const [payment] = await rowsOf(`SELECT * FROM payments WHERE id = '${paymentId}'`);
  expect(payment).toMatchObject({ email: null, account_id: null, browser_hash: null, amount: 500 });
  const kept = async () =>
    (await rowsOf("SELECT payment_id FROM payment_evidence WHERE buyer_sealed IS NOT NULL")).map(
      (row) => row["payment_id"],
    );
  const after = async (days: number) => {
    stage.advance(days * day);
    await forgetBuyers(stage.ctx);
    return kept();
  };
  expect(await after(1)).toHaveLength(2);
  // an unpaid checkout can't be disputed
  expect(await after(30)).toEqual([paymentId]);
  // for as long as the bank has not decided
  expect(await after(550)).toEqual([paymentId]);
  await stage.stripeTells("dispute", { session, status: "won" });
  expect(await after(1)).toEqual([]);
  // anonymous data stays for accounting
  expect(await rowsOf("SELECT terms_edition FROM payment_evidence")).toHaveLength(2);
  expect((await evidenceOf(stage, paymentId)).refund_policy_disclosure).toContain("edition of");
});

test("a data export contains the purchase's address and browser, for its buyer only", async () => {
  await using stage = await openStage();
  const buyer = await unproven(stage, "banker");
  const browser = { "user-agent": "Firefox on a test bench" };
  const opened = await buyer.post("/api/stripe/create-checkout-session", { currency: "usd" }, browser);
  await stage.stripeTells("pay", { session: opened.body.data.id, email: "banker@example.com" });
  const { payments, purchases } = (await buyer.get("/api/user/export")).body.data;
  expect(purchases).toEqual([
    {
      payment: payments[0].id,
      terms_edition: expect.stringMatching(/\d{4}/),
      terms_accepted_at: expect.any(String),
      address: buyer.address,
      user_agent: "Firefox on a test bench",
    },
  ]);
  const friend = stage.person();
  await friend.register(payments[0].license_key, "friend");
  expect((await friend.get("/api/user/export")).body.data.purchases).toEqual([]);
});
