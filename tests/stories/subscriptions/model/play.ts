import { reconcilePayments } from "@/domain/payments/reconcile/reconcile-payments";
import { seededRandom } from "../../../crash/random";
import { openStage, type Stage } from "../../../support/shop/stage";
import { stripeOf } from "../subscriber";
import { faultsOf } from "./right";
import { sellRecurring, type Step, World } from "./world";

type Does = Step["does"];
/** One world: how its shop hears, and what happens. */
type History = { isDeaf: boolean; order: number; steps: Step[] };

/** How often each happens. */
const weights: Record<Does, number> = {
  buy: 60,
  openLate: 12,
  payOpen: 14,
  money: 24,
  pass: 90,
  mood: 24,
  newCard: 8,
  ownCard: 4,
  payPage: 14,
  outside: 5,
  part: 5,
  creditNote: 3,
  uncollectible: 6,
  void: 6,
  endNow: 6,
  endAtPeriod: 12,
  endLater: 6,
  endBySchedule: 5,
  resume: 10,
  switch: 12,
  pause: 4,
  goOn: 5,
  stopCollecting: 7,
  collect: 6,
  trial: 6,
  quantity: 4,
  price: 3,
  addItem: 4,
  deleteCustomer: 2,
  retries: 4,
  lifetime: 10,
  loseLifetime: 4,
  redeemGuests: 8,
  drop: 4,
  refund: 10,
  refundPart: 6,
  refundLate: 5,
  refundMoves: 5,
  refundKeeping: 4,
  dispute: 8,
  win: 6,
  lose: 5,
  appeal: 3,
  revoke: 3,
  suspend: 3,
  reinstate: 3,
  days: 3,
  deliver: 20,
  redeliver: 10,
  loseEvent: 8,
  version: 4,
  refuse: 6,
  stumble: 4,
  restart: 2,
  rest: 60,
};

function drawn(seed: number, length: number, only?: readonly string[]): History {
  const random = seededRandom(seed);
  const n = (): Step["n"] => [random.whole(0, 9_999), random.whole(0, 9_999), random.whole(0, 9_999)];
  const names = Object.keys(weights) as Does[];
  const allowed = only ? names.filter((name) => only.includes(name)) : names;
  const urn = allowed.flatMap((name) => Array.from({ length: weights[name] }, () => name));
  const isDeaf = random.whole(0, 4) === 0;
  const order = random.whole(0, 1_000_000);
  const first: Step = { does: "buy", n: n() };
  return {
    isDeaf,
    order,
    steps: [first, ...Array.from({ length: length - 1 }, (): Step => ({ does: random.pick(urn), n: n() }))],
  };
}

async function openModelStage(): Promise<Stage> {
  const stage = await openStage({ webhooks: false });
  // other stories cover writing to disk
  await stage.ctx.store.client.execute("PRAGMA synchronous = OFF");
  await sellRecurring(stage);
  // a shop looks for itself from its first day on
  await reconcilePayments(stage.ctx, stage.shop.checkout, { lists: "now" });
  return stage;
}

/** Plays one world; the first fault that it has, with how many steps led to it. */
async function play(
  stage: Stage,
  { isDeaf, order, steps: lived }: History,
): Promise<{ fault: string; at: number; did: string[] } | null> {
  const world = new World(stage, isDeaf);
  await stage.atStripe("retries", { outcome: "cancel" });
  await stage.atStripe("events/version", { version: "2026-10-28.endive" });
  await stage.atStripe("refuse", { path: "/v1/invoices/create_preview", as: null });
  await world.begin();
  let at = 0;
  try {
    for (const [nth, step] of [...lived, { does: "rest", n: [order, 0, 0] } satisfies Step].entries()) {
      at = nth + 1;
      await world.live(step);
      if (step.does !== "rest") continue;
      const faults = await faultsOf(world);
      if (faults.length > 0) return { fault: faults.join("\n"), at, did: world.did };
    }
    return null;
  } catch (error) {
    return {
      fault: error instanceof Error ? (error.stack ?? error.message) : String(error),
      at,
      did: world.did,
    };
  } finally {
    await over(world);
  }
}

