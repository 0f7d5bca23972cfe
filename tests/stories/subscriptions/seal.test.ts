import { expect, test } from "bun:test";
import { atStripeNow, checkout, openSubscriptionShop, settleAll } from "./subscriber";

const edits = {
  "its total": { amount_total: 1 },
  "its metadata": { metadata: { order: "another" } },
};

for (const [what, edit] of Object.entries(edits)) {
  test(`a session with another order in ${what} sells nothing, its subscription is cancelled at once, and staff hear once`, async () => {
    await using stage = await openSubscriptionShop();
    const ada = stage.person();
    await ada.register(await stage.handOut(1), "ada");
    const session = await checkout(ada);
    await stage.atStripe("faults", { webhooks: { drop: "all" } });
    await stage.atStripe("pay", { session, email: "ada@example.com" });
    await stage.atStripe("alter", { session, ...edit });
    for (let time = 0; time < 2; time += 1) {
      const seen = await ada.get(`/api/stripe/verify-payment?session_id=${session}`);
      expect(seen.body).toMatchObject({ data: { status: "Payment Failed", license_key: null } });
      await settleAll(stage);
    }
    expect(await atStripeNow(stage)).toMatchObject([{ status: "canceled" }]);
    expect((await ada.get("/api/subscriptions")).body.data).toEqual([]);
    const notices = stage.lines.filter((line) => line.includes("staff notice") && line.includes(":mismatch"));
    expect(notices).toHaveLength(1);
  });
}

test("a session with another trial than agreed sells nothing, and its subscription is cancelled at once", async () => {
  await using stage = await openSubscriptionShop(7);
  const ada = stage.person();
  await ada.register(await stage.handOut(1), "ada");
  const session = await checkout(ada);
  await stage.atStripe("faults", { webhooks: { drop: "all" } });
  await stage.atStripe("pay", { session, email: "ada@example.com" });
  const held = await (await fetch(`${stage.stripe.url}/_control/ledger/${session}`)).json();
  const { metadata } = held;
  await stage.atStripe("alter", { session, metadata: { ...metadata, trial_days: "700" } });
  const seen = await ada.get(`/api/stripe/verify-payment?session_id=${session}`);
  expect(seen.body.data).toMatchObject({ status: "Payment Failed", license_key: null });
  await settleAll(stage);
  expect(await atStripeNow(stage)).toMatchObject([{ status: "canceled" }]);
});
