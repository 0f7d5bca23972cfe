import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { approveRefund, proposeRefund } from "@/domain/payments/refunds";
import { payments } from "@/domain/schema/payments";
import { refunds } from "@/domain/schema/refunds";
import { Refusal } from "@/core/refusal";
import { auditTrail } from "@/core/audit";
import { connect, waitForBot } from "../community";
import { eventually, openStage, type Stage } from "../stage";
import { messagesIn, openDesk, opened, press, pressLabel, rowsOf, staffNotices } from "../tickets";

/** A desk with an owner role, which Olivia holds, and a card about Ada, who bought a licence. */
async function openRefundDesk(refundDailyCap = 5000) {
  const stage = await openDesk();
  const { id: ownerRoleId } = await stage.atDiscord("roles/create", { name: "Owner" });
  await stage.atDiscord("roles", { user: "olivia", role: "Owner" });
  await stage.restart({ discord: { ownerRoleId, refundDailyCap } });
  await waitForBot(stage);
  const { key, sessionId } = await stage.buy("ada@example.com");
  const ada = stage.person();
  await ada.register(key, "ada");
  await connect(stage, ada, "ada");
  return { stage, ada, sessionId, ...(await opened(stage, "ada")) };
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
  const { stage, ada, card } = await openRefundDesk();
  await using _ = stage;
  const said = await propose(stage, card, { amount: "2.00", text: "It never started" });
  expect(said).toMatchObject({ ephemeral: true });
  expect(said.content).toContain("Proposed: USD 2.00");
  await waitForCardText(stage, card, "refund-approve");
  expect(await refundedAtStripe(stage)).toBe(0);
  const id = (await firstRefund(stage))?.id;
  const approved = await press(stage, "olivia", card, `refund-approve:${id}`);
  expect(approved.content).toContain("USD 2.00");
  await waitForCardText(stage, card, "made, approved by");
  expect(await cardText(stage, card)).not.toContain("refund-approve");
  expect(await refundedAtStripe(stage)).toBe(200);
  await eventually(
    () => staffNotices(stage),
    (told) => told.includes("Partial refund: USD 5.00, USD 2.00 refunded, pi"),
  );
  const [payment] = (await ada.get("/api/payments/")).body.data;
  expect(payment.bill).toMatchObject({ paid: 500, refunded: 200 });
  const trail = await auditTrail(stage.ctx, { action: "payment", limit: 50 });
  const deeds = trail.filter(({ action }) => action.startsWith("payment.refund_")).toReversed();
  expect(deeds.map(({ action, actor, reason }) => [action, actor.split(":")[0], reason])).toEqual([
    ["payment.refund_proposed", "discord", "It never started"],
    ["payment.refund_approved", "discord", "It never started"],
    ["payment.refund_made", "shop", null],
  ]);
  expect(deeds[0]?.actor).not.toBe(deeds[1]?.actor);
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
  expect((await propose(stage, card, { text: "again" })).content).toContain("already proposed");
});

for (const [what, order] of [
  ["a gift", { gift: { email: "dora@example.com" } }],
  ["one key of several", { quantity: 2 }],
] as const) {
  test(`whoever redeemed ${what} is refunded nothing that somebody else paid`, async () => {
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
    const { card } = await opened(stage, "dora");
    expect((await propose(stage, card, { text: "It never started" })).content).toBe(
      "That member paid for nothing that can be refunded here. The operator can refund what somebody else paid.",
    );
    expect(await stage.ctx.store.db.select().from(refunds)).toEqual([]);
  });
}

test("who may propose and who may approve is checked again at each press", async () => {
  const { stage, card, id: ticket } = await openRefundDesk();
  await using _ = stage;
  const supportOnly = "Only the support team can do this.";
  const ownersOnly = "Only the shop's owners can do this.";
  expect((await press(stage, "olivia", card, `ticket-refund:${ticket}`)).content).toBe(supportOnly);
  await propose(stage, card, { text: "It never started" });
  await waitForCardText(stage, card, "refund-approve");
  const id = (await firstRefund(stage))?.id;
  expect((await press(stage, "sam", card, `refund-approve:${id}`)).content).toBe(ownersOnly);
  await stage.atDiscord("roles", { user: "olivia", role: "Owner", give: false });
  expect((await press(stage, "olivia", card, `refund-approve:${id}`)).content).toBe(ownersOnly);
  expect(await refundedAtStripe(stage)).toBe(0);
  await stage.atDiscord("roles", { user: "olivia", role: "Owner" });
  expect((await press(stage, "olivia", card, `refund-decline:${id}`)).content).toContain("Declined");
  const late = await press(stage, "olivia", card, `refund-approve:${id}`).catch(() => null);
  if (late) expect(late.content).toBe("Somebody has already decided about that refund.");
  expect((await firstRefund(stage))?.state).toBe("declined");
});

test("a wrong amount, a second proposal and more than the daily cap are refused with a sentence", async () => {
  const { stage, card } = await openRefundDesk(400);
  await using _ = stage;
  for (const amount of ["0", "-1", "2.005", "two", "1e3"]) {
    const { content } = await propose(stage, card, { amount, text: "It never started" });
    expect([amount, content]).toEqual([amount, "That is no amount: write it like 4.99."]);
  }
  expect((await propose(stage, card, { amount: "5.01", text: "too much" })).content).toBe(
    "That is more than is left of the payment.",
  );
  await propose(stage, card, { text: "all of it" });
  expect((await propose(stage, card, { amount: "1", text: "more" })).content).toContain(
    "already proposed on this card",
  );
  await waitForCardText(stage, card, "refund-approve");
  const id = (await firstRefund(stage))?.id;
  expect((await press(stage, "olivia", card, `refund-approve:${id}`)).content).toContain("exceed");
  expect((await firstRefund(stage))?.state).toBe("proposed");
  expect(await refundedAtStripe(stage)).toBe(0);
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
  const { card } = await opened(stage, "ada");
  expect(await waitForCardText(stage, card, "ticket-role")).not.toContain("efund");
});

test("of thirty refunds approved at once, only as many are made as the daily cap allows, and the next day has its own cap", async () => {
  await using stage = await openStage();
  for (const _ of Array.from({ length: 6 })) await stage.buy();
  const bought = await stage.ctx.store.db.select().from(payments);
  for (const [at, payment] of bought.entries())
    for (const part of Array.from({ length: 5 }).keys())
      await proposeRefund(stage.ctx, payment, {
        amount: 100,
        by: { actor: "discord:1", reason: `part ${part}` },
        ticketId: `${at}-${part}`,
      });
  const approve = (id: string) =>
    approveRefund(stage.ctx, id, { actor: "discord:2", cap: 1000 }).then(
      () => "approved",
      (error: unknown) => (error instanceof Refusal ? error.code : "failed"),
    );
  const proposed = await stage.ctx.store.db.select().from(refunds);
  const answers = await Promise.all(proposed.flatMap(({ id }) => [approve(id), approve(id)]));
  expect(answers.filter((answer) => answer === "approved")).toHaveLength(10);
  expect(answers.filter((answer) => answer === "failed")).toEqual([]);
  await stage.shop.worker.drain();
  expect(await refundedAtStripe(stage)).toBe(1000);
  const waiting = (await stage.ctx.store.db.select().from(refunds)).filter(
    ({ state }) => state === "proposed",
  );
  expect(await approve(waiting[0]?.id ?? "")).toBe("refund_over_cap");
  stage.advance(86_400_000);
  expect(await approve(waiting[0]?.id ?? "")).toBe("approved");
});