/** What one world leaves costs the next ones no time. */
async function over(world: World): Promise<void> {
  const stripe = stripeOf(world.stage);
  for (const { id, endedAt } of world.books())
    if (endedAt === null) await stripe.subscriptions.cancel(id).catch(() => {});
  const now = world.stage.ctx.now().getTime();
  await world.rows("UPDATE subscriptions SET look_again_at = NULL, ended_at = coalesce(ended_at, ?)", [
    String(now),
  ]);
  await world.rows('UPDATE subscription_runs SET until = "from"', []);
  await world.rows("DELETE FROM outbox", []);
  await world.stage.stripe.flush();
}

/** The kind of a fault, by which a shorter history still shows the same. */
const kindOf = (fault: string) =>
  (fault.split("\n")[0] ?? "").replace(/[-\d.]+|w\d+\w|: .{4}:| \w{4}: /g, "#");

type Failed = { history: History; fault: string; did: string[] };

/** Leaves out what the fault doesn't need. */
async function shrunk(failed: Failed, most = 150): Promise<Failed> {
  let { history, fault, did } = failed;
  let tries = 0;
  for (
    let size = Math.ceil(history.steps.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let from = 0; from < history.steps.length && tries < most;) {
      const shorter = { ...history, steps: history.steps.toSpliced(from, size) };
      tries += 1;
      await using stage = await openModelStage();
      const again = await play(stage, shorter);
      if (again && kindOf(again.fault) === kindOf(fault)) {
        history = { ...shorter, steps: shorter.steps.slice(0, Math.max(again.at, 0)) };
        ({ fault, did } = again);
      } else from += size;
    }
  }
  return { history, fault, did };
}

const told = ({ history, fault, did }: Failed): string =>
  `${fault}\n${history.isDeaf ? "(no event arrives)\n" : ""}${did.map((what) => `  ${what}`).join("\n")}\nMODEL_HISTORY='${JSON.stringify(history)}'`;

/** Ids and simulators grow with each world. */
const worldsOnAStage = 40;

type Worlds = { seed: number; steps: number; length?: number };

/**
 * Plays worlds until so many steps were lived. The first that fails is shrunk and told, with how to play it again:
 * `MODEL_SEED`, `MODEL_STEPS` and `MODEL_LENGTH` (of a world) draw others, `MODEL_ONLY` only some steps by their names, and
 * `MODEL_HISTORY` plays one as it was told.
 */
export async function holdWorlds({ seed: first, steps: most, length: usual = 24 }: Worlds): Promise<void> {
  const given = process.env["MODEL_HISTORY"];
  if (given !== undefined) return holds(JSON.parse(given) as History, "");
  const [from, steps, length] = [
    Number(process.env["MODEL_SEED"] ?? first),
    Number(process.env["MODEL_STEPS"] ?? most),
    Number(process.env["MODEL_LENGTH"] ?? usual),
  ];
  const only = process.env["MODEL_ONLY"]?.split(",");
  for (let lived = 0, seed = from; lived < steps;) {
    await using stage = await openModelStage();
    for (let world = 0; world < worldsOnAStage && lived < steps; world += 1, seed += 1, lived += length)
      await holds(
        drawn(seed, length, only),
        `MODEL_SEED=${seed} MODEL_LENGTH=${length} MODEL_STEPS=1\n`,
        stage,
      );
  }
}

async function holds(history: History, how: string, open?: Stage): Promise<void> {
  await using own = open ? null : await openModelStage();
  const failed = await play(open ?? own ?? (await openModelStage()), history);
  if (!failed) return;
  const lived = { ...failed, history: { ...history, steps: history.steps.slice(0, failed.at) } };
  throw new Error(how + told(await shrunk(lived)));
}
