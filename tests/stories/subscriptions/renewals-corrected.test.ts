import { expect, test } from "bun:test";
import { desc, isNotNull } from "drizzle-orm";
import { newId } from "@/core/database/context";
import { limitTable } from "@/contract/vocabulary/limits";
import { paymentDetails } from "@/domain/staff-queries/details";
import { approveCorrection, askForCorrection } from "@/domain/payments/corrections/correction-proposals";
import { correctAddress, resendReceipt } from "@/domain/payments/corrections/corrections";
import { payments } from "@/domain/schema/payments";
import { deskStaff } from "../../support/people/staff";
import type { Stage } from "../../support/shop/stage";
import { mailsTo } from "../accounts/people";
import { buy, by, openSubscriptionShop, pass, settleAll, subscriber } from "./subscriber";

/** The renewal and the first order of the only subscription. */
async function renewed(stage: Stage) {
  await pass(stage, 32);
  await settleAll(stage);
  const [renewal, first] = await stage.ctx.store.db
    .select()
    .from(payments)
    .where(isNotNull(payments.subscription))
    .orderBy(desc(payments.periodEndsAt));
  if (!renewal || !first) throw new Error("nothing was renewed");
  return { renewal, first };
}

test("a correction that support proposes for a renewal is for its first order, and moves all renewals once an owner approves", async () => {
  await using stage = await openSubscriptionShop();
  await subscriber(stage);
  const { renewal, first } = await renewed(stage);
  const [sam, olga] = [deskStaff(stage, newId(), "support"), deskStaff(stage, newId(), "owner")];
  const right = { email: "right@example.com", receiver: false };
  const asSupport = { actor: sam, reason: "a story" };
  const refused: unknown = await correctAddress(stage.ctx, renewal, right, asSupport).catch(
    (error: unknown) => error,
  );
  expect(refused).toMatchObject({ code: "forbidden" });
  const proposal = (await askForCorrection(stage.ctx, renewal, right, asSupport)).proposal ?? "";
  await settleAll(stage);
  expect(await mailsTo(stage, "right@example.com")).toEqual([]);
  for (const { id } of [renewal, first]) {
    const { corrections } = await paymentDetails(stage.ctx, olga, id);
    expect(corrections).toMatchObject([{ id: proposal, payment: first.id, state: "proposed" }]);
  }
  await approveCorrection(stage.ctx, proposal, { actor: olga, reason: "a story" });
  await settleAll(stage);
  const [receipt, ...others] = await mailsTo(stage, "right@example.com");
  expect(others).toEqual([]);
  // the subscriber registered with it
  expect(receipt?.text).toContain("WISP-••••");
  expect(receipt?.text).not.toMatch(/WISP(-[0-9A-Z]{4}){4}/);
  const rows = await stage.ctx.store.db.select().from(payments).where(isNotNull(payments.subscription));
  expect(rows.map(({ email }) => email)).toEqual(["right@example.com", "right@example.com"]);
});

test("correcting a renewal's address replaces the unused key that its first order mailed", async () => {
  await using stage = await openSubscriptionShop();
  const guest = stage.person();
  await buy(stage, guest, { email: "typo@example.com" });
  const [mail] = await mailsTo(stage, "typo@example.com");
  const key = mail?.text?.match(/WISP(-[0-9A-Z]{4}){4}/)?.[0] ?? "none";
  const { renewal } = await renewed(stage);
  expect(await correctAddress(stage.ctx, renewal, { email: "right@example.com", receiver: false }, by)).toBe(
    1,
  );
  await settleAll(stage);
  const [right] = await mailsTo(stage, "right@example.com");
  expect(right?.text).toMatch(/WISP(-[0-9A-Z]{4}){4}/);
  expect(right?.text).not.toContain(key);
});

test("a renewal's receipt is sent again, without a key", async () => {
  await using stage = await openSubscriptionShop();
  const guest = stage.person();
  await buy(stage, guest, { email: "guest@example.com" });
  const { renewal } = await renewed(stage);
  const before = (await mailsTo(stage, "guest@example.com")).length;
  await resendReceipt(stage.ctx, limitTable({}), renewal, by);
  await settleAll(stage);
  const mails = await mailsTo(stage, "guest@example.com");
  expect(mails).toHaveLength(before + 1);
  const again = mails.filter(({ text }) => text?.includes("with the same key"));
  expect(again).toHaveLength(2);
  for (const { text } of again) expect(text).not.toMatch(/WISP(-[0-9A-Z]{4}){4}/);
});
