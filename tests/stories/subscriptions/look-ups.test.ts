import { expect, test } from "bun:test";
import { subscriptionRow } from "@/contract/wire/lookups";
import { changeEmail, prove } from "../accounts/people";
import { otherSystem } from "../../support/people/other-system";
import { operated } from "../../support/operator/run-operator";
import { openSubscriptionShop, pass, password, settleAll, subscriber } from "./subscriber";

const everything = "updated_after=1970-01-01T00:00:00Z";
const why = ["--reason", "a story"];

test("a subscription is looked up by its id in webhooks, and listed by address and by change", async () => {
  await using stage = await openSubscriptionShop();
  const system = await otherSystem(stage);
  expect((await system.get(`subscriptions?${everything}`)).body).toEqual({
    status: 200,
    data: [],
    next: null,
  });
  const { ada } = await subscriber(stage);
  await prove(stage, "ada");
  const [row] = await system.every("subscriptions", everything);
  expect(subscriptionRow.strict().parse(row)).toEqual(row);
  const [own] = (await ada.get("/api/subscriptions")).body.data;
  const { id: account } = (await ada.get("/api/user/me")).body.data;
  const [license] = await system
    .every("licenses", "email=ada@example.com")
    .then((all) => all.filter(({ order }) => order !== null));
  expect(row).toMatchObject({
    subscription: own.id,
    license: license.license,
    account,
    email: "ada@example.com",
    email_confirmed: true,
    state: "active",
    renews_at: own.renews_at,
    ends_at: null,
  });
  expect((await system.get(`subscriptions/${own.id}`)).body.data).toEqual(row);
  expect(await system.every("subscriptions", "email=ADA@example.com")).toEqual([row]);
  expect(await system.every("subscriptions", "email=else@example.com")).toEqual([]);
  await stage.ctx.store.client.execute("UPDATE subscriptions SET livemode = NOT livemode");
  expect((await system.get(`subscriptions/${own.id}`)).status).toBe(404);
  expect(await system.every("subscriptions", everything)).toEqual([]);
  expect(await system.every("subscriptions", "email=ada@example.com")).toEqual([]);
});

test("a subscription's updated_at rises with every change of its answer, and with nothing else", async () => {
  await using stage = await openSubscriptionShop();
  const system = await otherSystem(stage);
  const { ada, session, subscription } = await subscriber(stage);
  const read = async () => (await system.every("subscriptions", everything))[0];
  let before = await read();
  /** Does something, and says what of the answer changed. */
  const after = async (act: () => Promise<unknown>) => {
    await act();
    await settleAll(stage);
    const now = await read();
    const changed = Object.keys(now).filter(
      (name) => name !== "updated_at" && !Bun.deepEquals(now[name], before[name]),
    );
    expect(now.updated_at > before.updated_at).toBe(changed.length > 0);
    const since = await system.every("subscriptions", `updated_after=${before.updated_at}`);
    expect(since).toEqual(changed.length > 0 ? [now] : []);
    before = now;
    return changed;
  };
  expect(await after(() => ada.get(`/api/stripe/verify-payment?session_id=${session}`))).toEqual([]);
  expect(await after(() => pass(stage, 31))).toEqual(["renews_at"]);
  expect(await after(() => stage.atStripe("subscription/cancel-at", { subscription, months: 3 }))).toEqual([
    "ends_at",
  ]);
  expect(await after(() => prove(stage, "ada"))).toEqual(["email_confirmed"]);
  await ada.post("/api/auth/login", { username: "ada", password });
  expect(await after(() => changeEmail(stage, ada, "ada.new@example.com"))).toEqual(["email_confirmed"]);
  const corrected = (to: string) => operated(stage, "payments", "correct-email", session, to, ...why);
  expect(await after(() => corrected("right@example.com"))).toEqual(["email"]);
  expect(await system.every("subscriptions", "email=right@example.com")).toHaveLength(1);
  expect(await after(() => corrected("ada.new@example.com"))).toEqual(["email", "email_confirmed"]);
  expect(await after(() => operated(stage, "accounts", "erase", "ada", ...why))).toEqual([
    "account",
    "email",
    "email_confirmed",
    "state",
    "renews_at",
    "ends_at",
  ]);
  expect(before).toMatchObject({
    account: null,
    email: null,
    email_confirmed: false,
    state: "ended",
    renews_at: null,
  });
});
