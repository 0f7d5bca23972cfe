import { confirmAsked, deskStaff, inBoth, staff } from "../../support/people/staff";
import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { day } from "@/contract/vocabulary/time";
import { carryOutRefund } from "@/domain/payments/corrections/carry-out-refund";
import { approveRefund, declineRefund, proposeRefund } from "@/domain/payments/corrections/proposals";
import { type Payment, payments } from "@/domain/schema/payments";
import { refunds } from "@/domain/schema/refunds";
import type { StaffRole } from "@/core/base/actor";
import { Refusal } from "@/core/base/refusal";
import { auditTrail } from "@/core/database/audit";
import { connect, waitForBot } from "../../support/people/discord";
import type { Person } from "../../support/people/person";
import { operated } from "../../support/operator/run-operator";
import { eventually, openStage, type Stage } from "../../support/shop/stage";
import {
  messagesIn,
  openDesk,
  openInDiscord,
  press,
  pressLabel,
  rowsOf,
  textIn,
  waitForText,
} from "../../support/people/tickets";

/** A desk with an owner role, which Olivia holds, who also has the shop's, and a card about Ada, who bought a licence. */
async function openRefundDesk({ refundDailyCap = 5000, linked = true } = {}) {
  const stage = await openDesk();
  const { id: ownerRoleId } = await stage.atDiscord("roles/create", { name: "Owner" });
  await stage.atDiscord("roles", { user: "olivia", role: "Owner" });
  await stage.restart({ discord: { ownerRoleId, refundDailyCap } });
  await waitForBot(stage);
  const { key, sessionId } = await stage.buy("ada@example.com");
  const ada = stage.person();
  await ada.register(key, "ada");
  await connect(stage, ada, "ada");
  const owner = linked ? await inBoth(stage, { name: "olivia", role: "owner" }) : null;
  const approve = async (card: string, id: string | undefined) => {
    const { content } = await press(stage, "olivia", card, `refund-approve:${id}`);
    return confirmAsked(owner!, content);
  };
  return {
    stage,
    ada,
    sessionId,
    ownerRoleId,
    owner: owner!,
    approve,
    ...(await openInDiscord(stage, "ada")),
  };
}

const cardText = async (stage: Stage, card: string): Promise<string> =>
  JSON.stringify((await messagesIn(stage, "staff", "sam")).find(({ id }) => id === card));
const waitForCardText = (stage: Stage, card: string, words: string) =>
  eventually(
    () => cardText(stage, card),
    (text) => text.includes(words),
  );

async function propose(stage: Stage, card: string, fields: Record<string, string>) {
  const { interaction } = await pressLabel(stage, "sam", card, "Refund");
  return stage.atDiscord("interact/modal", { user: "sam", interaction, fields });
}

const firstRefund = async (stage: Stage) => (await stage.ctx.store.db.select().from(refunds)).at(-1);
const refundedAtStripe = async (stage: Stage): Promise<number> => {
  const { sessions } = await stage.atStripe("ledger", undefined as never);
  return sessions.reduce((sum: number, { refunded }: { refunded: number }) => sum + refunded, 0);
};

test("support proposes a refund on the card, an owner approves it, and it ends like any other", async () => {
  const { stage, ada, card, owner } = await openRefundDesk();
  await using _ = stage;
  const reply = await propose(stage, card, { amount: "2.00", text: "It never started" });
  expect(reply).toMatchObject({ ephemeral: true });
  expect(reply.content).toContain("Proposed: USD 2.00");
  await waitForCardText(stage, card, "refund-approve");
  expect(await refundedAtStripe(stage)).toBe(0);
  const id = (await firstRefund(stage))?.id;
  const asked = await press(stage, "olivia", card, `refund-approve:${id}`);
  const token = asked.content.split("#")[1];
  expect((await owner.post("requests", { token })).body.data).toMatchObject({
    operation: "refund.approve",
    facts: [{ value: expect.stringContaining("USD 2.00") }, { value: "It never started" }],
  });
  expect((await owner.post("requests/confirm", { token })).body.data.done).toContain("USD 2.00");
  expect((await owner.post("requests/confirm", { token })).body.code).toBe("request_over");
  await waitForCardText(stage, card, "made, approved by");
  expect(await cardText(stage, card)).not.toContain("refund-approve");
  expect(await refundedAtStripe(stage)).toBe(200);
  await waitForText(stage, "staff", "Partial refund: USD 5.00, USD 2.00 refunded, pi");
  const [payment] = (await ada.get("/api/payments/")).body.data;
  expect(payment.bill).toMatchObject({ paid: 500, refunded: 200 });
  const trail = await auditTrail(stage.ctx, { action: "payment", limit: 50 });
  const entries = trail.filter(({ action }) => action.startsWith("payment.refund_")).toReversed();
  expect(entries.map(({ action, actor, reason }) => [action, actor.split(":")[0], reason])).toEqual([
    ["payment.refund_proposed", "discord", "It never started"],
    ["payment.refund_approved", (await owner.get("me")).body.data.id, "It never started"],
    ["payment.refund_made", "shop", null],
  ]);
  expect(entries[0]?.actor).not.toBe(entries[1]?.actor);
});

