import { expect, test } from "bun:test";
import { desc, isNotNull } from "drizzle-orm";
import { correctEmail, resendReceipt } from "@/domain/payments/staff/corrections";
import { payments } from "@/domain/schema/payments";
import { staff } from "../../support/people/staff";
import type { Stage } from "../../support/shop/stage";
import { mailsTo } from "../accounts/people";
import { by, checkout, openSubscriptionShop, pass, settleAll, subscriber } from "./subscriber";

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

const support = { actor: staff("1", ["support"]), reason: "a story" };

test("support takes no redeemed key by correcting the address of a renewal", async () => {
  await using stage = await openSubscriptionShop();
  await subscriber(stage);
  const { renewal } = await renewed(stage);
  const refused: unknown = await correctEmail(stage.ctx, renewal, "thief@example.com", support).catch(
    (error: unknown) => error,
  );
  expect(refused).toMatchObject({ code: "license_taken" });
  await settleAll(stage);
  expect(await mailsTo(stage, "thief@example.com")).toEqual([]);
  // an owner moves the whole order, renewals too
  await correctEmail(stage.ctx, renewal, "right@example.com", by);
  await settleAll(stage);
  expect(await mailsTo(stage, "right@example.com")).toHaveLength(1);
  const rows = await stage.ctx.store.db.select().from(payments).where(isNotNull(payments.subscription));
  expect(rows.map(({ email }) => email)).toEqual(["right@example.com", "right@example.com"]);
});

test("correcting a renewal's address replaces the unused key that its first order mailed", async () => {
  await using stage = await openSubscriptionShop();
  const guest = stage.person();
  const session = await checkout(guest);
  await stage.atStripe("pay", { session, email: "typo@example.com" });
  await settleAll(stage);
  const [mail] = await mailsTo(stage, "typo@example.com");
  const key = mail?.text?.match(/WISP(-[0-9A-Z]{4}){4}/)?.[0] ?? "none";
  const { renewal } = await renewed(stage);
  expect(await correctEmail(stage.ctx, renewal, "right@example.com", support)).toBe(1);
  await settleAll(stage);
  const [right] = await mailsTo(stage, "right@example.com");
  expect(right?.text).toMatch(/WISP(-[0-9A-Z]{4}){4}/);
  expect(right?.text).not.toContain(key);
});

test("a renewal's receipt is sent again, without a key", async () => {
  await using stage = await openSubscriptionShop();
  const guest = stage.person();
  const session = await checkout(guest);
  await stage.atStripe("pay", { session, email: "guest@example.com" });
  await settleAll(stage);
  const { renewal } = await renewed(stage);
  const before = (await mailsTo(stage, "guest@example.com")).length;
  await resendReceipt(stage.ctx, renewal, by);
  await settleAll(stage);
  const mails = await mailsTo(stage, "guest@example.com");
  expect(mails).toHaveLength(before + 1);
  const again = mails.filter(({ text }) => text?.includes("with the same key"));
  expect(again).toHaveLength(2);
  for (const { text } of again) expect(text).not.toMatch(/WISP(-[0-9A-Z]{4}){4}/);
});
