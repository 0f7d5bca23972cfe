import { expect, test } from "bun:test";
import { utcStamp } from "@/contract/vocabulary/dates";
import { day, minute } from "@/contract/vocabulary/time";
import { refunds } from "@/domain/schema/refunds";
import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  operate,
  operateAlone,
  operateWith,
  operated,
  settingsOf,
} from "../../support/operator/run-operator";
import { eventually, openStage, type Stage } from "../../support/shop/stage";
import { mailsTo } from "../accounts/people";

const why = ["--reason", "asked for it"];

/** Stripe's refunds, newest first. */
async function atStripe(stage: Stage): Promise<{ amount: number; status: string }[]> {
  const { sessions } = await stage.atStripe("ledger", undefined as never);
  return sessions.flatMap(({ refunds: made }: { refunds: { amount: number; status: string }[] }) => made);
}
const amounts = async (stage: Stage) => (await atStripe(stage)).map(({ amount }) => amount);
const show = (stage: Stage, session: string) => operated(stage, "payments", "show", session);

/** The next refunds take effect, but Stripe's answers are lost. */
const loseAnswers = (stage: Stage, count: number) =>
  stage.atStripe("faults", {
    api: { next: [{ fail: "drop", count, when: "after", path: "/v1/refunds", method: "POST" }] },
  });

test("the operator refunds a payment in part and then the rest, which ends the licence like any refund", async () => {
  await using stage = await openStage();
  const { sessionId, key } = await stage.buy("buyer@example.com");
  const part = await operated(stage, "payments", "refund", sessionId, "--amount", "200", ...why);
  expect(part).toMatchObject({ amount: 200, state: "made", stripe: expect.stringMatching(/^re_/) });
  expect(await show(stage, sessionId)).toMatchObject({ state: "succeeded", bill: { refunded: 200 } });
  const rest = await operated(stage, "payments", "refund", sessionId, "--reason", "the rest of it");
  expect(rest).toMatchObject({ amount: 300, state: "made" });
  expect(await show(stage, sessionId)).toMatchObject({
    state: "refunded",
    bill: { paid: 500, refunded: 500 },
  });
  expect((await stage.person().register(key, "late")).body.code).toBe("license_refunded");
  const subjects = (await mailsTo(stage, "buyer@example.com")).map(({ subject }) => subject);
  expect(subjects).toContain("Your payment for Wisp Premium was refunded");
  const actions: string[] = (await operated(stage, "audit", "show", "--limit", "50"))
    .filter(
      ({ reason, actor }: { reason: string; actor: string }) =>
        reason === "asked for it" && actor === "operator",
    )
    .map(({ action }: { action: string }) => action);
  expect(actions).toEqual(["payment.refund_requested"]);
});

test("the same command run again, or at once, makes one refund, and another reason makes a second", async () => {
  await using stage = await openStage();
  const { sessionId } = await stage.buy();
  const refund = (reason: string) =>
    operated(stage, "payments", "refund", sessionId, "--amount", "100", "--reason", `ticket ${reason}`);
  const [one, two] = await Promise.all([refund("a"), refund("a")]);
  expect(two.refund).toBe(one.refund);
  const repeated = await refund("a");
  expect(repeated).toMatchObject({ refund: one.refund, made_before: true, made_at: one.made_at });
  expect(await amounts(stage)).toEqual([100]);
  await refund("b");
  expect(await amounts(stage)).toEqual([100, 100]);
});

test("a refund that the bank sent back is not reported as made, and is made again for another reason", async () => {
  await using stage = await openStage({ webhooks: false });
  const { sessionId } = await stage.buy();
  const { stripe: refund } = await operated(stage, "payments", "refund", sessionId, ...why);
  await stage.atStripe("refund/move", { refund, status: "failed" });
  const again = await operate(stage, "payments", "refund", sessionId, ...why);
  expect(again.code).toBe(1);
  expect(again.err).toContain(`${refund} was made for this and has failed since`);
  await operated(stage, "payments", "refund", sessionId, "--reason", "it failed at first");
  expect(await show(stage, sessionId)).toMatchObject({ state: "refunded" });
});

test("a refund that was interrupted right after Stripe made it is made once", async () => {
  await using stage = await openStage({ webhooks: false });
  const { sessionId } = await stage.buy();
  const killed = await operateAlone(
    { ...settingsOf(stage), FAILPOINT: "refund.made-at-stripe@1" },
    "payments",
    "refund",
    sessionId,
    ...why,
  );
  expect(killed.code).not.toBe(0);
  expect(await amounts(stage)).toEqual([500]);
  // the running shop has the job, and the operator tries again
  await operated(stage, "payments", "refund", sessionId, ...why);
  await stage.shop.worker.drain();
  expect(await amounts(stage)).toEqual([500]);
  expect(await show(stage, sessionId)).toMatchObject({ state: "refunded" });
});