test("a checkout that the member left since does not hide the payment to refund, nor the last payment on the card", async () => {
  const { stage, ada, card } = await openRefundDesk();
  await using _ = stage;
  stage.advance(2_000);
  const left = await ada.post("/api/stripe/create-checkout-session", { currency: "usd" });
  expect(left.status).toBe(200);
  expect((await propose(stage, card, { text: "It never started" })).content).toContain("Proposed: USD 5.00");
  expect(await waitForCardText(stage, card, "refund-approve")).toContain("succeeded");
  await stage.atStripe("expire", { session: left.body.data.id });
  await ada.get(`/api/stripe/verify-payment?session_id=${left.body.data.id}`);
  expect((await propose(stage, card, { text: "again" })).content).toContain("A refund is already proposed");
});

for (const [what, order] of [
  ["a gift", { gift: { email: "dora@example.com" } }],
  ["one key of several", { quantity: 2 }],
] as const) {
  test(`a customer who redeemed ${what} is refunded nothing that somebody else paid`, async () => {
    const { stage } = await openRefundDesk();
    await using _ = stage;
    const payer = stage.person();
    const { body } = await payer.post("/api/stripe/create-checkout-session", { currency: "usd", ...order });
    await stage.atStripe("pay", { session: body.data.id, email: "payer@example.com" });
    await payer.get(`/api/stripe/verify-payment?session_id=${body.data.id}`);
    await stage.shop.worker.drain();
    const to = "gift" in order ? order.gift.email : "payer@example.com";
    const key = /WISP(-[0-9A-Z]{4}){4}/.exec(stage.mail.messages(to)[0]?.text ?? "")?.[0] ?? "";
    const dora = stage.person();
    await dora.register(key, "dora");
    await connect(stage, dora, "dora");
    const { card } = await openInDiscord(stage, "dora");
    expect((await propose(stage, card, { text: "It never started" })).content).toBe(
      "That member paid for nothing that can be refunded here. The operator can refund what someone else paid.",
    );
    expect(await stage.ctx.store.db.select().from(refunds)).toEqual([]);
  });
}

test("the roles to propose and to approve are checked again at each press", async () => {
  const { stage, card } = await openRefundDesk({ linked: false });
  await using _ = stage;
  const supportOnly = "Only the support team can do this.";
  const ownersOnly = "Only the shop's owners can do this.";
  await stage.atDiscord("roles", { user: "olivia", role: "Owner", give: false });
  expect((await pressLabel(stage, "olivia", card, "Refund")).content).toBe(supportOnly);
  await stage.atDiscord("roles", { user: "olivia", role: "Owner" });
  // an owner may do what support may
  expect((await pressLabel(stage, "olivia", card, "Refund")).modal).not.toBeNull();
  await propose(stage, card, { text: "It never started" });
  await waitForCardText(stage, card, "refund-approve");
  const id = (await firstRefund(stage))?.id;
  expect((await press(stage, "sam", card, `refund-approve:${id}`)).content).toBe(ownersOnly);
  await stage.atDiscord("roles", { user: "olivia", role: "Owner", give: false });
  expect((await press(stage, "olivia", card, `refund-approve:${id}`)).content).toBe(ownersOnly);
  expect(await refundedAtStripe(stage)).toBe(0);
  await stage.atDiscord("roles", { user: "olivia", role: "Owner" });
  // a role in Discord alone has no authenticator
  expect((await press(stage, "olivia", card, `refund-approve:${id}`)).content).toContain(
    "Reconnect your Discord user",
  );
  expect((await press(stage, "olivia", card, `refund-decline:${id}`)).content).toContain("Declined");
  const late = await press(stage, "olivia", card, `refund-approve:${id}`).catch(() => null);
  if (late) expect(late.content).toContain("Reconnect your Discord user");
  expect((await firstRefund(stage))?.state).toBe("declined");
});

