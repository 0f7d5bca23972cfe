import { operator } from "@/core/base/actor";
import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import { day } from "@/contract/vocabulary/time";
import { customer } from "@/core/base/actor";
import { commit } from "@/core/database/commit";
import { accountByName } from "@/domain/accounts/sessions/account";
import { changeLicence, extendLicence, type LicenceChange } from "@/domain/licences/changes/change";
import { licenceNamed } from "@/domain/licences/keys/find";
import { issueNewWrites } from "@/domain/licences/keys/issue";
import { randomKey } from "@/domain/licences/keys/keys";
import { redeem } from "@/domain/licences/changes/redeem";
import { settle } from "@/domain/payments/settlement/settle";
import { reconcilePayments } from "@/domain/payments/reconcile/reconcile-payments";
import { licences } from "@/domain/schema/licences";
import { seededRandom } from "../../crash/random";
import { endsByContract } from "../../support/checks/licence-time-by-contract";
import type { Person } from "../../support/people/person";
import { operate, operated } from "../../support/operator/run-operator";
import { buyMonth, sellMonth } from "../../support/shop/sell-month";
import { openStage, type Stage } from "../../support/shop/stage";

const why = ["--reason", "a story"];
const by = { actor: operator, reason: "a story" };

/** A shop that also sells thirty days, and somebody who has an account and no time left. */
async function begin(options: Parameters<typeof openStage>[0] = {}) {
  const stage = await openStage(options);
  await sellMonth(stage);
  const ada = stage.person();
  await ada.register(await stage.handOut(1), "ada");
  stage.advance(2 * day);
  return Object.assign(stage, { ada, start: stage.ctx.now().getTime() });
}

/** Lets days go by and signs in again, as a session doesn't last that long. */
async function pass(stage: Awaited<ReturnType<typeof begin>>, days: number): Promise<void> {
  stage.advance(days * day);
  const login = { username: "ada", password: "a long enough phrase" };
  expect(await stage.ada.post("/api/auth/login", login)).toMatchObject({ status: 200 });
}

/** What staff do, at the story's time. */
const staff = (stage: Stage) => ({
  change: async (key: string, change: LicenceChange) =>
    changeLicence(stage.ctx, await licenceNamed(stage.ctx, key), change, by),
  extend: async (key: string, days: number) =>
    extendLicence(stage.ctx, await licenceNamed(stage.ctx, key), days, by),
});

type Bought = Awaited<ReturnType<typeof buyMonth>>;

/** Redeems a key; resolves to its end. */
async function use(person: Person, key: string): Promise<string> {
  const answer = await person.post("/api/licenses/redeem", { key, timezone: "UTC" });
  expect(answer).toMatchObject({ status: 200 });
  return answer.body.data.expiry_date;
}

/** The end of each of a person's licences by its key, in days from the story's beginning. */
async function endsOf(stage: Stage & { start: number }, person: Person): Promise<Record<string, number>> {
  const own: { key: string; expiry_date: string }[] = (await person.get("/api/licenses/me")).body.data;
  const days = (end: string) => Math.round(((Date.parse(end) - stage.start) / day) * 100) / 100;
  return Object.fromEntries(own.map(({ key, expiry_date }) => [key, days(expiry_date)]));
}

test("a refund or a dispute counts from when it was made at Stripe, however late the shop hears of it", async () => {
  await using stage = await begin({ webhooks: false });
  const [refunded, disputed, last] = [await buyMonth(stage), await buyMonth(stage), await buyMonth(stage)];
  for (const { key } of [refunded, disputed, last]) await use(stage.ada, key);
  await pass(stage, 3);
  await stage.atStripe("refund", { session: refunded.session, amount: 50 });
  await pass(stage, 2);
  await stage.atStripe("refund", { session: refunded.session });
  await stage.atStripe("dispute", { session: disputed.session, status: "warning_needs_response" });
  await pass(stage, 4);
  await stage.atStripe("dispute", { session: disputed.session, status: "needs_response" });
  await pass(stage, 11);
  for (const { session } of [refunded, disputed]) await settle(stage.ctx, stage.shop.checkout, session);
  const ends = await endsOf(stage, stage.ada);
  expect(ends[refunded.key]).toBeCloseTo(5, 1);
  // an inquiry takes nothing; the dispute that it becomes does
  expect(ends[disputed.key]).toBeCloseTo(9, 1);
  expect(ends[last.key]).toBeCloseTo(39, 1);
  expect(
    (await stage.ada.get("/api/licenses/me")).body.data.map(({ status }: { status: string }) => status),
  ).toEqual(["active", "disputed", "refunded", "expired"]);
});

test("an imported end is fixed, whatever is redeemed after it", async () => {
  await using stage = await begin();
  const file = `${stage.dataDir}/customers.csv`;
  const end = new Date(stage.start + 12 * day).toISOString().slice(0, 10);
  await Bun.write(file, `username,email,key,days,expires\nimke,imke@example.com,OLDSHOPKEY0001,300,${end}\n`);
  expect((await operate(stage, "import", "customers", file, ...why, "--json")).code).toBe(0);
  const { id } = (await accountByName(stage.ctx, "imke"))!;
  const key = await stage.handOut(30);
  await redeem(stage.ctx, customer(id), key);
  const [imported, added] = [
    await licenceNamed(stage.ctx, "OLDSHOPKEY0001"),
    await licenceNamed(stage.ctx, key),
  ];
  expect(imported.expiresAt).toEqual(new Date(Date.parse(end) + day));
  expect(added.expiresAt).toEqual(new Date((imported.expiresAt?.getTime() ?? 0) + 30 * day));
});

