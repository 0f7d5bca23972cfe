import { expect, test } from "bun:test";
import {
  type Arbitrary,
  array,
  asyncProperty,
  check,
  constant,
  constantFrom,
  integer,
  nat,
  oneof,
  record,
} from "fast-check";
import { dueOf, ledgerOf } from "../fire/judge";
import { beginStory, inWords, type Step } from "../fire/story";
import { openStage } from "../stage";

const seed = Number(process.env.MODEL_SEED ?? 8);
const runs = Number(process.env.MODEL_RUNS ?? 25);

const order = nat(2);
const nth = nat(40);
const on = <D extends Extract<Step, { order: number }>["does"]>(...does: D[]) =>
  record({ does: constantFrom(...does), order });

/** Weighted so that most stories get as far as a licence and then into trouble. */
const step = oneof(
  { weight: 3, arbitrary: constant({ does: "buy" as const }) },
  { weight: 4, arbitrary: on("pay") },
  { weight: 2, arbitrary: on("payLate", "arrives", "bounces") },
  { weight: 3, arbitrary: on("refund", "refundPart", "refundFails") },
  { weight: 4, arbitrary: on("dispute", "inquiry", "win", "lose") },
  { weight: 5, arbitrary: on("look") },
  { weight: 3, arbitrary: on("register") },
  { weight: 1, arbitrary: constant({ does: "registerTimed" as const }) },
  {
    weight: 2,
    arbitrary: record({ does: constant("redeem" as const), order, account: nat(2) }),
  },
  {
    weight: 8,
    arbitrary: record({ does: constantFrom("deliver" as const, "redeliver", "drop"), nth }),
  },
  { weight: 1, arbitrary: constantFrom({ does: "restart" as const }, { does: "sweep" as const }) },
  {
    weight: 1,
    arbitrary: record({ does: constant("advance" as const), hours: integer({ min: 1, max: 30 }) }),
  },
) satisfies Arbitrary<Step>;

/** Lives a story, lets it settle, and holds what the shop then says against what Stripe holds. */
async function holds(steps: Step[]): Promise<void> {
  await using stage = await openStage({ webhooks: false });
  const story = beginStory(stage);
  for (const next of steps) await story.live(next);
  await story.settleDown();

  const due = new Map((await ledgerOf(stage.stripe.url)).map((account) => [account.session, dueOf(account)]));
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
  expect(rows).toHaveLength(story.orders.length);

  for (const { person, timedUntil, orders } of story.accounts) {
    const byPurchase = orders.some((at) => due.get(story.orders[at]?.session ?? "")?.standing === "good");
    const byTime = timedUntil !== null && timedUntil > story.now();
    const me = await person.get("/api/user/me");
    expect(me.body.data?.active_license, "an account is entitled exactly by the licences it holds").toBe(
      byPurchase || byTime,
    );
  }
}

test("whatever happens in whatever order: paid means one key, and entitled means a good licence", async () => {
  const told = asyncProperty(array(step, { minLength: 4, maxLength: 28, size: "max" }), holds);
  const { failed, counterexample, errorInstance, numShrinks } = await check(told, { seed, numRuns: runs });
  if (!failed) return;
  const steps = counterexample?.[0] ?? [];
  const story = steps.map((next, at) => `  ${at + 1}. ${inWords(next)}`).join("\n");
  const why = errorInstance instanceof Error ? errorInstance.message : "";
  throw new Error(`seed ${seed}, shrunk ${numShrinks} times to this story:\n${story}\n${why}`);
}, 120_000);