test("a wrong amount, a second proposal and more than the daily cap are refused with a sentence", async () => {
  const { stage, card, ownerRoleId, approve } = await openRefundDesk({ refundDailyCap: 400 });
  await using _ = stage;
  for (const amount of ["0", "-1", "2.005", "two", "1e3"]) {
    const { content } = await propose(stage, card, { amount, text: "It never started" });
    expect([amount, content]).toEqual([amount, "That isn't an amount. Write it like 4.99."]);
  }
  expect((await propose(stage, card, { amount: "5.01", text: "too much" })).content).toBe(
    "That is more than is left to refund.",
  );
  const overCap = "That is more than support may propose today. An owner or the operator can refund it.";
  expect((await propose(stage, card, { text: "all of it" })).content).toBe(overCap);
  expect(await firstRefund(stage)).toBeUndefined();
  await propose(stage, card, { amount: "4", text: "most of it" });
  expect((await propose(stage, card, { amount: "0.50", text: "more" })).content).toContain(
    "A refund is already proposed",
  );
  await waitForCardText(stage, card, "refund-approve");
  const id = (await firstRefund(stage))?.id;
  await stage.restart({ discord: { ownerRoleId, refundDailyCap: 399 } });
  await waitForBot(stage);
  // the cap is support's: an owner approves what was proposed
  expect((await approve(card, id)).body.data.done).toContain("is on its way");
  await eventually(async () => (await refundedAtStripe(stage)) === 400);
});

test("the longest reason, however much of it is escaped, still fits on the card", async () => {
  const { stage, card } = await openRefundDesk();
  await using _ = stage;
  await propose(stage, card, { text: "_".repeat(300) });
  await waitForCardText(stage, card, "refund-approve");
  const id = (await firstRefund(stage))?.id ?? "";
  const refused = { state: "refused", refusal: "*".repeat(300) } as const;
  await stage.ctx.store.db.update(refunds).set(refused).where(eq(refunds.id, id));
  const { id: ticket } = (await rowsOf(stage))[0] ?? {};
  await press(stage, "sam", card, `ticket-claim:${ticket}`);
  await waitForCardText(stage, card, "refused by Stripe");
});

test("without an owner role the card has no button for refunds", async () => {
  await using stage = await openDesk();
  const { key } = await stage.buy("ada@example.com");
  const ada = stage.person();
  await ada.register(key, "ada");
  await connect(stage, ada, "ada");
  const { card } = await openInDiscord(stage, "ada");
  expect(await waitForCardText(stage, card, "ticket-role")).not.toContain("efund");
});

test("of sixty proposals at once a payment gets one, and all together get as much as the day's cap allows", async () => {
  await using stage = await openStage();
  for (const _ of Array.from({ length: 12 })) await stage.buy();
  const bought = await stage.ctx.store.db.select().from(payments);
  const propose = (payment: Payment, part: number) => {
    const by = { actor: staff("1", ["support"]), reason: `part ${part}` };
    return codeOf(
      proposeRefund(stage.ctx, payment, { amount: 100, by, ticketId: `${payment.id}-${part}`, cap: 1000 }),
    );
  };
  const answers = await Promise.all(
    bought.flatMap((payment) => Array.from({ length: 5 }, (_, part) => propose(payment, part))),
  );
  expect(answers.filter((answer) => answer === "done")).toHaveLength(10);
  expect(new Set(answers)).toEqual(new Set(["done", "refund_proposed", "refund_cap"]));
  const proposed = await stage.ctx.store.db.select().from(refunds);
  expect(new Set(proposed.map(({ paymentId }) => paymentId)).size).toBe(10);
  const approve = (id: string) =>
    codeOf(approveRefund(stage.ctx, id, { actor: deskStaff(stage, "2", "owner") }));
  const approvals = await Promise.all(
    proposed.flatMap(({ id }) => Array.from({ length: 20 }, () => approve(id))),
  );
  expect(approvals.filter((answer) => answer === "done")).toHaveLength(10);
  expect(approvals.filter((answer) => answer === "refund_decided")).toHaveLength(190);
  await stage.shop.worker.drain();
  expect(await refundedAtStripe(stage)).toBe(1000);
  const untouched = bought.find(({ id }) => !proposed.some(({ paymentId }) => paymentId === id))!;
  expect(await propose(untouched, 6)).toBe("refund_cap");
  stage.advance(day);
  expect(await propose(untouched, 6)).toBe("done");
});

