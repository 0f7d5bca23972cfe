import { staff } from "../../support/people/staff";
import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { proposeRefund } from "@/domain/payments/corrections/proposals";
import { payments } from "@/domain/schema/payments";
import { operateWith, settingsOf } from "../../support/operator/run-operator";
import { openStage, type Stage } from "../../support/shop/stage";

const why = ["--reason", "a test"];
const inDinars = (stage: Stage, ...args: string[]) =>
  operateWith({ ...settingsOf(stage), CURRENCY: "kwd" }, ...args, ...why);

const commands: [what: string, args: (amount: string) => string[]][] = [
  ["an offer", (amount) => ["offers", "add", "month", "--name", "A month", "--amount", amount]],
  ["a changed offer", (amount) => ["offers", "change", "week", "--amount", amount]],
  ["a promotion code", (amount) => ["codes", "create", "LESS", "--amount", amount]],
];
test("amounts in a currency with three decimals must end with a zero", async () => {
  await using stage = await openStage({ env: { CURRENCY: "kwd" } });
  await inDinars(stage, "offers", "add", "week", "--name", "A week", "--amount", "1000");
  for (const [what, args] of commands) {
    expect([what, await inDinars(stage, ...args("1505"))]).toMatchObject([
      what,
      {
        code: 1,
        err: expect.stringContaining("KWD 1.505 can't be paid: amounts in KWD must end with a zero."),
      },
    ]);
    expect([what, await inDinars(stage, ...args("1500"))]).toMatchObject([what, { code: 0 }]);
  }
});

test("a refund in a currency with three decimals must end with a zero, by command and in Discord", async () => {
  await using stage = await openStage({ env: { CURRENCY: "kwd" }, webhooks: false });
  const { sessionId } = await stage.buy();
  const refund = (amount: string) => inDinars(stage, "payments", "refund", sessionId, "--amount", amount);
  expect((await refund("205")).err).toContain("KWD 0.205 can't be paid");
  const [payment] = await stage.ctx.store.db.select().from(payments).where(eq(payments.sessionId, sessionId));
  if (!payment) throw new Error("nothing was bought");
  const by = { actor: staff("1"), reason: "a test" };
  expect(
    proposeRefund(stage.ctx, payment, { amount: 205, by, ticketId: "1", cap: 5000 }),
  ).rejects.toMatchObject({ code: "amount_uneven" });
  expect((await refund("200")).out).toContain("KWD 0.200 of");
});

test("amounts in krónur and shillings, which Stripe takes with two decimals, must be whole", async () => {
  for (const currency of ["isk", "ugx"]) {
    await using stage = await openStage({ env: { CURRENCY: currency } });
    const env = { ...settingsOf(stage), CURRENCY: currency };
    const odd = ["offers", "add", "odd", "--name", "Odd", "--amount"];
    const wanted = (amount: string) => operateWith(env, ...odd, amount, ...why);
    const name = currency.toUpperCase();
    expect(await wanted("50050")).toMatchObject({
      code: 1,
      err: expect.stringContaining(`${name} 500.50 can't be paid: amounts in ${name} must be whole.`),
    });
    expect(await wanted("50010")).toMatchObject({ code: 1 });
    expect(await wanted("50000")).toMatchObject({ code: 0 });
  }
});