test("a refund whose answers are lost is made once, even if Stripe has since forgotten the idempotency key", async () => {
  await using stage = await openStage({ webhooks: false });
  const { sessionId } = await stage.buy();
  await loseAnswers(stage, 4);
  const unanswered = await operate(stage, "payments", "refund", sessionId, ...why, "--json");
  expect([unanswered.code, JSON.parse(unanswered.out).state]).toEqual([3, "approved"]);
  await stage.atStripe("faults", { api: { next: [] } });
  stage.advance(2 * day);
  await eventually(async () => {
    await stage.shop.worker.drain();
    return (await stage.ctx.store.db.select().from(refunds))[0]?.state === "made";
  });
  expect(await amounts(stage)).toEqual([500]);
});

test("a refund of more than is left, of nothing left or of nothing paid is refused without asking Stripe", async () => {
  await using stage = await openStage();
  const { sessionId } = await stage.buy();
  const codeOf = async (...args: string[]) => {
    const { code, err } = await operate(stage, "payments", "refund", ...args, ...why, "--json");
    return code === 1 ? JSON.parse(err).error.code : code;
  };
  expect(await codeOf(sessionId, "--amount", "501")).toBe("refund_too_large");
  for (const wrong of ["0", "-1", "1.5", "five"]) expect(await codeOf(sessionId, "--amount", wrong)).toBe(2);
  expect(await codeOf("pi_unknown")).toBe("payment_unknown");
  // refunded in Stripe's dashboard
  await stage.atStripe("refund", { session: sessionId });
  expect(await codeOf(sessionId)).toBe("refund_nothing_left");
  const opened = await stage.person().post("/api/stripe/create-checkout-session", { currency: "usd" });
  expect(await codeOf(opened.body.data.id)).toBe("refund_nothing_left");
  expect(await amounts(stage)).toEqual([500]);
});

test("a refund that Stripe refuses is explained in Stripe's words, reported to staff, and can be requested again", async () => {
  await using stage = await openStage();
  const { sessionId } = await stage.buy();
  await stage.atStripe("dispute", { session: sessionId });
  for (const _ of [1, 2]) {
    const refused = await operate(stage, "payments", "refund", sessionId, ...why, "--json");
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.err).error).toMatchObject({
      code: "refund_refused",
      sentence: expect.stringContaining("has been charged back"),
    });
  }
  await stage.shop.worker.drain();
  expect(await atStripe(stage)).toEqual([]);
  const notices = stage.lines.filter((line) => line.includes('"reason":"refund refused"'));
  expect(notices).toHaveLength(2);
  const states = (await stage.ctx.store.db.select().from(refunds)).map(({ state }) => state);
  expect(states).toEqual(["refused", "refused"]);
});

test("a refund that the key may not make waits, and the operator reads which permission it lacks", async () => {
  await using stage = await openStage({ webhooks: false });
  const { sessionId } = await stage.buy();
  const key = "rk_test_of_the_shop";
  await stage.atStripe("keys", { key, lacks: ["charge_write"] });
  const settings = { ...settingsOf(stage), STRIPE_SECRET_KEY: key };
  const asked = await operateWith(settings, "payments", "refund", sessionId, ...why);
  expect(asked.code).toBe(3);
  expect(asked.out).toContain("The Stripe key lacks the permission rak_charge_write.");
});

test("a running shop makes the refunds that a command could not finish", async () => {
  await using stage = await openStage();
  const { sessionId } = await stage.buy();
  // the command and the running shop each ask twice
  await stage.atStripe("faults", {
    api: { next: [{ fail: 503, count: 4, when: "before", path: "/v1/refunds", method: "POST" }] },
  });
  expect((await operate(stage, "payments", "refund", sessionId, ...why)).code).toBe(3);
  await eventually(async () => {
    stage.advance(minute);
    stage.shop.worker.wake();
    return (await show(stage, sessionId)).state === "refunded";
  });
  expect(await amounts(stage)).toEqual([500]);
});

/** Keeps a backup of the database; the function that it resolves to restores it. */
async function backUp(stage: Stage): Promise<() => Promise<void>> {
  const [kept, live] = ["kept.db", "shop.db"].map((name) => join(stage.dataDir, name)) as [string, string];
  await stage.ctx.store.client.execute({ sql: "VACUUM INTO ?", args: [kept] });
  return () =>
    stage.restart({
      async meanwhile() {
        for (const end of ["", "-wal", "-shm"]) await rm(`${live}${end}`, { force: true });
        await copyFile(kept, live);
      },
    });
}

