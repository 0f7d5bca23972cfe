import { expect, test } from "bun:test";
import { day } from "@/contract/vocabulary/time";
import { openStage, type Stage } from "../../support/shop/stage";
import { unproven } from "../accounts/people";

const redeem = (person: ReturnType<Stage["person"]>, key: string) =>
  person.post("/api/licenses/redeem", { key, timezone: "UTC" });

test("a bad key creates no account", async () => {
  await using stage = await openStage();
  const person = stage.person();
  expect((await person.register("WISP-0000-0000-0000-0001", "nobody")).body.code).toBe("license_malformed");
  expect((await person.register("WISP-0000-0000-0000-0000", "nobody")).body.code).toBe("license_unknown");
  expect(await stage.count("accounts")).toBe(0);
});

test("when a hundred redeem one key at once, one gets it", async () => {
  await using stage = await openStage({ env: { LIMITS: "own=1000/60" } });
  const people = await Promise.all(
    Array.from({ length: 10 }, async (_, at) => {
      const person = stage.person();
      expect((await person.register(await stage.handOut(1), `racer${at}`)).status).toBe(200);
      return person;
    }),
  );
  const key = await stage.handOut(30);
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, at) => redeem(people[at % people.length] ?? people[0]!, key)),
  );
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  for (const lost of answers.filter((answer) => answer.status !== 200)) {
    expect(lost.body.code).toBeOneOf(["license_taken", "license_yours", "rate_limited"]);
  }
  expect(await stage.count("audit_log WHERE action = 'licence.redeemed'")).toBe(people.length + 1);
});

test("when a hundred register with one key at once, one gets an account", async () => {
  await using stage = await openStage();
  const key = await stage.handOut();
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, at) => stage.person().register(key, `claimer${at}`)),
  );
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
  expect(await stage.count("accounts")).toBe(1);
});

test("timed keys add up from the later of now and the current expiry, also when redeemed at once", async () => {
  await using stage = await openStage();
  const person = stage.person();
  await person.register(await stage.handOut(10), "tim");
  const keys = await Promise.all([stage.handOut(10), stage.handOut(10), stage.handOut(10)]);
  const answers = await Promise.all(keys.map((key) => redeem(person, key)));
  const days = answers
    .map((answer) => Math.round((Date.parse(answer.body.data.expiry_date) - Date.now()) / day))
    .toSorted((a, b) => a - b);
  expect(days).toEqual([20, 30, 40]);
});

test("a key that would add nothing is refused and stays unspent", async () => {
  await using stage = await openStage();
  const person = await unproven(stage, "lifer");
  const spare = await stage.handOut(30);
  const refused = await redeem(person, spare);
  expect(refused).toMatchObject({ status: 409, body: { code: "license_pointless" } });
  expect((await stage.person().register(spare, "friend")).status).toBe(200);
});

test("a dispute suspends the licence at once, winning restores it, losing revokes it", async () => {
  await using stage = await openStage();
  const person = stage.person();
  const { sessionId: session, key } = await stage.buy();
  await person.register(key, "dora");
  const active = async () => (await person.get("/api/user/me")).body.data.active_license;
  const setStatus = async (status: string) => {
    await stage.stripeTells("dispute", { session, status });
  };
  await setStatus("warning_needs_response");
  expect(await active()).toBe(true);
  await setStatus("needs_response");
  expect(await active()).toBe(false);
  expect((await person.get("/api/licenses/me")).body.data).toMatchObject([{ active: false, disputed: true }]);
  expect((await person.get("/api/payments/")).body.data).toMatchObject([{ status: "disputed" }]);
  await setStatus("won");
  expect(await active()).toBe(true);
  await setStatus("lost");
  expect(await active()).toBe(false);
  expect((await person.get("/api/licenses/me")).body.data).toMatchObject([
    { active: false, disputed: false },
  ]);
});

test("a payment is listed for the account that made it or redeemed its licence, never by email", async () => {
  await using stage = await openStage();
  const [giver, friend] = [stage.person(), stage.person()];
  await giver.register(await stage.handOut(), "giver");
  await friend.register(await stage.handOut(1), "friend");
  const opened = await giver.post("/api/stripe/create-checkout-session", { currency: "usd" });
  await stage.stripeTells("pay", { session: opened.body.data.id, email: "friend@example.com" });
  const of = async (person: typeof giver) => (await person.get("/api/payments")).body.data;
  expect(await of(giver)).toHaveLength(1);
  expect(await of(friend)).toHaveLength(0);
  const [{ license_key: key }] = await of(giver);
  expect((await redeem(friend, key)).status).toBe(200);
  expect(await of(friend)).toMatchObject([{ license_key: key }]);
  expect((await of(giver))[0].license_key).toEndWith(`••••-${key.slice(-4)}`);
});
