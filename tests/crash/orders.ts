import { createClient } from "@libsql/client";
import { minute } from "@/contract/vocabulary/time";
import { type Failpoint, failpoints as everywhere } from "@/core/log/failpoints";
import { median, percentile } from "../support/checks/percentile";
import type { Complaints } from "./retry";
import { acknowledged, auditOrders, heldOf, type OrdersAudit } from "./audit-orders";
import { buy } from "./buyer";
import { type Random, seededRandom } from "./random";
import type { Figures } from "./figures";
import type { Member } from "./member";
import { makeCodes, month } from "./goods";
import { type CrashStage, openCrashStage } from "./harness";
import { type ShopProcess, stripeKeys, type World } from "./processes";
import { auditRoles, reconciliations } from "./audit-roles";
import { clearFaults, type Fault, worldFaults } from "./faults";
import { receiveWebhooks, webhooksWaiting } from "./webhooks";

export type Plan = {
  seed: number;
  orders: number;
  kills: number;
  /** Called now and then with a line about the progress. */
  print?: (line: string) => void;
};

/** A shop that lives for this long has finished its first sweep. */
const reconcilingLifeMs = 4_000;
const longestLifeMs = 20_000;

/** Attempts interrupted by a death still count towards their limits, and no real shop dies this often. */
const settings = {
  LIMITS: ["register-success", "register-failure", "login-address", "login-account", "discord"]
    .map((name) => `${name}=1000/60`)
    .join(","),
};

/** One buyer in `oneIn` has a Discord user, and at most `mostMembers` do: Discord lets ten join in ten seconds. */
const oneIn = 10;
const mostMembers = 500;

/** Where an order or its emails could be lost; tickets, refunds, bulk jobs and secret rotation have tests of their own. */
const failpoints = everywhere.filter((name) => !/^(ticket|secrets|refund|move|licence-job)\./.test(name));

/**
 * Sells `orders` through a shop that is killed `kills` times, at failpoints and at random moments, while webhooks,
 * Stripe, Discord and the mail server misbehave; then lets it recover and compares its books, the emails, the
 * roles and its own webhooks with what the simulators have. The same seed makes the same choices.
 */
export async function crashOrders(plan: Plan): Promise<Figures> {
  const began = performance.now();
  await using stage = await openCrashStage({ discord: true });
  const { world } = stage;
  const dice = seededRandom(plan.seed);
  const names = Object.keys(worldFaults) as Fault[];
  const hits = Object.fromEntries(failpoints.map((name) => [name, 0])) as Figures["hits"];
  const misses = new Map<Failpoint, number>();
  const lives = Object.fromEntries(names.map((name) => [name, 0])) as Figures["lives"];
  const restarts: number[] = [];
  const begun: number[] = [];
  const complaints: Complaints = [];
  const buyers = new Set<Promise<void>>();
  const members: Member[] = [];
  const everyNth = Math.max(oneIn, Math.ceil(plan.orders / mostMembers));
  let [placed, kills] = [0, 0];

  const place = (count: number) => {
    for (let left = count; left > 0 && placed < plan.orders; left -= 1) {
      placed += 1;
      const order = placed;
      const joined = order % everyNth === 0 ? (member: Member) => members.push(member) : null;
      const bought = buy(world, seededRandom(plan.seed + order), { order, complaints, joined })
        .catch((error: unknown) => void complaints.push(`order ${order}: ${String(error)}`))
        .finally(() => buyers.delete(bought));
      buyers.add(bought);
    }
  };

  await stock(stage);
  await using receiver = await receiveWebhooks(world);
  const isUnhit = () => failpoints.some((name) => hits[name] === 0);
  // a few extra lives in case a busy machine missed a failpoint
  while (kills < plan.kills || (isUnhit() && kills < plan.kills + failpoints.length)) {
    const fault = names[Math.floor((kills / plan.kills) * names.length)] ?? "calm";
    const point = nextPoint(dice, { hits, misses }, kills);
    await clearFaults(world);
    await worldFaults[fault](world, dice);
    begun.push(Date.now());
    const life = await stage.start({
      ...settings,
      ...(point ? { FAILPOINT: `${point.name}@${point.passes}` } : {}),
    });
    if (life.answered) restarts.push(life.startedInMs);
    place(Math.ceil(((kills + 1) / plan.kills) * plan.orders) - placed);
    const missed = point && hits[point.name] === 0 ? (misses.get(point.name) ?? 0) : 0;
    const ownDeath = await endOf(life, point ? deadlineOf(point.name, missed) : dice.whole(10, 400));
    if (ownDeath && point) hits[point.name] += 1;
    else if (point && hits[point.name] === 0) misses.set(point.name, missed + 1);
    else if (ownDeath) complaints.push(`the shop exited by itself: ${await life.errors}`);
    kills += 1;
    lives[fault] += 1;
    if (kills % 50 === 0) plan.print?.(`${kills} kills, ${placed} orders, ${fault}`);
  }
  const forgotten = await notStored(world);
  await recover(stage, buyers);
  const outcome = await auditOrders(world);
  return {
    ...outcome,
    repeatsAfterOneKill: mostAfterOneKill(outcome.repeated, begun),
    roles: await auditRoles(world, members),
    webhooks: await receiver.audit(),
    seed: plan.seed,
    orders: placed,
    kills,
    hits,
    lives,
    forgotten,
    complaints,
    restart: summary(restarts),
    seconds: Math.round((performance.now() - began) / 1000),
  };
}

