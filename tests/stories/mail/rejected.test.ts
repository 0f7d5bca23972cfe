import { operator } from "@/core/base/actor";
import { expect, test } from "bun:test";
import { eq, isNotNull } from "drizzle-orm";
import { announce, postAnnouncements } from "@/domain/campaigns/announce";
import { accounts } from "@/domain/schema/accounts";
import { licences } from "@/domain/schema/licences";
import { payments } from "@/domain/schema/payments";
import { operate, operated } from "../../support/operator/run-operator";
import { atDesk } from "../../support/people/desk";
import { openStage, type Stage } from "../../support/shop/stage";
import { member } from "../accounts/people";
import { buy, openSubscriptionShop, pass, settleAll } from "../subscriptions/subscriber";

/** The rejected emails in the audit log, with their subjects. */
async function rejectedEmails(stage: Stage) {
  const trail: { subject: string; detail: { letter: string } }[] = await operated(
    stage,
    "audit",
    "show",
    "--action",
    "mail.rejected",
  );
  return trail.map(({ subject, detail }) => `${detail.letter} ${subject}`).toSorted();
}

async function deliverAll(stage: Stage) {
  await stage.stripe.flush();
  await stage.shop.worker.drain();
}

test("the audit log records every email that a mail server rejects for good, whatever it is about", async () => {
  await using stage = await openStage();
  await member(stage, "ada");
  await deliverAll(stage);
  stage.mail.setFaults({ mode: "reject-5xx", at: "recipient" });
  await stage.buy("gone@example.com");
  await deliverAll(stage);
  const [payment] = await stage.ctx.store.db.select().from(payments);
  const receipt = `receipt ${payment?.id}`;
  expect(await rejectedEmails(stage)).toEqual([receipt]);

  await stage.person().post("/api/payments/find", { email: "gone@example.com" });
  await deliverAll(stage);
  const orders = `orders ${payment?.id}`;
  expect(await rejectedEmails(stage)).toEqual([orders, receipt]);

  const news = { subject: "News", content: "We moved", licensedOnly: false, offer: null };
  await announce(stage.ctx, news, { actor: operator, reason: "-" });
  await postAnnouncements(stage.ctx);
  await deliverAll(stage);
  const [ada] = await stage.ctx.store.db.select().from(accounts);
  const subjects = [`announcement ${ada?.id}`, `announcement ${payment?.id}`].toSorted();
  expect(await rejectedEmails(stage)).toEqual([...subjects, orders, receipt]);
});

/** A receipt to a mailbox that doesn't exist, and one that arrived. */
async function receiptLost(stage: Stage) {
  await stage.buy("here@example.com");
  await deliverAll(stage);
  stage.mail.setFaults({ mode: "reject-5xx", at: "recipient", reply: "550 5.1.1 No such user" });
  await stage.buy("gone@example.com");
  await deliverAll(stage);
  stage.mail.setFaults({ mode: "accept" });
}
const receiptsTo = (stage: Stage, to: string) =>
  stage.mail.messages(to).filter(({ subject }) => subject.includes("receipt")).length;

test("a receipt that the mail server refused asks for attention with its words, and is sent again by one press", async () => {
  await using stage = await openStage();
  const sam = await atDesk(stage, "sam", "support");
  const vera = await atDesk(stage, "vera", "viewer");
  await receiptLost(stage);
  const attended = async () => (await vera.get("attention")).body.data;
  const [line, ...others] = await attended();
  expect([line, others]).toMatchObject([{ kind: "lost_receipts", count: 1, link: "/desk" }, []]);
  const [row] = line.receipts;
  expect(row).toMatchObject({ letter: "receipt", to: "gone@example.com", words: "550 5.1.1 No such user" });
  const fate = async () => (await vera.get(`payments/${row.payment}`)).body.data.emails[0];
  expect(await fate()).toMatchObject({
    to: "gone@example.com",
    accepted_at: null,
    refused_at: row.refused_at,
    words: "550 5.1.1 No such user",
    sent_again_at: null,
  });

  const [entry] = (await vera.get("audit?action=mail.rejected")).body.data.rows;
  expect(entry.subject).toEqual({ kind: "mail", id: row.payment, name: "gone@example.com" });

  // still on its way when the desk looks
  stage.mail.setFaults({ mode: "slow", delayMs: 1_000 });
  expect((await sam.post("payments/resend-lost", {})).body.data).toEqual({ sent: 1, left: false });
  expect(await fate()).toMatchObject({ refused_at: null, waiting_since: expect.any(String) });
  expect(await attended()).toEqual([]);
  await deliverAll(stage);
  expect(await fate()).toMatchObject({
    accepted_at: expect.any(String),
    refused_at: null,
    words: null,
    waiting_since: null,
    sent_again_at: expect.any(String),
  });
  expect([receiptsTo(stage, "gone@example.com"), receiptsTo(stage, "here@example.com")]).toEqual([1, 1]);
});