for (const [what, args, amount] of [
  ["a full", [], 500],
  ["a partial", ["--amount", "200"], 200],
] as const) {
  test(`${what} refund is not made again after a backup was restored, and the command says that it was made before, and when`, async () => {
    await using stage = await openStage({ webhooks: false });
    const { sessionId } = await stage.buy();
    const restore = await backUp(stage);
    const refund = (...more: string[]) => operate(stage, "payments", "refund", sessionId, ...args, ...more);
    const made = JSON.parse((await refund(...why, "--json")).out);
    const { rows } = await stage.ctx.store.client.execute("SELECT made_at FROM refunds");
    const at = utcStamp(new Date(Number(rows[0]?.["made_at"])));
    // so that Stripe has forgotten the idempotency key
    stage.advance(2 * day);
    await restore();
    expect(await stage.ctx.store.db.select().from(refunds)).toEqual([]);
    for (const _ of [1, 2]) {
      const { code, out } = await refund(...why);
      expect(code).toBe(0);
      expect(out).toContain(`was refunded before, on ${at} (${made.stripe}), and nothing was refunded now.`);
    }
    expect(await amounts(stage)).toEqual([amount]);
    expect(await stage.ctx.store.db.select().from(refunds)).toMatchObject([
      { state: "made", amount, stripeId: made.stripe },
    ]);
    const trail = await operated(stage, "audit", "show", "--limit", "50");
    expect(trail.map(({ action }: { action: string }) => action)).toContain("payment.refund_found");
  });
}

test("after a restore the same amount for another reason, or asked for by somebody else, is another refund", async () => {
  await using stage = await openStage({ webhooks: false });
  const { sessionId } = await stage.buy();
  const restore = await backUp(stage);
  const refund = (reason: string, amount = "100") =>
    operated(stage, "payments", "refund", sessionId, "--amount", amount, "--reason", `ticket ${reason}`);
  await refund("a");
  await restore();
  expect((await refund("b")).made_before).toBe(false);
  expect((await refund("a", "50")).made_before).toBe(false);
  expect(await amounts(stage)).toEqual([50, 100, 100]);
  expect((await refund("a")).made_before).toBe(true);
});

test("a refund is found again behind more than a page of others", async () => {
  await using stage = await openStage({ webhooks: false });
  const { sessionId } = await stage.buy();
  const restore = await backUp(stage);
  const refund = () => operated(stage, "payments", "refund", sessionId, "--amount", "100", ...why);
  await refund();
  for (let nth = 0; nth < 120; nth += 1) await stage.atStripe("refund", { session: sessionId, amount: 1 });
  await restore();
  expect((await refund()).made_before).toBe(true);
  expect((await amounts(stage)).filter((amount) => amount === 100)).toHaveLength(1);
});

for (const restored of [false, true]) {
  test(`a refund that Stripe refused at first is made when it is repeated${restored ? " after a restore" : ""}, though Stripe repeats its refusal under the same idempotency key`, async () => {
    await using stage = await openStage({ webhooks: false });
    const { sessionId } = await stage.buy();
    const restore = await backUp(stage);
    const refund = () => operate(stage, "payments", "refund", sessionId, ...why, "--json");
    await stage.atStripe("dispute", { session: sessionId });
    for (const _ of [1, 2]) expect(JSON.parse((await refund()).err).error.code).toBe("refund_refused");
    await stage.atStripe("dispute", { session: sessionId, status: "won" });
    if (restored) await restore();
    expect(JSON.parse((await refund()).out)).toMatchObject({ state: "made", made_before: false });
    expect(JSON.parse((await refund()).out)).toMatchObject({ state: "made", made_before: true });
    expect(await amounts(stage)).toEqual([500]);
  });
}

test("after a restore too, a refund that the bank sent back is made again only for another reason", async () => {
  await using stage = await openStage({ webhooks: false });
  const { sessionId } = await stage.buy();
  const restore = await backUp(stage);
  const args = ["payments", "refund", sessionId, "--amount", "100"];
  const { stripe: refund } = await operated(stage, ...args, ...why);
  await stage.atStripe("refund/move", { refund, status: "failed" });
  // another of the same amount stands
  await operated(stage, ...args, "--reason", "a second one");
  await restore();
  const again = await operate(stage, ...args, ...why);
  expect(again).toMatchObject({
    code: 1,
    err: expect.stringContaining(`${refund} was made for this and has failed since`),
  });
  expect((await operated(stage, ...args, "--reason", "a second one")).made_before).toBe(true);
  expect((await operated(stage, ...args, "--reason", "it failed at first")).made_before).toBe(false);
});
