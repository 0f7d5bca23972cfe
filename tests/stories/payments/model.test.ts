import { expect, test } from "bun:test";
import { addsUp, billColumns, billDue, dueOf, ledgerOf } from "../../crash/expected-state";
import { checkRandomStories } from "../../crash/random-stories";
import { beginStory, type Step } from "../../crash/story";
import { openStage } from "../../support/shop/stage";

const seed = Number(process.env.MODEL_SEED ?? 8);
const runs = Number(process.env.MODEL_RUNS ?? 25);

/** Plays a story, lets everything settle, and compares the shop's state with Stripe's. */
async function holds(steps: Step[]): Promise<void> {
  await using stage = await openStage({ webhooks: false });
  const story = await beginStory(stage);
  for (const next of steps) await story.live(next);
  await story.settleDown();

  const ledger = await ledgerOf(stage.stripe.url);
  const due = new Map(ledger.map((account) => [account.session, dueOf(account)]));
  const { rows } = await stage.ctx.store.client.execute(
    `SELECT session_id AS session, state, payment_standing AS standing, count(licences.id) AS keys, count(DISTINCT payment_standing) AS standings, ${billColumns}
     FROM payments LEFT JOIN licences ON licences.sold_payment_id = payments.id GROUP BY payments.id`,
  );
  expect(
    rows.map(({ session, state, standing, keys }) => ({ session, state, standing, keys })),
    "a payment and each of its keys are as Stripe holds them",
  ).toEqual(
    rows.map(({ session }) => {
      const account = ledger.find((one) => one.session === session);
      const { state, standing } = due.get(session as string) ?? { state: "unknown", standing: null };
      return { session, state, standing, keys: standing === null ? 0 : account?.quantity };
    }),
  );
  expect(
    rows.filter(({ standings }) => Number(standings) > 1),
    "all keys of a payment have one standing",
  ).toEqual([]);
  for (const account of ledger.filter(({ paid }) => paid)) {
    const row = rows.find(({ session }) => session === account.session);
    if (!row) continue;
    expect(row, "a bill is what Stripe holds").toMatchObject(billDue(account));
    expect(addsUp(billDue(account)), "a bill adds up").toBe(true);
  }
  const held = new Set(rows.map(({ session }) => session));
  const missing = story.orders.filter(({ session }) => !held.has(session));
  expect(
    missing.filter(({ session }) => !["open", "expired"].includes(due.get(session)?.state ?? "")),
    "a restore loses no order but one that nobody paid",
  ).toEqual([]);

  for (const account of story.accounts) {
    const me = await account.person.get("/api/user/me");
    expect(me.body.data?.active_license, "an account is entitled exactly by the licences it holds").toBe(
      story.isEntitled(account, due),
    );
  }
}

test("after any events in any order, paid means one key, and entitled means a good licence", async () => {
  await checkRandomStories({ seed, runs }, holds);
});
