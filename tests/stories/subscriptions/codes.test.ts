import { expect, test } from "bun:test";
import { day, hour, minute } from "@/contract/vocabulary/time";
import { subscriptions } from "@/domain/schema/subscriptions";
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

test.each([
  [null, "once"],
  [null, "2"],
  [null, "forever"],
  [7, "once"],
  [7, "2"],
] as const)(
  "after %p trial days, with a code for %p, the next charge is what is charged then, also while the invoice before it is a draft",
  async (trialDays, lasts) => {
    await using stage = await openSubscriptionShop(trialDays);
    await operated(stage, "codes", "create", "HALF", "--percent", "50", "--for", lasts, ...why);
    await subscriber(stage, "HALF");
    const expected: (number | null | undefined)[] = [];
    const next = async () => {
      const [row] = await stage.ctx.store.db.select().from(subscriptions);
      if (!row?.renewsAt) throw new Error("it does not renew");
      expected.push(row.nextAmount);
      return (row.renewsAt.getTime() - stage.ctx.now().getTime()) / day;
    };
    const charges = async () =>
      (await atStripeNow(stage))[0]?.invoices.slice(1).map(({ amount_due: due }) => due);
    for (let nth = 0; nth < 3; nth += 1) {
      await pass(stage, (await next()) + minute / day);
      // the invoice is a draft for an hour, and what is said then is of the one after it
      const inDraft = await stage.ctx.store.db.select().from(subscriptions);
      await pass(stage, (2 * hour) / day);
      const [after] = await stage.ctx.store.db.select().from(subscriptions);
      expect(inDraft[0]?.nextAmount).toBe(after?.nextAmount ?? null);
    }
    expect(await charges()).toEqual(expected as number[]);
  },
);

test("a code for no months, or too many, is refused", async () => {
  await using stage = await openSubscriptionShop();
  for (const lasts of ["0", "121", "always"]) {
    const half = ["codes", "create", "HALF", "--percent", "50", "--for", lasts];
    expect(await operate(stage, ...half, ...why)).toMatchObject({ code: 2, out: "" });
  }
});
