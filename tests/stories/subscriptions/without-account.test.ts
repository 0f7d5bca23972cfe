/** A buyer who never makes an account manages the subscription at Stripe, by email. */
import { expect, test } from "bun:test";
import { eventually } from "../../support/shop/stage";
import { mailsTo } from "../accounts/people";
import { atStripeNow, checkout, happens, openSubscriptionShop, pass, settleAll } from "./subscriber";

const loginPage = /http\S+\/p\/login\/bpc_\w+/;

/** Presses a button of Stripe's pages. */
const press = (url: string, body: Record<string, string> = {}) =>
  fetch(url, {
    method: "POST",
    redirect: "manual",
    headers: { origin: new URL(url).origin },
    body: new URLSearchParams(body),
  });

test("every receipt leads a buyer without an account to Stripe's page, on which the subscription is cancelled", async () => {
  await using stage = await openSubscriptionShop();
  const session = await checkout(stage.person());
  await happens(stage, "pay", { session, email: "nora@example.com" });
  // it waits until its subscription is settled
  const [receipt] = await eventually(
    () => mailsTo(stage, "nora@example.com"),
    (all) => all.length > 0,
  );
  const [page = ""] = loginPage.exec(receipt?.text ?? "") ?? [];
  await pass(stage, 32);
  await settleAll(stage);
  const renewed = await eventually(
    async () => (await mailsTo(stage, "nora@example.com")).find(({ subject }) => !subject.includes("key")),
    (mail) => mail !== undefined,
  );
  expect(renewed?.text).toContain(page);
  // who has lost the receipts finds it in the list of orders
  expect((await stage.person().post("/api/payments/find", { email: "nora@example.com" })).status).toBe(200);
  const orders = (await mailsTo(stage, "nora@example.com")).find(({ subject }) => subject === "Your orders");
  expect(orders?.text).toContain(page);

  const portal = (await press(page, { email: "nora@example.com" })).headers.get("location") ?? "";
  const [held] = await atStripeNow(stage);
  await press(`${portal}/cancel/${held?.subscription}`);
  await settleAll(stage);
  const { rows } = await stage.ctx.store.client.execute("SELECT status FROM subscriptions");
  expect(rows).toMatchObject([{ status: "ending" }]);
});