test("the daily cap of support's proposals counts each currency separately, in its own minor unit, and binds no owner", async () => {
  await using stage = await openStage();
  for (const currency of ["usd", "jpy", "kwd", "jpy"]) {
    const { sessionId } = await stage.buy();
    await stage.ctx.store.db.update(payments).set({ currency }).where(eq(payments.sessionId, sessionId));
  }
  const bought = await stage.ctx.store.db.select().from(payments).orderBy(payments.id);
  const [usd, jpy, kwd, jpyToo] = bought as [Payment, Payment, Payment, Payment];
  let proposals = 0;
  const propose = (payment: Payment, amount: number, roles: StaffRole[] = ["support"]) => {
    proposals += 1;
    const by = { actor: staff("1", roles), reason: `part ${proposals}` };
    return codeOf(proposeRefund(stage.ctx, payment, { amount, by, ticketId: null, cap: 400 }));
  };
  const newest = async () =>
    (await stage.ctx.store.db.select().from(refunds).where(eq(refunds.state, "proposed")))[0]?.id ?? "";
  const owner = { actor: deskStaff(stage, "2", "owner") };
  for (const payment of [usd, jpy, kwd]) {
    expect(await propose(payment, 410)).toBe("refund_cap");
    expect(await propose(payment, 400)).toBe("done");
    expect(await codeOf(approveRefund(stage.ctx, await newest(), owner))).toBe("done");
  }
  expect(await propose(jpyToo, 1)).toBe("refund_cap");
  expect(await propose(jpyToo, 100, ["support", "owner"])).toBe("done");
  expect(await codeOf(declineRefund(stage.ctx, await newest(), owner))).toBe("done");
  stage.advance(day);
  expect(await propose(jpyToo, 400)).toBe("done");
  expect(await codeOf(declineRefund(stage.ctx, await newest(), owner))).toBe("done");
  // what was declined leaves room
  expect(await propose(jpyToo, 301)).toBe("done");
});

test("a refund on its way to Stripe counts as refunded for what is left", async () => {
  await using stage = await openStage();
  await stage.buy();
  const [payment] = (await stage.ctx.store.db.select().from(payments)) as [Payment];
  const propose = (amount: number | null, reason: string) =>
    codeOf(
      proposeRefund(stage.ctx, payment, {
        amount,
        by: { actor: staff("1", ["support"]), reason },
        ticketId: null,
        cap: 1000,
      }),
    );
  const approve = async () => {
    const [open] = await stage.ctx.store.db.select().from(refunds).where(eq(refunds.state, "proposed"));
    return codeOf(approveRefund(stage.ctx, open?.id ?? "", { actor: deskStaff(stage, "2", "owner") }));
  };
  expect([await propose(300, "first"), await approve()]).toEqual(["done", "done"]);
  expect(await propose(250, "too much")).toBe("refund_too_large");
  expect(await propose(null, "the rest")).toBe("done");
  const [rest] = await stage.ctx.store.db.select().from(refunds).where(eq(refunds.state, "proposed"));
  expect(rest?.amount).toBe(200);
  // less is left by the time an owner looks
  await stage.ctx.store.db.update(payments).set({ refundedAmount: 100 }).where(eq(payments.id, payment.id));
  expect(await approve()).toBe("refund_too_large");
});

