import { expect, test } from "bun:test";
import { duesOf } from "../crash/expected-state";
import { checkRandomStories } from "../crash/random-stories";
import { beginStory, type Step } from "../crash/story";
import { openStage } from "../stage";

const seed = Number(process.env.MODEL_SEED ?? 8);
const runs = Number(process.env.MODEL_RUNS ?? 25);

/** Lives a story, lets it settle, and holds what the shop then says against what Stripe holds. */
async function holds(steps: Step[]): Promise<void> {
  await using stage = await openStage({ webhooks: false });
  const story = beginStory(stage);
  for (const next of steps) await story.live(next);
  await story.settleDown();

  const due = await duesOf(stage.stripe.url);
  const { rows } = await stage.ctx.store.client.execute(
    "SELECT session_id AS session, state, payment_standing AS standing, count(licences.id) AS keys FROM payments LEFT JOIN licences ON licences.payment_id = payments.id GROUP BY payments.id",
  );
  expect(
    rows.map(({ session, state, standing, keys }) => ({ session, state, standing, keys })),
    "a payment and its one key are as Stripe holds them",
  ).toEqual(
    rows.map(({ session }) => {
      const { state, standing } = due.get(session as string) ?? { state: "unknown", standing: null };
      return { session, state, standing, keys: standing === null ? 0 : 1 };
    }),
  );
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

test("whatever happens in whatever order: paid means one key, and entitled means a good licence", async () => {
  await checkRandomStories({ seed, runs }, holds);
}, 300_000);
