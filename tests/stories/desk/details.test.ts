import { expect, test } from "bun:test";
import { customerDetails, licenceDetails, paymentDetails, ticketDetails } from "@/contract/wire/desk/details";
import { minute } from "@/contract/vocabulary/time";
import { operator } from "@/core/base/actor";
import { expectTicket } from "@/domain/tickets/reading/queries";
import { answerOnSite } from "@/domain/tickets/writing/write";
import { operated } from "../../support/operator/run-operator";
import { atDesk } from "../../support/people/desk";
import { openStage } from "../../support/shop/stage";
import { login, member, password } from "../accounts/people";

const why = ["--reason", "a story"];
const hostile = '=HYPERLINK("http://x","y") <img src=x onerror=alert(1)>';

test("a customer has their licences, payments, device, tickets, notes and history on one page", async () => {
  await using stage = await openStage();
  const sam = await atDesk(stage, "sam", "support");
  const { key } = await stage.buy("ada@example.com");
  const ada = stage.person();
  await ada.register(key, "ada");
  const { id } = (await ada.get("/api/user/me")).body.data;
  const ticket = (await ada.post("/api/tickets", { topic: "device", question: hostile })).body.data;
  const note = await sam.post(`customers/${id}/notes`, { text: ` ${hostile}\u202e\r\n second line ` });
  expect(note.body.data).toMatchObject({
    text: `${hostile}\n second line`,
    by: { kind: "staff", name: "sam", role: "support", via: "desk" },
  });
  const { body } = await sam.get(`customers/${id}`);
  expect(customerDetails.strict().parse(body.data)).toEqual(body.data);
  expect(body.data).toMatchObject({
    id,
    username: "ada",
    staff: null,
    timezone: "Europe/Berlin",
    licences: [{ status: "active", customer: { id, username: "ada" }, buyer: "ada@example.com" }],
    payments: [
      { email: "ada@example.com", status: "succeeded", customer: null, redeemed_by: { id, username: "ada" } },
    ],
    devices: [],
    tickets: [
      {
        id: ticket.id,
        number: 1,
        waiting_for: "staff",
        last: { author: "customer", text: hostile },
        claimer: null,
      },
    ],
    notes: [{ id: note.body.data.id }],
    link: null,
  });
  const [licence] = body.data.licences;
  expect(licence.key).toEndWith(key.slice(-4));
  expect(JSON.stringify(body)).not.toContain(key);
  expect(body.data.timeline.map(({ action }: { action: string }) => action)).toEqual(
    expect.arrayContaining(["account.noted", "account.registered", "licence.redeemed", "ticket.opened"]),
  );
  expect(body.data.timeline[0]).toMatchObject({
    action: "account.noted",
    actor: { kind: "staff", name: "sam", role: "support", via: "desk" },
    subject: { kind: "account", id, name: "ada" },
    customer: { id, username: "ada" },
    details: null,
  });
  const redeemed = body.data.timeline.find(({ action }: { action: string }) => action === "licence.redeemed");
  expect(redeemed.subject.name).toBe(licence.key);
});

test("a payment has its licences and refunds, a licence its payment, and both the history of both", async () => {
  await using stage = await openStage();
  const vera = await atDesk(stage, "vera", "viewer");
  const { key } = await stage.buy("buyer@example.com");
  const [row] = (await vera.get("payments")).body.data.rows;
  await operated(stage, "licences", "suspend", key, ...why);
  await operated(stage, "payments", "refund", row.id, "--amount", "100", ...why);
  await stage.shop.worker.drain();
  await stage.stripe.flush();
  const payment = (await vera.get(`payments/${row.id}`)).body.data;
  expect(paymentDetails.strict().parse(payment)).toEqual(payment);
  expect(payment).toMatchObject({
    method: "card",
    gift: null,
    tax_facts: { card_brand: "visa", card_last4: "4242", fee: null },
    bill: { paid: 500, refunded: 100 },
    licences: [{ status: "suspended", payment: row.id, offer: row.offer, customer: null }],
    refunds: [
      {
        payment: row.id,
        email: "buyer@example.com",
        customer: null,
        amount: 100,
        currency: "usd",
        state: "made",
        proposed_by: { kind: "operator" },
      },
    ],
  });
  expect(
    payment.timeline.find(({ action }: { action: string }) => action === "payment.refund_made"),
  ).toMatchObject({ subject: { name: "buyer@example.com" }, currency: "usd", details: { amount: 100 } });
  const actions = payment.timeline.map(({ action }: { action: string }) => action);
  expect(actions).toEqual(
    expect.arrayContaining(["licence.suspended", "payment.refund_made", "payment.succeeded"]),
  );
  const licence = (await vera.get(`licences/${payment.licences[0].id}`)).body.data;
  expect(licenceDetails.strict().parse(licence)).toEqual(licence);
  expect(licence).toMatchObject({ status: "suspended", bought_with: { id: row.id }, extensions: [] });
  expect(licence.suspended_at).not.toBeNull();
  expect(new Set(licence.timeline.map(({ id }: { id: string }) => id))).toEqual(
    new Set(payment.timeline.map(({ id }: { id: string }) => id)),
  );
  expect(JSON.stringify([payment, licence])).not.toContain(key);
});

