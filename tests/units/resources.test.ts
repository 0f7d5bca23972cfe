import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { licenseStates } from "@/contract/vocabulary/statuses";
import {
  accountResource as accountShape,
  licenseResource as licenceShape,
  orderResource as orderShape,
} from "@/contract/wire/webhooks";
import type { Ctx } from "@/core/database/context";
import { openStore, type Store } from "@/core/database/database";
import { accountResource, accountResources } from "@/domain/public-queries/accounts";
import { licenseResource, licenseResources } from "@/domain/public-queries/licences";
import { orderResource, orderResources } from "@/domain/public-queries/orders";
import { accounts } from "@/domain/schema/accounts";
import { licences } from "@/domain/schema/licences";
import { payments } from "@/domain/schema/payments";

const now = new Date("2026-06-01T00:00:00Z");
const [past, future] = [new Date(now.getTime() - 1), new Date(now.getTime() + 1)];
const folder = mkdtempSync(join(tmpdir(), "resources-"));
let store: Store;
let ctx: Ctx;

beforeAll(async () => {
  store = await openStore({ url: `file:${join(folder, "shop.db")}` });
  ctx = { store, livemode: true, now: () => now } as Ctx;
  await store.db.insert(accounts).values({
    id: "ann",
    username: "Ann",
    usernameKey: "ann",
    email: "Ann@example.com",
    emailKey: "ann@example.com",
    passwordHash: "",
    timezone: "UTC",
    createdAt: past,
  });
});

afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

let made = 0;

async function pay(more: Partial<typeof payments.$inferInsert> = {}): Promise<string> {
  const id = `p${++made}`;
  await store.db.insert(payments).values({
    id,
    sessionId: `cs_${id}`,
    state: "succeeded",
    unitAmount: 500,
    currency: "usd",
    livemode: true,
    createdAt: past,
    ...more,
  });
  return id;
}

async function license(more: Partial<typeof licences.$inferInsert> = {}): Promise<string> {
  const id = `l${++made}`;
  await store.db.insert(licences).values({
    id,
    keyHash: id,
    keySealed: `secret ${id}`,
    level: "premium",
    chain: "premium",
    createdAt: past,
    ...more,
  });
  return id;
}

test("an order has the amounts of its bill and the name on its own page", async () => {
  const id = await pay({
    intentId: "pi_1",
    sealVersion: 1,
    offer: "monthly",
    product: "Monthly",
    level: "pro",
    levelName: "Pro",
    quantity: 3,
    paidAmount: 1200,
    refundedAmount: 200,
    email: "Buyer@example.com",
    accountId: "ann",
    soldAt: past,
  });
  const order = await orderResource(ctx, id);
  expect(order).toEqual({
    order: "pi_1",
    account: "ann",
    email: "Buyer@example.com",
    email_confirmed: false,
    offer: "monthly",
    level: { id: "pro", name: "Pro" },
    quantity: 3,
    currency: "usd",
    paid: 1200,
    refunded: 200,
    state: "succeeded",
  });
  expect(orderShape.strict().parse(order)).toEqual(order as never);
});

test("an order, a free one and an unpaid one say what was paid", async () => {
  const first = await pay({ paidAmount: 500, soldAt: past });
  const free = await pay({ paidAmount: 0, soldAt: past });
  const unpaid = await pay({ state: "expired" });
  const found = await orderResources(ctx, [first, free, unpaid]);
  expect([...found.values()].map(({ order, paid, state }) => [order, paid, state])).toEqual([
    [first, 500, "succeeded"],
    [free, 0, "succeeded"],
    [unpaid, 0, "expired"],
  ]);
});

test("a state that only a newer release knows is shown as processing", async () => {
  expect(await orderResource(ctx, await pay({ state: "held" as "open" }))).toMatchObject({
    state: "processing",
  });
});

test("a checkout without an outcome, one of the other Stripe mode and an unknown one are no orders", async () => {
  const ids = [await pay({ state: "open" }), await pay({ livemode: false }), "nobody"];
  expect(await orderResources(ctx, ids)).toEqual(new Map());
  expect(await orderResource(ctx, "nobody")).toBeNull();
});

