import { expect, test } from "bun:test";
import { day } from "@/contract/vocabulary/time";
import { shopStatistics } from "@/domain/customers/statistics";
import { openStage } from "../../support/shop/stage";

test("each licence figure counts what it says and nothing else", async () => {
  await using stage = await openStage();
  const now = stage.ctx.now().getTime();
  const held = `redeemed_at = ${now - 9 * day}`;
  const states = [
    "type = type",
    held,
    `${held}, expires_at = ${now + 3 * day}`,
    `${held}, expires_at = ${now + 30 * day}`,
    `${held}, expires_at = ${now - day}`,
    `${held}, suspended_at = ${now}`,
    `${held}, expires_at = ${now - day}, suspended_at = ${now}, revoked_at = ${now}`,
    "payment_standing = 'disputed'",
    "payment_standing = 'refunded'",
  ];
  for (const state of states) {
    await stage.handOut();
    const last = "rowid = (SELECT max(rowid) FROM licences)";
    await stage.ctx.store.client.execute(`UPDATE licences SET ${state} WHERE ${last}`);
  }
  expect((await shopStatistics(stage.ctx, 30)).licences).toEqual({
    issued: 9,
    redeemed: 6,
    active: 3,
    ending_in_7_days: 1,
    expired: 1,
    suspended: 1,
    revoked: 1,
    disputed: 1,
    taken_back_with_the_payment: 1,
  });
});

test("a payment that matched no order is not a sale", async () => {
  await using stage = await openStage({ webhooks: false });
  await stage.buy();
  const buyer = stage.person();
  const opened = await buyer.post("/api/stripe/create-checkout-session", { currency: "usd" });
  const session: string = opened.body.data.id;
  await stage.atStripe("pay", { session });
  await stage.atStripe("alter", { session, amount_total: 1 });
  await buyer.get(`/api/stripe/verify-payment?session_id=${session}`);
  const { sales } = await shopStatistics(stage.ctx, 30);
  expect(sales.map(({ sold, amount }) => [sold, amount])).toEqual([[1, 500]]);
});