const codeOf = (doing: Promise<unknown>) =>
  doing.then(
    () => "done",
    (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
  );

/** Buys once more as the same signed-in person; resolves to the payment intent. */
async function buyAgain(stage: Stage, ada: Person, code?: string): Promise<string | null> {
  stage.advance(2_000);
  const order = { currency: "usd", ...(code ? { code } : {}) };
  const { body } = await ada.post("/api/stripe/create-checkout-session", order);
  await stage.atStripe("pay", { session: body.data.id, email: "ada@example.com" });
  await ada.get(`/api/stripe/verify-payment?session_id=${body.data.id}`);
  return intentOf(stage, body.data.id);
}

async function intentOf(stage: Stage, session: string): Promise<string | null> {
  const [found] = await stage.ctx.store.db.select().from(payments).where(eq(payments.sessionId, session));
  return found?.intentId ?? null;
}

const redraw = async (stage: Stage, card: string, words: string) => {
  const { id } = (await rowsOf(stage))[0] ?? {};
  await press(stage, "sam", card, `ticket-claim:${id}`);
  return waitForCardText(stage, card, words);
};

test("the card, its button and its form name the newest payment of which something is left, and not a free one", async () => {
  const { stage, ada, card, sessionId } = await openRefundDesk();
  await using _ = stage;
  const first = await intentOf(stage, sessionId);
  await operated(stage, "codes", "create", "FREE", "--percent", "100", "--reason", "a test");
  expect(await buyAgain(stage, ada, "FREE")).toBeNull();
  const text = await redraw(stage, card, "ticket-unclaim");
  expect(text).toContain(`USD 5.00, succeeded`);
  expect(text).toContain(String(first));
  expect(text).not.toContain("USD 0.00");
  const { modal } = await pressLabel(stage, "sam", card, "Refund");
  expect(JSON.stringify(modal)).toContain(`USD 5.00, ${first}`);
  expect((await propose(stage, card, { amount: "1", text: "It never started" })).content).toContain(
    `Proposed: USD 1.00 of ${first}.`,
  );
});

test("if the customer buys again before the button is pressed or the form is sent, the payment that was shown is refunded", async () => {
  const { stage, ada, card, sessionId } = await openRefundDesk();
  await using _ = stage;
  const first = await intentOf(stage, sessionId);
  const { interaction } = await pressLabel(stage, "sam", card, "Refund");
  const second = await buyAgain(stage, ada);
  const submit = (shown: string, text: string) =>
    stage.atDiscord("interact/modal", { user: "sam", interaction: shown, fields: { amount: "1", text } });
  expect((await submit(interaction, "before it was sent")).content).toContain(`of ${first}.`);
  const decline = async () => {
    await waitForCardText(stage, card, "refund-decline");
    await press(stage, "olivia", card, `refund-decline:${(await firstRefund(stage))?.id}`);
    return waitForCardText(stage, card, "declined by");
  };
  // the redrawn card shows the later purchase
  expect(await decline()).toContain(String(second));
  const third = await buyAgain(stage, ada);
  expect((await propose(stage, card, { amount: "1", text: "before it was pressed" })).content).toContain(
    `of ${second}.`,
  );
  const now = await decline();
  expect(now).toContain(String(third));
  // once the newest is fully refunded, the one before it
  await operated(stage, "payments", "refund", String(third), "--reason", "a test");
  expect(await redraw(stage, card, `, ${second}"`)).not.toContain(`, ${third}"`);
  // a dispute since then is not hidden
  const fourth = await buyAgain(stage, ada);
  const [{ sessionId: session } = { sessionId: "" }] = await stage.ctx.store.db
    .select()
    .from(payments)
    .where(eq(payments.intentId, String(fourth)));
  await stage.atStripe("dispute", { session });
  await ada.get(`/api/stripe/verify-payment?session_id=${session}`);
  const { id } = (await rowsOf(stage))[0] ?? {};
  await press(stage, "sam", card, `ticket-unclaim:${id}`);
  const disputed = await waitForCardText(stage, card, "Since then: USD 5.00, disputed");
  expect(disputed).toContain(String(second));
});

test("a refund is announced once in its ticket's thread, and the card no longer waits for staff", async () => {
  const { stage, card, thread, approve } = await openRefundDesk();
  await using _ = stage;
  expect(await waitForCardText(stage, card, "Refund")).toContain("waits for support");
  await propose(stage, card, { amount: "2", text: "a reason for staff" });
  await waitForCardText(stage, card, "refund-approve");
  expect(await cardText(stage, card)).toContain("waits for support");
  const id = (await firstRefund(stage))?.id;
  await approve(card, id);
  const text = await waitForText(stage, thread, "We refunded USD 2.00 of your payment");
  expect(text).not.toContain("a reason for staff");
  expect(await waitForCardText(stage, card, "made, approved by")).toContain("waits for the member");
  for (let times = 0; times < 2; times += 1) await carryOutRefund(stage.ctx, stage.shop.checkout, id ?? "");
  await stage.shop.worker.drain();
  expect((await textIn(stage, thread)).split("We refunded")).toHaveLength(2);
});

test("the member does not hear of a refund that Stripe refuses, and the card keeps waiting for staff", async () => {
  const { stage, card, thread, sessionId, approve } = await openRefundDesk();
  await using _ = stage;
  await propose(stage, card, { amount: "2", text: "It never started" });
  await waitForCardText(stage, card, "refund-approve");
  // the shop has not heard of the dispute yet
  stage.stripe.setWebhookUrl(null);
  await stage.atStripe("dispute", { session: sessionId });
  await approve(card, (await firstRefund(stage))?.id);
  expect(await waitForCardText(stage, card, "refused by Stripe")).toContain("waits for support");
  expect(await textIn(stage, thread)).not.toContain("refunded");
});
