import {
  type Arbitrary,
  array,
  asyncProperty,
  boolean,
  check,
  constantFrom,
  integer,
  limitShrink,
  nat,
  oneof,
  record,
  tuple,
} from "fast-check";
import type { History, Step } from "./history";

const which = nat(3);
const who = nat(4);
const does = <D extends Step["does"]>(...names: D[]) => constantFrom(...names);
const offer = constantFrom(
  "month" as const,
  "month" as const,
  "team" as const,
  "year" as const,
  "tried" as const,
);

const buy = record({
  does: does("buy"),
  who,
  offer,
  code: constantFrom(null, null, null, "ALWAYS" as const, "ONCE" as const),
  byDebit: boolean(),
});

/** Weighted so that most histories have two or three subscriptions that live through several renewals. */
const steps = array(
  oneof(
    { weight: 8, arbitrary: buy },
    { weight: 14, arbitrary: record({ does: does("pass"), days: integer({ min: 1, max: 40 }) }) },
    { weight: 1, arbitrary: record({ does: does("pass"), days: constantFrom(366, 1_095) }) },
    {
      weight: 10,
      arbitrary: record({
        does: does("fail", "ask", "recover", "recover", "newCard", "payInvoice", "voidInvoice"),
        which,
      }),
    },
    { weight: 4, arbitrary: record({ does: does("debitArrives", "debitArrives", "debitFails"), which }) },
    {
      weight: 8,
      arbitrary: record({ does: does("cancel", "cancel", "cancelNow", "resume", "resume"), which }),
    },
    {
      weight: 4,
      arbitrary: record({ does: does("pause", "goOn", "stopCollecting", "voidInvoices", "collect"), which }),
    },
    {
      weight: 6,
      arbitrary: record({
        does: does("switch"),
        which,
        offer: constantFrom("month" as const, "team" as const, "year" as const),
      }),
    },
    {
      weight: 8,
      arbitrary: record({
        does: does(
          "refund",
          "refundPart",
          "refundLate",
          "refundFails",
          "refundKeeping",
          "dispute",
          "dispute",
          "win",
          "lose",
          "appeal",
        ),
        which,
        invoice: nat(3),
      }),
    },
    {
      weight: 4,
      arbitrary: record({
        does: does("redeemLifetime", "redeemDays", "redeemDays", "register", "register"),
        who,
      }),
    },
    { weight: 6, arbitrary: record({ does: does("deliver", "redeliver", "drop", "stumble"), nth: nat(40) }) },
    { weight: 5, arbitrary: record({ does: does("burst", "restart", "backUp", "restore", "settle") }) },
  ) satisfies Arbitrary<Step>,
  { minLength: 6, maxLength: 24, size: "max" },
);

const history = record({
  hears: constantFrom("told" as const, "told" as const, "looks" as const),
  atOnce: constantFrom(1, 1, 4),
  order: nat(1_000_000),
  retries: constantFrom("cancel" as const, "unpaid" as const, "past_due" as const),
  steps: tuple(buy, buy, steps).map(([first, second, more]): Step[] => [first, second, ...more]),
}) satisfies Arbitrary<History>;

/** Each shorter version of a failing history takes a second. */
const mostShrinks = Number(process.env["MODEL_SHRINKS"] ?? 60);

/** Plays random histories; the first that fails is shrunk and reported step by step. */
export async function checkRandomHistories(
  { seed, runs }: { seed: number; runs: number },
  holds: (history: History) => Promise<void>,
): Promise<void> {
  const property = asyncProperty(limitShrink(history, mostShrinks), holds);
  const { failed, counterexample, errorInstance, numShrinks } = await check(property, {
    seed,
    numRuns: runs,
  });
  if (!failed) return;
  const { steps: lived = [], ...how } = counterexample?.[0] ?? {};
  const story = lived.map((step, nth) => `  ${nth + 1}. ${JSON.stringify(step)}`).join("\n");
  const why = errorInstance instanceof Error ? errorInstance.message : "";
  throw new Error(
    `MODEL_SEED=${seed}, shrunk ${numShrinks} times to ${JSON.stringify(how)}:\n${story}\n${why}`,
  );
}