test("`shop mail retry` sends every receipt that never arrived, once, and not one whose address was corrected", async () => {
  await using stage = await openStage();
  await receiptLost(stage);
  expect((await operate(stage, "payments", "show", await paymentOf(stage, "gone@example.com"))).out).toMatch(
    /receipt refused +.* UTC: 550 5\.1\.1 No such user/,
  );
  expect(await operated(stage, "mail", "retry")).toEqual({ letters: 1 });
  await deliverAll(stage);
  expect(await operated(stage, "mail", "retry")).toEqual({ letters: 0 });
  expect(receiptsTo(stage, "gone@example.com")).toBe(1);

  stage.mail.setFaults({ mode: "reject-5xx", at: "recipient", reply: "550 5.1.1 No such user" });
  await stage.buy("ada@exmaple.com");
  await deliverAll(stage);
  stage.mail.setFaults({ mode: "accept" });
  const right = ["payments", "correct-email", await paymentOf(stage, "ada@exmaple.com"), "ada@example.com"];
  await operated(stage, ...right, "--reason", "typo");
  await deliverAll(stage);
  expect(await operated(stage, "mail", "retry")).toEqual({ letters: 0 });
  expect([receiptsTo(stage, "ada@example.com"), receiptsTo(stage, "ada@exmaple.com")]).toEqual([1, 0]);
});

async function paymentOf({ ctx }: Stage, email: string): Promise<string> {
  const [row] = await ctx.store.db.select().from(payments).where(eq(payments.email, email));
  return row?.id ?? "";
}

test("a renewal's receipt that was refused no longer asks for attention once the license was revoked", async () => {
  await using stage = await openSubscriptionShop();
  await buy(stage, stage.person(), { email: "gone@example.com" });
  stage.mail.setFaults({ mode: "reject-5xx", at: "recipient", reply: "550 5.1.1 No such user" });
  await pass(stage, 32);
  await settleAll(stage);
  stage.mail.setFaults({ mode: "accept" });
  const vera = await atDesk(stage, "vera", "viewer");
  const kinds = async () =>
    ((await vera.get("attention")).body.data as { kind: string }[]).map(({ kind }) => kind);
  expect(await kinds()).toContain("lost_receipts");
  const [sold] = await stage.ctx.store.db.select().from(licences).where(isNotNull(licences.primaryPaymentId));
  await operated(stage, "licences", "revoke", sold?.id ?? "", "--reason", "abuse");
  expect(await kinds()).not.toContain("lost_receipts");
});

test("of what the mail server answers, the log keeps no name of a mailbox, however it is written, and every other word", async () => {
  await using stage = await openStage();
  const wordsTo = async (email: string, reply: string) => {
    stage.mail.setFaults({ mode: "reject-5xx", at: "recipient", reply });
    await stage.buy(email);
    await deliverAll(stage);
    const [entry] = await operated(stage, "audit", "show", "--action", "mail.rejected", "--limit", "1");
    return entry.detail.words;
  };
  expect(await wordsTo("Anna.Smith+shop@example.com", "550 5.1.1 User anna.smith unknown")).toBe(
    "550 5.1.1 User … unknown",
  );
  expect(await wordsTo("a@example.com", "550 5.1.1 No such mailbox available")).toBe(
    "550 5.1.1 No such mailbox available",
  );
});
