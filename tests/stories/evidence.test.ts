import { expect, test } from "bun:test";
import { contestDispute, evidenceFor } from "@/domain/payments/evidence";
import { openStage } from "../stage";

/** Somebody buys in a browser, registers with the key, and their bank disputes the payment. */
async function disputedPurchase(stage: Awaited<ReturnType<typeof openStage>>) {
  const buyer = stage.person();
  const browser = { "user-agent": "Firefox on a test bench" };
  const opened = await buyer.post("/api/stripe/create-checkout-session", { currency: "usd" }, browser);
  const session: string = opened.body.data.id;
  await stage.atStripe("pay", { session, email: "bank@example.com" });
  await stage.stripe.flush();
  await stage.shop.worker.drain();
  const seen = await buyer.get(`/api/stripe/verify-payment?session_id=${session}`);
  await buyer.register(seen.body.data.license_key, "banker");
  await stage.atStripe("dispute", { session, status: "needs_response" });
  await stage.stripe.flush();
  const { rows } = await stage.ctx.store.client.execute("SELECT id FROM payments");
  return { buyer, session, paymentId: rows[0]?.id as string };
}

test("the evidence names terms, buyer, receipt and what was done with the licence", async () => {
  await using stage = await openStage();
  const { buyer, paymentId } = await disputedPurchase(stage);
  const evidence = await evidenceFor(stage.ctx, paymentId);
  expect(evidence).toMatchObject({
    customer_email_address: "bank@example.com",
    customer_purchase_ip: buyer.address,
    service_date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
  });
  expect(evidence.uncategorized_text).toContain("Firefox on a test bench");
  expect(evidence.uncategorized_text).toContain("USD 5.00 was paid by bank@example.com");
  const [receipt] = stage.mail.messages("bank@example.com").slice(-1);
  expect(evidence.uncategorized_text).toContain(receipt?.messageId ?? "no receipt");
  expect(evidence.access_activity_log).toMatch(/UTC {2}The customer redeemed the licence key\.$/);
  expect(evidence.refund_policy_disclosure).toMatch(/edition of \w+ \d+, \d{4}/);
});

test("what was kept of the buyer is sealed in the database", async () => {
  await using stage = await openStage();
  const { buyer } = await disputedPurchase(stage);
  const { rows } = await stage.ctx.store.client.execute("SELECT * FROM payment_evidence");
  const text = JSON.stringify(rows);
  expect(text).not.toContain(buyer.address);
  expect(text).not.toContain("Firefox");
});

test("a contested dispute has the evidence at Stripe, is under review, and stands in the audit log", async () => {
  await using stage = await openStage();
  const { paymentId } = await disputedPurchase(stage);
  const wanted = { paymentId, reason: "The key was redeemed the same minute." };
  expect(await contestDispute(stage.ctx, stage.shop.checkout, wanted)).toBe(1);
  const answer = await fetch(`${stage.stripe.url}/v1/disputes`, {
    headers: { authorization: `Bearer ${stage.stripe.secretKey}` },
  });
  const [dispute] = (await answer.json()).data;
  expect(dispute.status).toBe("under_review");
  expect(dispute.evidence.customer_email_address).toBe("bank@example.com");
  const { rows } = await stage.ctx.store.client.execute(
    "SELECT dispute_status AS status, (SELECT reason FROM audit_log WHERE action = 'payment.contested') AS reason FROM payments",
  );
  expect(rows[0]).toMatchObject({ status: "under_review", reason: wanted.reason });
  expect(await contestDispute(stage.ctx, stage.shop.checkout, wanted)).toBe(0);
});

test("a payment from before evidence was kept still has what the books say", async () => {
  await using stage = await openStage();
  const { paymentId } = await disputedPurchase(stage);
  await stage.ctx.store.client.execute("DELETE FROM payment_evidence");
  const evidence = await evidenceFor(stage.ctx, paymentId);
  expect(evidence.customer_purchase_ip).toBeUndefined();
  expect(evidence.customer_email_address).toBe("bank@example.com");
});