test("when two operations race on one account, its licences' ends are right whichever wins", async () => {
  await using stage = await begin({ env: { LIMITS: "own=1000/60,redeem=1000/60" } });
  const { pick, shuffled, whole } = seededRandom(3);
  const { id: accountId } = (await accountByName(stage.ctx, "ada"))!;
  for (let round = 0; round < 4; round += 1) {
    const bought = await Promise.all(Array.from({ length: 4 }, () => buyMonth(stage)));
    const given = await Promise.all(Array.from({ length: 3 }, () => stage.handOut(whole(1, 30))));
    const [early, other, late, last] = bought as [Bought, Bought, Bought, Bought];
    for (const { key } of [early, other]) await use(stage.ada, key);
    await pass(stage, whole(1, 5));
    await stage.atStripe("refund", { session: early.session });
    await stage.atStripe("dispute", { session: other.session, status: "needs_response" });
    await stage.atStripe("refund", { session: last.session });
    const verbs = shuffled([
      // the suspension and the refund race: either outcome is right
      ...given.map((key) => () => redeem(stage.ctx, customer(accountId), key).catch(() => null)),
      () => use(stage.ada, late.key),
      () => redeem(stage.ctx, customer(accountId), last.key).catch(() => null),
      () => stage.stripe.flush(),
      () => reconcilePayments(stage.ctx, stage.shop.checkout),
      () => staff(stage).extend(pick(given), 3),
      () => staff(stage).change(pick(given), "suspend"),
    ]);
    await Promise.all(verbs.map((verb) => verb()));
    await reconcilePayments(stage.ctx, stage.shop.checkout);
    await expectContract(stage, accountId);
  }
});

/** The stored ends of an account are those of the contract, given the causes that are stored. */
async function expectContract(stage: Stage, accountId: string): Promise<void> {
  const { rows } = await stage.ctx.store.client.execute({
    sql: `SELECT id, chain, days, redeemed_at, expires_at, suspended_at, revoked_at, livemode,
      CASE WHEN payment_standing <> 'good' THEN payment_fell_at END AS payment_fell_at,
      (SELECT json_group_array(json_object('name', e.id, 'days', e.days, 'at', e.added_at / ${day}.0))
        FROM licence_extensions e WHERE e.licence_id = licences.id) AS extensions
      FROM licences WHERE account_id = ?`,
    args: [accountId],
  });
  const inDays = (at: unknown) => Number(at) / day;
  const sold = rows.map((row) => ({
    name: row["id"] as string,
    level: row["chain"] as string,
    days: row["days"] as number | null,
    redeemed: inDays(row["redeemed_at"]),
    mode: row["livemode"] === null ? null : ("test" as const),
    causes: [row["payment_fell_at"], row["suspended_at"], row["revoked_at"]].flatMap((at) =>
      at === null ? [] : [inDays(at)],
    ),
    extensions: JSON.parse(row["extensions"] as string),
  }));
  const ends = endsByContract(sold, "test");
  for (const row of rows) {
    expect(Number(row["expires_at"]) - Math.round((ends[row["id"] as string] ?? 0) * day)).toBeWithin(-2, 3);
  }
}

test("a refund of an erased account's licence is recorded like any other", async () => {
  await using stage = await begin();
  const bought = await buyMonth(stage);
  await use(stage.ada, bought.key);
  expect((await operate(stage, "accounts", "erase", "ada", ...why)).code).toBe(0);
  await stage.stripeTells("refund", { session: bought.session });
  expect(await operated(stage, "payments", "show", bought.session)).toMatchObject({ state: "refunded" });
});

test("an account with ten thousand licences redeems another in bounded steps", async () => {
  await using stage = await begin();
  const { ctx } = stage;
  const { id: accountId } = (await accountByName(ctx, "ada"))!;
  const now = ctx.now().getTime();
  for (let from = 0; from < 10_000; from += 500) {
    const made = Array.from({ length: 500 }, () => ({ key: randomKey(), level: "premium", days: 1 }));
    await commit(
      ctx.store,
      made.flatMap((one) => issueNewWrites(ctx, one)),
    );
  }
  await ctx.store.db
    .update(licences)
    .set({ accountId, redeemedAt: new Date(now), expiresAt: new Date(now + 10_000 * day) })
    .where(eq(licences.days, 1));
  const widest = { rows: 0, written: 0 };
  const { client } = ctx.store;
  const counting = new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name !== "execute" && name !== "batch") return value;
      return async (...asked: unknown[]) => {
        const answer = (await (value as (...args: unknown[]) => unknown).apply(target, asked)) as
          { rows: unknown[]; rowsAffected: number } | { rows: unknown[]; rowsAffected: number }[];
        for (const one of [answer].flat()) {
          widest.rows = Math.max(widest.rows, one.rows.length);
          widest.written = Math.max(widest.written, one.rowsAffected);
        }
        return answer;
      };
    },
  });
  // the first commit on the account stores what all of them come to
  await redeem(ctx, customer(accountId), await stage.handOut(30));
  const key = await stage.handOut(30);
  const watched = { ...ctx, store: { ...ctx.store, client: counting, db: drizzle(counting) } };
  expect(await redeem(watched, customer(accountId), key)).toEqual((await licenceNamed(ctx, key)).expiresAt);
  expect(widest.written).toBeLessThan(10);
  expect(widest.rows).toBeGreaterThan(100);
  expect(widest.rows).toBeLessThanOrEqual(250);
});