/** Makes the database with a first start, and adds what buyers choose from. */
async function stock({ world, start }: CrashStage): Promise<void> {
  const shop = await start(settings);
  if (!shop.answered) throw new Error(`the shop did not start: ${await shop.errors}`);
  await shop.kill("SIGTERM");
  await putOnSale(world);
}

/** Puts a second offer on sale, and makes promotion codes. */
export async function putOnSale({ stripeUrl, databaseUrl }: World): Promise<void> {
  await makeCodes(stripeUrl, stripeKeys.secretKey);
  const client = createClient({ url: databaseUrl });
  await client.execute({
    sql: "INSERT INTO offers (id, name, level, amount, currency, days, created_at) VALUES (?, ?, 'premium', ?, 'usd', ?, ?)",
    args: [month.id, month.name, month.amount, month.days, Date.now()],
  });
  client.close();
}

/** Each failpoint until it is hit, at its first pass once it was missed; then every other life ends at any of them. */
function nextPoint(
  dice: Random,
  { hits, misses }: { hits: Figures["hits"]; misses: Map<Failpoint, number> },
  kills: number,
) {
  const unhit = failpoints.filter((name) => hits[name] === 0);
  const name = unhit[kills % Math.max(unhit.length, 1)] ?? (dice.next() < 0.5 ? anyPoint(dice) : null);
  if (!name) return null;
  const passes = name.startsWith("sweep") ? dice.whole(1, 2) : dice.whole(1, 6);
  return { name, passes: hits[name] === 0 && misses.has(name) ? 1 : passes };
}

/** A life that waits for a sweep is long, so these are rare. */
function anyPoint(dice: Random): Failpoint {
  const point = dice.pick(failpoints);
  return point.startsWith("sweep") && dice.next() < 0.9 ? "settle.stored" : point;
}

/** On a busy machine a life of the usual length may end before its failpoint; each miss makes the next one longer. */
const deadlineOf = (point: Failpoint, missed: number) =>
  Math.min((point.startsWith("sweep") ? reconcilingLifeMs : 700) * 3 ** missed, longestLifeMs);

/** Lets the shop live for a while and then kills it; true if it had died by itself before that. */
async function endOf(life: ShopProcess, milliseconds: number): Promise<boolean> {
  const alone = await Promise.race([
    life.child.exited.then(() => true),
    Bun.sleep(milliseconds).then(() => false),
  ]);
  await life.kill();
  return alone;
}

/** What was acknowledged to Stripe but is missing from the database after the last death. */
async function notStored(world: World): Promise<string[]> {
  const [acknowledgedOrders, held] = [await acknowledged(world), await heldOf(world)];
  return acknowledgedOrders.filter((session) =>
    (held.get(session) ?? []).every(({ licence }) => licence === null),
  );
}

/** The recovery has failed if nothing gets done for this long. */
const stallTimeoutMilliseconds = 10 * minute;

/**
 * Everything works again, and nothing is killed any more. Thousands of emails that waited for the mail
 * server take a while; everything else is done long before.
 */
async function recover({ world, start }: CrashStage, buyers: Set<Promise<void>>): Promise<void> {
  await clearFaults(world);
  const shop = await start(settings);
  if (!shop.answered) throw new Error(`the shop did not come back: ${await shop.errors}`);
  await Promise.all(buyers);
  await world.atStripe("flush", { timeout_ms: minute });
  // this start's sweep may have run before the last buyers paid
  await shop.kill("SIGTERM");
  const reconciliationsBefore = await reconciliations(world);
  const last = await start(settings);
  const began = Date.now();
  let [least, leastAt] = [Number.POSITIVE_INFINITY, began];
  while (Date.now() - leastAt < stallTimeoutMilliseconds) {
    // only a reconciliation of all members finds somebody who rejoined the server while the gateway was down
    const looked =
      Date.now() - began > reconcilingLifeMs && (await reconciliations(world)) > reconciliationsBefore;
    await Bun.sleep(500);
    const left = await leftToDo(world);
    if (looked && left === 0) break;
    if (left < least) [least, leastAt] = [left, Date.now()];
  }
  await last.kill("SIGTERM");
}

/** Jobs in the outbox, an unfinished sweep, Stripe's webhooks under way, the shop's own that wait. */
async function leftToDo(world: World): Promise<number> {
  const { quiet } = (await world.atStripe("flush", { timeout_ms: 1_000 })) as { quiet: boolean };
  const client = createClient({ url: world.databaseUrl });
  const { rows } = await client.execute(
    `SELECT (SELECT count(*) FROM outbox) + (SELECT count(*) FROM installation WHERE name = 'sweep') + ${webhooksWaiting} AS n`,
  );
  client.close();
  return Number(rows[0]?.n) + (quiet ? 0 : 1);
}

/** Attributes a repeated email to the death that ended the life in which its earlier copy arrived. */
function mostAfterOneKill(
  repeated: OrdersAudit["repeated"],
  begun: number[],
): Figures["repeatsAfterOneKill"] {
  const lives = Map.groupBy(repeated, ({ at }) => begun.findLastIndex((beginning) => beginning <= at));
  const most = (sizes: number[]) => Math.max(0, ...sizes);
  return {
    emails: most([...lives.values()].map((all) => new Set(all.map(({ id }) => id)).size)),
    timesEach: most(
      [...lives.values()].map((all) =>
        most([...Map.groupBy(all, ({ id }) => id).values()].map((same) => same.length)),
      ),
    ),
  };
}

function summary(values: number[]): Figures["restart"] {
  return { median: Math.round(median(values)), slowest: Math.round(percentile(values, 1)) };
}