test("a license has each of the seven states", async () => {
  const redeemed = { accountId: "ann", redeemedAt: past };
  const ids = {
    active: await license({ ...redeemed, expiresAt: future }),
    unredeemed: await license(),
    expired: await license({ ...redeemed, expiresAt: now }),
    suspended: await license({ ...redeemed, suspendedAt: past }),
    disputed: await license({ paymentStatus: "disputed" }),
    refunded: await license({ paymentStatus: "refunded" }),
    revoked: await license({ ...redeemed, revokedAt: past }),
  };
  const found = await licenseResources(ctx, Object.values(ids));
  for (const state of licenseStates) {
    const one = found.get(ids[state]);
    expect(one).toMatchObject({ license: ids[state], state, devices: 1 });
    expect(licenceShape.strict().parse(one)).toEqual(one as never);
  }
  expect(found.get(ids.active)?.expires_at).toBe(future.toISOString());
});

test("a license's email is where its key was mailed, then its owner's, and null once they are erased", async () => {
  const payment = await pay({ intentId: "pi_2", email: "buyer@example.com" });
  const gift = await pay({ email: "buyer@example.com", giftEmail: "friend@example.com" });
  const erased = await pay({ email: "buyer@example.com", giftEmail: "" });
  const redeemed = { redeemedAt: past, primaryPaymentId: null, additionalPaymentId: payment };
  const emailOf = async (id: string) => (await licenseResource(ctx, id))?.email;
  expect(await licenseResource(ctx, await license({ primaryPaymentId: payment }))).toMatchObject({
    order: "pi_2",
    account: null,
    email: "buyer@example.com",
  });
  expect(await emailOf(await license({ primaryPaymentId: gift }))).toBe("friend@example.com");
  expect(await emailOf(await license({ primaryPaymentId: erased }))).toBeNull();
  expect(await emailOf(await license())).toBeNull();
  const owned = await license({ ...redeemed, accountId: "ann", paymentIndex: 1 });
  expect(await licenseResource(ctx, owned)).toMatchObject({ account: "ann", email: "Ann@example.com" });
  const disowned = await license({ ...redeemed, paymentIndex: 2 });
  expect(await licenseResource(ctx, disowned)).toMatchObject({ account: null, email: null });
});

test("an email counts as confirmed only where the row's own account has confirmed it", async () => {
  await store.db.insert(accounts).values({
    id: "bea",
    username: "Bea",
    usernameKey: "bea",
    email: "bea@example.com",
    emailKey: "bea@example.com",
    emailConfirmedAt: past,
    passwordHash: "",
    timezone: "UTC",
    createdAt: past,
  });
  const [hers, email] = [{ accountId: "bea" }, "Bea@example.com"];
  const order = async (more: Parameters<typeof pay>[0]) =>
    (await orderResource(ctx, await pay(more)))?.email_confirmed;
  expect(await order({ ...hers, email })).toBe(true);
  expect(await order({ ...hers, email: "else@example.com" })).toBe(false);
  expect(await order({ ...hers, email: null })).toBe(false);
  expect(await order({ ...hers, email: "Ann@example.com" })).toBe(false);
  expect(await order({ accountId: "ann", email: "Ann@example.com" })).toBe(false);
  expect(await order({ email })).toBe(false);
  const owned = async (more: Parameters<typeof license>[0]) =>
    (await licenseResource(ctx, await license(more)))?.email_confirmed;
  expect(await owned({ ...hers, redeemedAt: past })).toBe(true);
  expect(await owned({ accountId: "ann", redeemedAt: past })).toBe(false);
  expect(await owned({ primaryPaymentId: await pay({ ...hers, email }) })).toBe(false);
  expect(await accountResource(ctx, "bea")).toMatchObject({ email_confirmed: true });
});

test("a license of the other Stripe mode is not found, and a license that nobody bought belongs to both", async () => {
  expect(await licenseResource(ctx, await license({ livemode: false }))).toBeNull();
  const given = await license({ livemode: null });
  expect(await licenseResource({ ...ctx, livemode: false }, given)).not.toBeNull();
});

test("an account has its email, or null once it is erased", async () => {
  expect(await accountResource(ctx, "ann")).toEqual({
    account: "ann",
    email: "Ann@example.com",
    email_confirmed: false,
  });
  const found = await accountResources(ctx, ["gone", "ann"]);
  expect([...found.values()].map((one) => accountShape.strict().parse(one).email)).toEqual([
    null,
    "Ann@example.com",
  ]);
});

test("a hundred rows are one query", async () => {
  const ids = await Promise.all(Array.from({ length: 100 }, () => license()));
  let queries = 0;
  const counting = {
    ...ctx,
    store: {
      ...store,
      db: new Proxy(store.db, {
        get: (db, name) => {
          if (name === "select") queries += 1;
          return Reflect.get(db, name) as unknown;
        },
      }),
    },
  };
  expect((await licenseResources(counting, ids)).size).toBe(100);
  expect(queries).toBe(1);
});
