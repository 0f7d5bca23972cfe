import { expect, test } from "bun:test";
import { day, minute } from "@/contract/vocabulary/time";
import { auditTrail } from "@/core/database/audit";
import { maskKey } from "@/domain/licences/keys/keys";
import { atDesk } from "../../support/people/desk";
import { bought } from "../../support/shop/bought";
import { openStage } from "../../support/shop/stage";
import { mailsTo } from "../accounts/people";

const reason = "ticket 12";
const right = { email: "ada@example.com", reason };

const keysIn = (text: string | null | undefined): string[] =>
  Array.from(text?.match(/WISP(-[0-9A-Z]{4}){4}/g) ?? []);

test("support mails a receipt again three times a day, and an owner who corrected its address too", async () => {
  await using stage = await openStage();
  const [olga, sam] = [await atDesk(stage, "olga", "owner"), await atDesk(stage, "sam", "support")];
  const { id } = await bought(stage, "ada@exmaple.com");
  const receipts = async (to: string) => (await mailsTo(stage, to)).length;
  expect(await receipts("ada@exmaple.com")).toBe(1);
  const resend = async (who = sam) => {
    const { status, body } = await who.post(`payments/${id}/resend`, { reason });
    await stage.shop.worker.drain();
    return status === 200 ? body.data.id : body.code;
  };
  expect([await resend(), await resend(olga), await resend()]).toEqual([id, id, id]);
  expect([await resend(), await resend(olga)]).toEqual(["rate_limited", "rate_limited"]);
  expect(await receipts("ada@exmaple.com")).toBe(4);
  expect((await olga.post(`payments/${id}/correct-email`, right)).body.data.email).toBe("ada@example.com");
  expect(await receipts("ada@example.com")).toBe(1);
  expect([await resend(), await resend(), await resend(), await resend()]).toEqual([
    id,
    id,
    id,
    "rate_limited",
  ]);
  stage.advance(day);
  expect(await resend(await atDesk(stage, "sara", "support"))).toBe(id);
  expect(await receipts("ada@exmaple.com")).toBe(4);
});

test("a receipt and a gift's email of one order are sent again three times a day together", async () => {
  await using stage = await openStage();
  const sam = await atDesk(stage, "sam", "support");
  const buyer = stage.person();
  const wanted = { currency: "usd", gift: { email: "bob@example.com" } };
  const session: string = (await buyer.post("/api/stripe/create-checkout-session", wanted)).body.data.id;
  await stage.atStripe("pay", { session, email: "ada@example.com" });
  await buyer.get(`/api/stripe/verify-payment?session_id=${session}`);
  const [mail] = await mailsTo(stage, "bob@example.com");
  const [key = "none"] = keysIn(mail?.text);
  const { id } = (await sam.get("payments")).body.data.rows[0];
  const resend = async () => (await sam.post(`payments/${id}/resend`, { reason })).status;
  expect(await resend()).toBe(200);
  expect(keysIn((await mailsTo(stage, "bob@example.com"))[0]?.text)).toEqual([key]);
  await stage.person().register(key, "bob");
  expect([await resend(), await resend(), await resend()]).toEqual([200, 200, 429]);
  const again = (await mailsTo(stage, "bob@example.com"))[0]?.text;
  expect([keysIn(again), again?.includes("WISP-••••")]).toEqual([[], true]);
});

test("a redeemed key is masked in a receipt that is sent again, and one that is not stays whole", async () => {
  await using stage = await openStage();
  const sam = await atDesk(stage, "sam", "support");
  const buyer = stage.person();
  const wanted = { currency: "usd", quantity: 2 };
  const session: string = (await buyer.post("/api/stripe/create-checkout-session", wanted)).body.data.id;
  await stage.atStripe("pay", { session, email: "ada@example.com" });
  await buyer.get(`/api/stripe/verify-payment?session_id=${session}`);
  const [used = "", spare = ""] = keysIn((await mailsTo(stage, "ada@example.com"))[0]?.text);
  await stage.person().register(used, "ada");
  const { id } = (await sam.get("payments")).body.data.rows[0];
  await sam.post(`payments/${id}/resend`, { reason });
  const [again] = await mailsTo(stage, "ada@example.com");
  for (const part of [again?.text, again?.html]) {
    expect(keysIn(part)).toEqual(expect.arrayContaining([spare]));
    expect(part).not.toContain(used);
    expect(part).toContain(maskKey(used));
  }
});

