import { expect, test } from "bun:test";
import { atStripeNow, checkout, openSubscriptionShop, settleAll, customer } from "./subscriber";

type Metadata = Record<string, string>;
const edits = {
  "its total": () => ({ amount_total: 1 }),
  "its metadata": () => ({ metadata: { order: "another" } }),
  "its trial": (metadata: Metadata) => ({
    metadata: { ...metadata, order_1: metadata["order_1"]?.replace('"trialDays":7', '"trialDays":700') },
  }),
};

for (const [what, edit] of Object.entries(edits)) {
  test(`a session with another order in ${what} sells nothing, its subscription is cancelled at once, and staff are notified once`, async () => {
    await using stage = await openSubscriptionShop(what === "its trial" ? 7 : null);
    const ada = await customer(stage);
    const session = await checkout(ada);
    await stage.atStripe("faults", { webhooks: { drop: "all" } });
    await stage.atStripe("pay", { session, email: "ada@example.com" });
    const held = await (await fetch(`${stage.stripe.url}/_control/ledger/${session}`)).json();
    await stage.atStripe("alter", { session, ...edit(held.metadata) });
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
