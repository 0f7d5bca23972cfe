import { expect, test } from "bun:test";
import { operate, operated } from "../../support/operator/run-operator";
import { atStripeNow, openSubscriptionShop, pass, subscriber } from "./subscriber";

const why = ["--reason", "a story"];

test("a code takes off the payments that it was made for, and the customer reads the next charge", async () => {
  for (const [lasts, paid] of [
    ["once", [150, 300, 300]],
    ["2", [150, 150, 300]],
    ["forever", [150, 150, 150]],
  ] as const) {
    await using stage = await openSubscriptionShop();
    await operated(stage, "codes", "create", "HALF", "--percent", "50", "--for", lasts, ...why);
    const { ada } = await subscriber(stage, "HALF");
    const [{ amount }] = (await ada.get("/api/subscriptions")).body.data;
    expect(amount).toBe(paid[1]);
    await pass(stage, 32);
    await pass(stage, 31);
    const [held] = await atStripeNow(stage);
    expect(held?.invoices.map(({ amount_due: due }) => due)).toEqual([...paid]);
  }
});

test("a code for no months, or too many, is refused", async () => {
  await using stage = await openSubscriptionShop();
  for (const lasts of ["0", "121", "always"]) {
    const refused = await operate(
      stage,
      "codes",
      "create",
      "HALF",
      "--percent",
      "50",
      "--for",
      lasts,
      ...why,
    );
    expect(refused).toMatchObject({ code: 2, out: "" });
  }
});