test("an owner corrects an order's address with a fresh code, redeemed or not, and tells the former one nothing", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const { id, key } = await bought(stage, "ada@exmaple.com");
  await stage.person().register(key, "ada");
  stage.advance(10 * minute);
  expect((await olga.post(`payments/${id}/correct-email`, right)).body.code).toBe("confirm");
  await olga.confirm();
  expect((await olga.post(`payments/${id}/correct-email`, right)).status).toBe(200);
  const [receipt] = await mailsTo(stage, "ada@example.com");
  expect([keysIn(receipt?.text), receipt?.text?.includes(maskKey(key))]).toEqual([[], true]);
  expect(await mailsTo(stage, "ada@exmaple.com")).toHaveLength(1);
  expect((await olga.post(`payments/${id}/correct-email`, right)).body.code).toBe("email_unchanged");
  expect((await olga.post(`payments/${id}/correct-email`, { ...right, receiver: true })).body.code).toBe(
    "payment_not_gift",
  );
});

test("an owner settles a payment from Stripe, reads the evidence, and contests with own words and a fresh code", async () => {
  await using stage = await openStage({ webhooks: false });
  const olga = await atDesk(stage, "olga", "owner");
  const { id, sessionId } = await bought(stage, "ada@exmaple.com");
  await stage.atStripe("dispute", { session: sessionId });
  expect((await olga.post(`payments/${id}/sync`, { reason })).body.data).toMatchObject({
    id,
    status: "disputed",
  });
  stage.advance(10 * minute);
  const { data: evidence } = (await olga.post(`payments/${id}/evidence`, {})).body;
  expect(evidence).toContainEqual({
    field: "customer_email_address",
    title: "Buyer's email",
    text: "ada@exmaple.com",
  });
  const text = "She wrote that it works.";
  const tooLong = await olga.post(`payments/${id}/contest`, { reason, text: "x".repeat(20_001) });
  expect(tooLong.status).toBe(400);
  expect((await olga.post(`payments/${id}/contest`, { reason, text })).body.code).toBe("confirm");
  await olga.confirm();
  const contested = (await olga.post(`payments/${id}/contest`, { reason, text })).body.data;
  expect(stage.stripe.ledger.disputes.newest()[0]?.evidence).toMatchObject({ uncategorized_text: text });
  expect(contested.dispute.due).toBeNull();
  expect((await olga.post(`payments/${id}/contest`, { reason })).body.code).toBe("dispute_answered");
  const log = await auditTrail(stage.ctx, { about: id, limit: 50 });
  for (const action of ["payment.synced", "payment.contested"])
    expect(log.find((one) => one.action === action)).toMatchObject({ reason, actorRole: "owner" });
});

test("an owner accepts a dispute with a reason and a fresh code", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const { id, sessionId } = await bought(stage);
  await stage.stripeTells("dispute", { session: sessionId, status: "needs_response" });
  stage.advance(10 * minute);
  const accept = () => olga.post(`payments/${id}/accept-dispute`, { reason });
  expect((await olga.post(`payments/${id}/accept-dispute`, {})).status).toBe(400);
  expect((await accept()).body.code).toBe("confirm");
  await olga.confirm();
  expect((await accept()).body.data).toMatchObject({ id, dispute: { status: "lost", due: null } });
  expect((await olga.get(`payments/${id}`)).body.data.licences[0].status).toBe("revoked");
  expect((await accept()).body.code).toBe("dispute_answered");
});