test("a ticket has its messages, notes of staff too, oldest first", async () => {
  await using stage = await openStage();
  const sam = await atDesk(stage, "sam", "support");
  const ada = await member(stage, "ada");
  const { id } = (await ada.post("/api/tickets", { topic: "device", question: hostile })).body.data;
  stage.advance(minute);
  const answer = { actor: operator, name: "Support", text: "Try again" };
  await answerOnSite(stage.ctx, await expectTicket(stage.ctx, id), answer);
  const { body } = await sam.get(`tickets/${id}`);
  expect(ticketDetails.strict().parse(body.data)).toEqual(body.data);
  expect(body.data).toMatchObject({
    status: "open",
    waiting_for: "customer",
    topic: "Device",
    via: "site",
    name: "ada",
    discord_id: null,
    question: hostile,
    messages: [
      { author: "customer", text: hostile },
      { author: "staff", text: "Try again" },
    ],
  });
  expect(body.data.timeline.map(({ action }: { action: string }) => action)).toContain("ticket.opened");
});

test("support and owners write a note, and it goes with the account", async () => {
  await using stage = await openStage();
  const [sam, olga] = [await atDesk(stage, "sam", "support"), await atDesk(stage, "olga", "owner")];
  const ada = await member(stage, "ada");
  const { id } = (await ada.get("/api/user/me")).body.data;
  const notes = `customers/${id}/notes`;
  expect((await sam.post(notes, { text: "Was rude." })).status).toBe(200);
  expect((await olga.post(notes, { text: "Kind." })).status).toBe(200);
  expect((await sam.post(`customers/${crypto.randomUUID()}/notes`, { text: "Who?" })).status).toBe(404);
  expect((await ada.get("/api/user/export")).body.data.notes).toEqual([
    { at: expect.any(String), text: "Kind." },
    { at: expect.any(String), text: "Was rude." },
  ]);
  expect((await ada.post("/api/user/delete", { password })).status).toBe(200);
  expect((await olga.get(`customers/${id}`)).body).toMatchObject({ status: 404, code: "not_found" });
  expect(
    (await stage.ctx.store.client.execute("SELECT count(*) AS left FROM customer_notes")).rows,
  ).toMatchObject([{ left: 0 }]);
});

test("staff whose account is erased are former staff in the log", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const sam = await atDesk(stage, "sam", "support");
  const ada = await member(stage, "ada");
  const { id } = (await ada.get("/api/user/me")).body.data;
  await sam.post(`customers/${id}/notes`, { text: "Is nice." });
  await operated(stage, "accounts", "erase", "sam", ...why);
  expect((await login(stage.person(), "sam")).status).toBe(401);
  const { notes, timeline } = (await olga.get(`customers/${id}`)).body.data;
  const former = { kind: "staff", name: "former staff", role: "support", via: "desk" };
  expect(notes).toMatchObject([{ by: former }]);
  expect(timeline[0]).toMatchObject({ action: "account.noted", actor: former });
});

test("a missing record is 404, whatever was typed as its id", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  for (const noun of ["customers", "payments", "licences", "tickets"]) {
    for (const id of ["nothing", crypto.randomUUID(), "%00%ff", "..%2f..%2fme", "x'--", "%F0%9F%92%A9"]) {
      expect([noun, id, (await olga.get(`${noun}/${id}`)).status]).toEqual([noun, id, 404]);
    }
    expect((await olga.get(`${noun}/${"x".repeat(65)}`)).status).toBe(400);
    expect((await olga.get(`${noun}/nothing?more=1`)).status).toBe(400);
  }
});
