import { expect, test } from "bun:test";
import { startBilling } from "../../support/stripe/billing";

test("a customer who is deleted has no running subscription any more", async () => {
  await using billing = await startBilling();
  const { subscription, customer } = await billing.bought();
  await billing.control("customer/delete", { customer });
  expect((await billing.subscription(subscription)).status).toBe("canceled");
  expect(await billing.stripe.customers.retrieve(customer)).toMatchObject({ deleted: true });
});

test("items, quantities and prices that are changed by hand are billed from the next period on", async () => {
  await using billing = await startBilling();
  const { subscription: id } = await billing.bought();
  await billing.control("subscription/item", { subscription: id, quantity: 3 });
  await billing.control("subscription/add-item", { subscription: id, amount: 700, first: true });
  const { items } = await billing.subscription(id);
  expect(items.data.map(({ price, quantity }) => [price.unit_amount, quantity])).toEqual([
    [700, 1],
    [500, 3],
  ]);
  billing.pass(29);
  expect((await billing.invoices(id))[0]).toMatchObject({ total: 2200, status: "paid" });
  await billing.control("subscription/item", { subscription: id, amount: 900 });
  billing.pass(31);
  expect((await billing.invoices(id))[0]).toMatchObject({ total: 2400, status: "paid" });
});

test("an end months ahead, by date or by schedule, lets the periods before it be billed", async () => {
  await using billing = await startBilling();
  for (const action of ["subscription/cancel-at", "subscription/schedule"]) {
    const { subscription: id } = await billing.bought();
    await billing.control(action, { subscription: id, months: 3 });
    const held = await billing.subscription(id);
    expect(held).toMatchObject({ status: "active", cancel_at_period_end: false });
    expect(held.cancel_at).toBeGreaterThan(held.items.data[0]!.current_period_end);
    billing.pass(100);
    expect((await billing.subscription(id)).status).toBe("canceled");
    expect((await billing.invoices(id)).map(({ status }) => status)).toEqual(["paid", "paid", "paid"]);
  }
});

test("a trial is made longer and shorter by hand", async () => {
  await using billing = await startBilling();
  const { subscription: id } = await billing.bought({ subscription_data: { trial_period_days: 7 } });
  for (const days of [30, 3]) {
    await billing.control("subscription/trial", { subscription: id, days });
    const { status, trial_end } = await billing.subscription(id);
    expect([status, trial_end]).toEqual(["trialing", Math.floor(billing.clock.ms / 1000) + days * 86_400]);
  }
  billing.pass(4);
  expect((await billing.subscription(id)).status).toBe("active");
});
