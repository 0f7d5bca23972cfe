import { expect, test } from "bun:test";
import { auditTrail } from "@/core/audit";
import { atDesk } from "../../support/people/desk";
import { bought } from "../../support/shop/bought";
import { openStage } from "../../support/shop/stage";

const reason = "ticket 12";

test("support mails a receipt again and corrects the address of an unredeemed order, whose old address is notified", async () => {
  await using stage = await openStage();
  const sam = await atDesk(stage, "sam", "support");
  const { id } = await bought(stage, "ada@exmaple.com");
  const receipts = (to: string) => stage.mail.messages(to).length;
  expect(receipts("ada@exmaple.com")).toBe(1);
  expect((await sam.post(`payments/${id}/resend`, { reason })).body.data).toMatchObject({
    id,
    status: "succeeded",
  });
  await stage.shop.worker.drain();
  expect(receipts("ada@exmaple.com")).toBe(2);
  const right = { email: "ada@example.com", reason };
  expect((await sam.post(`payments/${id}/correct-email`, right)).body.data.email).toBe("ada@example.com");
  await stage.shop.worker.drain();
  expect(receipts("ada@example.com")).toBe(1);
  const texts = stage.mail
    .messages("ada@exmaple.com")
    .filter(({ subject }) => subject?.includes("corrected"));
  expect(texts.map(({ subject }) => subject)).toEqual([
    "The address of your Wisp Premium order was corrected",
  ]);
  // the new address may be a stranger's
  expect(texts[0]?.text).not.toContain("ada@example.com");
  expect((await sam.post(`payments/${id}/correct-email`, right)).body.code).toBe("email_unchanged");
  expect((await sam.post(`payments/${id}/correct-email`, { ...right, receiver: true })).body.code).toBe(
    "payment_not_gift",
  );
});

test("support does not take a redeemed order from its address, and an owner does, telling nobody", async () => {
  await using stage = await openStage();
  const [olga, sam] = [await atDesk(stage, "olga", "owner"), await atDesk(stage, "sam", "support")];
  const { id, key } = await bought(stage, "ada@exmaple.com");
  await stage.person().register(key, "ada");
  const right = { email: "ada@example.com", reason };
  expect((await sam.post(`payments/${id}/correct-email`, right)).body).toMatchObject({
    status: 409,
    code: "license_taken",
  });
  expect((await olga.post(`payments/${id}/correct-email`, right)).status).toBe(200);
  await stage.shop.worker.drain();
  expect(stage.mail.messages("ada@exmaple.com").some(({ subject }) => subject?.includes("corrected"))).toBe(
    false,
  );
});

test("an owner settles a payment from Stripe, and contests a dispute", async () => {
  await using stage = await openStage({ webhooks: false });
  const olga = await atDesk(stage, "olga", "owner");
  const { id, sessionId } = await bought(stage, "ada@exmaple.com");
  await stage.atStripe("dispute", { session: sessionId });
  expect((await olga.post(`payments/${id}/sync`, { reason })).body.data).toMatchObject({
    id,
    status: "disputed",
  });
  const contested = (await olga.post(`payments/${id}/contest`, { reason })).body.data;
  expect(contested.dispute.due).toBeNull();
  const log = await auditTrail(stage.ctx, { about: id, limit: 50 });
  for (const action of ["payment.synced", "payment.contested"])
    expect(log.find((one) => one.action === action)).toMatchObject({ reason, actorRole: "owner" });
});
