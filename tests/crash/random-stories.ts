import {
  type Arbitrary,
  array,
  asyncProperty,
  boolean,
  check,
  constant,
  constantFrom,
  integer,
  limitShrink,
  nat,
  oneof,
  record,
} from "fast-check";
import { describeStep, type Step } from "./story";

const order = nat(2);
const account = nat(2);
const nth = nat(40);
/** Half of the purchases are of what the default shop sells. */
const goods = record({
  month: boolean(),
  quantity: integer({ min: 1, max: 4 }),
  gift: boolean(),
  code: constantFrom(null, null, "HALF" as const, "FREE" as const),
});
const wanted = oneof(constant({ month: false, quantity: 1, gift: false, code: null }), goods);
const on = <D extends Extract<Step, { order: number }>["does"]>(...does: D[]) =>
  record({ does: constantFrom(...does), order });

/** Weighted so that most stories reach a licence and then a refund, a dispute or a suspension. */
const ofMoney = [
  { weight: 3, arbitrary: record({ does: constant("buy" as const), wanted }) },
  {
    weight: 1,
    arbitrary: record({
      does: constant("enterCode" as const),
      order,
      code: constantFrom("HALF" as const, "FREE"),
    }),
  },
  { weight: 4, arbitrary: on("pay") },
  { weight: 2, arbitrary: on("payLate", "arrives", "bounces") },
  { weight: 3, arbitrary: on("refund", "refundPart", "refundFails") },
  { weight: 4, arbitrary: on("dispute", "inquiry", "win", "lose") },
  { weight: 5, arbitrary: on("look") },
  { weight: 4, arbitrary: on("edit") },
  { weight: 3, arbitrary: on("register") },
  { weight: 1, arbitrary: constant({ does: "registerTimed" as const }) },
  { weight: 2, arbitrary: record({ does: constant("redeem" as const), order, account }) },
  { weight: 8, arbitrary: record({ does: constantFrom("deliver" as const, "redeliver", "drop"), nth }) },
  { weight: 1, arbitrary: constantFrom({ does: "restart" as const }, { does: "sweep" as const }) },
  { weight: 1, arbitrary: constantFrom({ does: "backUp" as const }, { does: "restore" as const }) },
  {
    weight: 1,
    arbitrary: record({ does: constant("advance" as const), hours: integer({ min: 1, max: 30 }) }),
  },
];

/** Weighted so that many connect, and most of them lose what they held. */
const ofMembers = [
  { weight: 12, arbitrary: constant({ does: "registerTimed" as const }) },
  { weight: 30, arbitrary: record({ does: constant("link" as const), account }) },
  { weight: 12, arbitrary: record({ does: constantFrom("unlink" as const, "leave", "rejoin"), account }) },
  { weight: 10, arbitrary: constant({ does: "advance" as const, hours: 23 }) },
];

/** How many shorter versions of a failing story are tried, each of which takes seconds. */
const mostShrinks = 100;

/** What may happen to the shop's money and, with `members`, at Discord. */
const steps = ({ members = false } = {}): Arbitrary<Step[]> =>
  limitShrink(
    array(oneof(...ofMoney, ...(members ? ofMembers : [])) satisfies Arbitrary<Step>, {
      minLength: 4,
      maxLength: 28,
      size: "max",
    }),
    mostShrinks,
  );

type Lived = { seed: number; runs: number; members?: boolean };

/** Plays random stories; the first that fails is shrunk and reported step by step. */
export async function checkRandomStories(
  { seed, runs, members = false }: Lived,
  holds: (steps: Step[]) => Promise<void>,
): Promise<void> {
  const property = asyncProperty(steps({ members }), holds);
  const { failed, counterexample, errorInstance, numShrinks } = await check(property, {
    seed,
    numRuns: runs,
  });
  if (!failed) return;
  const story = (counterexample?.[0] ?? [])
    .map((next, at) => `  ${at + 1}. ${describeStep(next)}`)
    .join("\n");
  const why = errorInstance instanceof Error ? errorInstance.message : "";
  throw new Error(`seed ${seed}, shrunk ${numShrinks} times to:\n${story}\n${why}`);
}
