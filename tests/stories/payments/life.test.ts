import { expect, test } from "bun:test";
import { hour } from "@/contract/vocabulary/time";
import { type Stage, eventually, openStage } from "../../support/shop/stage";
import { prove } from "../accounts/people";
import { settleAll } from "../subscriptions/subscriber";

/** A checkout that is paid at Stripe, with every event held back. */
async function paidCheckout(stage: Stage, email: string, outcome: "paid" | "processing" = "paid") {
  const buyer = stage.person();
  const opened = await buyer.post("/api/stripe/create-checkout-session", { currency: "usd" });
  const session: string = opened.body.data.id;
  await stage.atStripe("pay", { session, email, outcome });
  return { buyer, session, verify: () => buyer.get(`/api/stripe/verify-payment?session_id=${session}`) };
}

const subjects = (stage: Stage, to: string) => stage.mail.messages(to).map((email) => email.subject);
const noticesOf = (stage: Stage, what: string) =>
  stage.lines.filter((line) => line.includes("staff notice") && line.includes(`:${what}"`)).length;

test("a partial refund keeps the licence, is shown on the result page, and is mailed with its amount", async () => {
  await using stage = await openStage();
  const { session, verify } = await paidCheckout(stage, "part@example.com");
  await stage.atStripe("refund", { session, amount: 200 });
  await stage.stripe.flush();
  expect((await verify()).body.data).toMatchObject({
    status: "Payment Successful",
    message: "USD 2.00 of this payment was refunded. Its license stays active.",
  });
  await stage.shop.worker.drain();
  const keyOf = async (): Promise<string> => (await verify()).body.data.license_key;
  const email = stage.mail.messages("part@example.com").find(({ subject }) => subject.includes("refunded"));
  expect(email?.text).toContain("Total refunded: USD 2.00");
  expect(email?.text).toContain(`License …${(await keyOf()).slice(-4)} stays active.`);
});

test("a refund that fails restores the licence, tells the buyer and asks staff to look into it", async () => {
  await using stage = await openStage();
  const { session, verify } = await paidCheckout(stage, "back@example.com");
  await settleAll(stage);
  const owner = stage.person();
  await owner.register((await verify()).body.data.license_key, "backer");
  const made = (await stage.atStripe("refund", { session, status: "pending" })) as { id: string };
  await stage.stripe.flush();
  const active = async () => (await owner.get("/api/user/me")).body.data.active_license;
  const listed = async () => (await owner.get("/api/payments")).body.data[0];
  expect(await active()).toBe(false);
  expect(await listed()).toMatchObject({ status: "refunded", failure_reason: "The payment was refunded." });
  await stage.atStripe("refund/move", { refund: made.id, status: "failed" });
  await stage.stripe.flush();
  expect(await active()).toBe(true);
  expect(await listed()).toMatchObject({ status: "succeeded", failure_reason: null });
  await stage.shop.worker.drain();
  expect(subjects(stage, "back@example.com")).toContain("Your license for Wisp Premium is back");
  expect(subjects(stage, "back@example.com").filter((subject) => subject.includes("key"))).toHaveLength(1);
});

test("a refund that fails after an inquiry was closed is mailed as a failed refund, not as the end of a dispute", async () => {
  await using stage = await openStage();
  const { session } = await paidCheckout(stage, "asked@example.com");
  const move = async (act: Promise<unknown>) => {
    await act;
    await settleAll(stage);
  };
  await move(stage.atStripe("dispute", { session, status: "warning_needs_response" }));
  const refund = stage.atStripe("refund", { session, status: "pending" });
  await move(refund);
  const { id } = (await refund) as { id: string };
  await move(stage.atStripe("refund/move", { refund: id, status: "failed" }));
  const back = stage.mail.messages("asked@example.com").find(({ subject }) => subject?.endsWith("is back"));
  expect(back?.text).toContain("The refund of the payment");
  expect(back?.text).not.toContain("dispute");
});

test("the buyer is notified each time part of a refund comes back, and the licence stays", async () => {
  await using stage = await openStage();
  const { session, verify } = await paidCheckout(stage, "part@example.com");
  await settleAll(stage);
  await stage.atStripe("refund", { session, amount: 100 });
  for (const amount of [200, 150]) {
    const made = (await stage.atStripe("refund", { session, amount, status: "pending" })) as { id: string };
    await settleAll(stage);
    await stage.atStripe("refund/move", { refund: made.id, status: "failed" });
    await settleAll(stage);
  }
  const cameBack = () =>
    stage.mail
      .messages("part@example.com")
      .filter(({ subject }) => subject === "A refund for Wisp Premium did not reach you");
  expect(
    cameBack().map(({ text }) => /Returned to us: (.*)[^]*Total refunded: (.*)/.exec(text ?? "")?.slice(1)),
  ).toEqual([
    ["USD 1.50", "USD 1.00"],
    ["USD 2.00", "USD 1.00"],
  ]);
  expect(new Set(cameBack().map(({ messageId }) => messageId)).size).toBe(2);
  expect((await verify()).body.data).toMatchObject({ status: "Payment Successful", bill: { refunded: 100 } });
  // a full refund that comes back in part restores the licence, which is one mail
  const rest = (await stage.atStripe("refund", { session, status: "pending" })) as { id: string };
  await settleAll(stage);
  await stage.atStripe("refund/move", { refund: rest.id, status: "failed" });
  await settleAll(stage);
  expect(cameBack()).toHaveLength(2);
  expect(subjects(stage, "part@example.com")).toContain("Your license for Wisp Premium is back");
});

test("a second refund and its failure are new mails, which no mailbox discards as duplicates of the first", async () => {
  await using stage = await openStage();
  const { session } = await paidCheckout(stage, "again@example.com");
  await settleAll(stage);
  for (const _ of [1, 2]) {
    const made = (await stage.atStripe("refund", { session, status: "pending" })) as { id: string };
    await settleAll(stage);
    await stage.atStripe("refund/move", { refund: made.id, status: "failed" });
    await settleAll(stage);
  }
  const emails = stage.mail.messages("again@example.com");
  expect(emails.filter(({ subject }) => subject?.endsWith("was refunded"))).toHaveLength(2);
  expect(emails.filter(({ subject }) => subject?.endsWith("is back"))).toHaveLength(2);
  expect(new Set(emails.map(({ messageId }) => messageId)).size).toBe(emails.length);
});

test("a dispute opened, won and then lost is mailed each time, and each status is reported to staff once", async () => {
  await using stage = await openStage();
  const { session, verify } = await paidCheckout(stage, "fight@example.com");
  const move = async (status: string) => {
    await stage.atStripe("dispute", { session, status });
    await settleAll(stage);
  };
  await settleAll(stage);
  await move("needs_response");
  await move("under_review");
  expect((await verify()).body.data.status).toBe("Payment Disputed");
  await move("won");
  expect((await verify()).body.data.status).toBe("Payment Successful");
  await move("lost");
  expect((await verify()).body.data).toMatchObject({
    status: "Payment Disputed",
    message: "The bank decided the dispute in the buyer's favor, so the license has ended.",
  });
  expect(subjects(stage, "fight@example.com").toReversed().slice(1)).toEqual([
    "Your payment for Wisp Premium is disputed",
    "Your license for Wisp Premium is back",
    "Your license for Wisp Premium has ended",
  ]);
});

test("an email that is no longer true when the mail server is back is not sent", async () => {
  await using stage = await openStage();
  const { session } = await paidCheckout(stage, "late@example.com");
  await settleAll(stage);
  stage.mail.setFaults({ mode: "reject-4xx" });
  await stage.atStripe("dispute", { session, status: "needs_response" });
  await stage.stripe.flush();
  await stage.atStripe("dispute", { session, status: "won" });
  await settleAll(stage);
  await stage.acceptMail(hour);
  expect(subjects(stage, "late@example.com")).not.toContain("Your payment for Wisp Premium is disputed");
  expect(subjects(stage, "late@example.com")).toContain("Your license for Wisp Premium is back");
});

test("an inquiry changes nothing; its escalation does, even without a webhook", async () => {
  await using stage = await openStage();
  const { session, verify } = await paidCheckout(stage, "ask@example.com");
  await stage.atStripe("dispute", { session, status: "warning_needs_response" });
  await stage.stripe.flush();
  expect((await verify()).body.data.status).toBe("Payment Successful");
  await stage.atStripe("faults", { webhooks: { drop: "all" } });
  await stage.atStripe("dispute", { session, status: "needs_response" });
  const { reconcilePayments } = await import("@/domain/payments/reconcile/reconcile-payments");
  await reconcilePayments(stage.ctx, stage.shop.checkout);
  const [row] = (await stage.ctx.store.client.execute("SELECT state FROM payments")).rows;
  expect(row?.state).toBe("disputed");
});

test("an early fraud warning changes nothing and is reported to staff once, however often it arrives", async () => {
  await using stage = await openStage();
  const { session, verify } = await paidCheckout(stage, "efw@example.com");
  await stage.atStripe("faults", { webhooks: { repeat: 4 } });
  await stage.atStripe("warning", { session });
  await settleAll(stage);
  expect((await verify()).body.data.status).toBe("Payment Successful");
  const { reconcilePayments } = await import("@/domain/payments/reconcile/reconcile-payments");
  await reconcilePayments(stage.ctx, stage.shop.checkout);
  await stage.shop.worker.drain();
  expect(noticesOf(stage, "fraud warning")).toBe(1);
});

test("a fraud warning whose webhook was lost is found by the sweep", async () => {
  await using stage = await openStage({ webhooks: false });
  const { session } = await paidCheckout(stage, "efw2@example.com");
  await stage.atStripe("warning", { session });
  const { reconcilePayments } = await import("@/domain/payments/reconcile/reconcile-payments");
  await reconcilePayments(stage.ctx, stage.shop.checkout);
  const rows = await stage.ctx.store.client.execute("SELECT fraud_warned_at AS at FROM payments");
  expect(rows.rows[0]?.at).not.toBeNull();
});

test("a delayed payment that fails is mailed to the buyer, who has long left the page", async () => {
  await using stage = await openStage();
  const { session } = await paidCheckout(stage, "debit@example.com", "processing");
  await stage.stripe.flush();
  await stage.atStripe("settle", { session, outcome: "fail" });
  await stage.stripe.flush();
  await eventually(
    () => subjects(stage, "debit@example.com"),
    (seen) => seen.includes("Your payment for Wisp Premium failed"),
  );
});

test("an order whose metadata is edited at Stripe stays sold, and a refund or lost dispute still ends it", async () => {
  await using stage = await openStage();
  const refunded = await paidCheckout(stage, "edited@example.com");
  const disputed = await paidCheckout(stage, "edited2@example.com");
  await stage.stripe.flush();
  for (const { session, verify } of [refunded, disputed]) {
    await stage.atStripe("alter", { session, metadata: {} });
    for (let times = 0; times < 4; times += 1) {
      expect((await verify()).body.data.status).toBe("Payment Successful");
    }
  }
  await stage.atStripe("refund", { session: refunded.session });
  await stage.atStripe("dispute", { session: disputed.session, status: "needs_response" });
  await stage.atStripe("dispute", { session: disputed.session, status: "lost" });
  await stage.stripe.flush();
  expect((await refunded.verify()).body.data.status).toBe("Payment Refunded");
  expect((await disputed.verify()).body.data.status).toBe("Payment Disputed");
  const { rows } = await stage.ctx.store.client.execute(
    "SELECT email, payment_standing AS standing FROM payments JOIN licences ON payment_id = payments.id ORDER BY email",
  );
  expect(rows.map(({ email, standing }) => [email, standing])).toEqual([
    ["edited2@example.com", "revoked"],
    ["edited@example.com", "refunded"],
  ]);
  expect(noticesOf(stage, "mismatch: order")).toBe(0);
});

test("an address erased with its account is not read from Stripe again", async () => {
  await using stage = await openStage();
  const { session, verify } = await paidCheckout(stage, "eraser@example.com");
  await stage.stripe.flush();
  const owner = stage.person();
  await owner.register((await verify()).body.data.license_key, "eraser");
  await prove(stage, "eraser");
  const gone = await owner.post("/api/user/delete", { password: "a long enough phrase" });
  expect(gone.status).toBe(200);
  await stage.atStripe("refund", { session });
  await stage.stripe.flush();
  const { rows } = await stage.ctx.store.client.execute("SELECT email, state FROM payments");
  expect(rows.map(({ email, state }) => ({ email, state }))).toEqual([{ email: null, state: "refunded" }]);
});
