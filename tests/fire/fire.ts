import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Failpoint, failpoints as everywhere } from "@/core/failpoints";
import type { Complaints } from "./asking";
import { acknowledged, heldOf, judge } from "./books";
import { buy } from "./buyer";
import { type Chance, chance } from "./chance";
import type { Figures } from "./figures";
import type { Member } from "./member";
import { type ShopProcess, startShopProcess, startWorld, type World } from "./programs";
import { judgeRoles, surveys } from "./roles";
import { clearUp, type Weather, weathers } from "./weather";

export type Plan = {
  seed: number;
  orders: number;
  kills: number;
  /** Called now and then with a line to read. */
  say?: (line: string) => void;
};

/** The stand-in answers within this; a shop that lives for it has done its first sweep. */
const sweepingLifeMs = 4_000;

/** A try that the shop died of is counted as one: no person has as many as a shop has deaths here. */
const settings = {
  LIMITS: ["register-success", "register-failure", "login-address", "login-account", "discord"]
    .map((name) => `${name}=1000/60`)
    .join(","),
};

/** One buyer in so many takes a Discord user along, and at most so many do: Discord lets ten come in ten seconds. */
const oneIn = 6;
const mostMembers = 500;

/** Where an order or its letters could be lost; tickets are killed in a story of their own. */
const failpoints = everywhere.filter((name) => !name.startsWith("ticket."));

/**
 * Sells `orders` through a shop that is killed `kills` times, at failpoints and at random moments,
 * while webhooks, Stripe, Discord and the mail server misbehave; then lets it recover and holds its
 * books, the letters and the roles against what the stand-ins have. The same seed makes the same choices.
 */
export async function fire(plan: Plan): Promise<Figures> {
  const began = performance.now();
  const folder = await mkdtemp(join(tmpdir(), "latchkey-fire-"));
  const world = await startWorld(folder, { discord: true });
  const dice = chance(plan.seed);
  const names = Object.keys(weathers) as Weather[];
  const hits = Object.fromEntries(failpoints.map((name) => [name, 0])) as Figures["hits"];
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
      const bought = buy(world, chance(plan.seed + order), { order, complaints, joined })
        .catch((error: unknown) => void complaints.push(`order ${order}: ${String(error)}`))
        .finally(() => buyers.delete(bought));
      buyers.add(bought);
    }
  };

  try {
    while (kills < plan.kills) {
      const weather = names[Math.floor((kills / plan.kills) * names.length)] ?? "calm";
      const point = nextPoint(dice, hits, kills);
      await clearUp(world);
      await weathers[weather](world, dice);
      begun.push(Date.now());
      const life = await startShopProcess(world, {
        ...settings,
        ...(point ? { FAILPOINT: `${point.name}@${point.passes}` } : {}),
      });
      if (life.answered) restarts.push(life.startedInMs);
      place(Math.ceil(((kills + 1) / plan.kills) * plan.orders) - placed);
      const ownDeath = await endOf(life, point ? deadlineOf(point.name) : dice.whole(10, 400));
      if (ownDeath && point) hits[point.name] += 1;
      else if (ownDeath) complaints.push(`the shop ended by itself: ${await life.said}`);
      kills += 1;
      lives[weather] += 1;
      if (kills % 50 === 0) plan.say?.(`${kills} kills, ${placed} orders, ${weather}`);
    }
    const forgotten = await notStored(world);
    await recover(world, buyers);
    const verdict = await judge(world);
    return {
      ...verdict,
      repeatsAfterOneKill: mostInOneLife(verdict.repeated, begun),
      roles: await judgeRoles(world, members),
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
  } finally {
    await world.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Each failpoint until it was hit, and then one life in two at any of them. */
function nextPoint(dice: Chance, hits: Figures["hits"], kills: number) {
  const unhit = failpoints.filter((name) => hits[name] === 0);
  const name = unhit[kills % Math.max(unhit.length, 1)] ?? (dice.next() < 0.5 ? anyPoint(dice) : null);
  return name ? { name, passes: name.startsWith("sweep") ? dice.whole(1, 2) : dice.whole(1, 6) } : null;
}

/** Lives that wait for a sweep are long, and so they are rare. */
function anyPoint(dice: Chance): Failpoint {
  const point = dice.pick(failpoints);
  return point.startsWith("sweep") && dice.next() < 0.9 ? "settle.stored" : point;
}

const deadlineOf = (point: Failpoint) => (point.startsWith("sweep") ? sweepingLifeMs : 700);

/** Lets the shop live for a while and kills it; true when it had died by itself before. */
async function endOf(life: ShopProcess, milliseconds: number): Promise<boolean> {
  const alone = await Promise.race([
    life.child.exited.then(() => true),
    Bun.sleep(milliseconds).then(() => false),
  ]);
  await life.kill();
  return alone;
}

/** What Stripe was told is stored, and is not in the database that the last death left. */
async function notStored(world: World): Promise<string[]> {
  const [told, held] = [await acknowledged(world), await heldOf(world.dataDir)];
  return told.filter((session) => (held.get(session) ?? []).every(({ licence }) => licence === null));
}

/** The shop is given up when it gets nothing done for so long. */
const patienceMilliseconds = 10 * 60_000;

/**
 * Everything works again, nobody dies any more. Letters go one at a time, so that thousands which waited for
 * the mail server take a while; all else is done long before them.
 */
async function recover(world: World, buyers: Set<Promise<void>>): Promise<void> {
  await clearUp(world);
  const shop = await startShopProcess(world, settings);
  if (!shop.answered) throw new Error(`the shop did not come back: ${await shop.said}`);
  await Promise.all(buyers);
  await world.atStripe("flush", { timeout_ms: 60_000 });
  // the sweep of this start may have gone by before the last buyers paid
  await shop.kill("SIGTERM");
  const surveysBefore = await surveys(world);
  const last = await startShopProcess(world, settings);
  const began = Date.now();
  let [least, leastAt] = [Number.POSITIVE_INFINITY, began];
  while (Date.now() - leastAt < patienceMilliseconds) {
    // somebody who came back to the server while the gateway was away is found by looking at everybody
    const looked = Date.now() - began > sweepingLifeMs && (await surveys(world)) > surveysBefore;
    await Bun.sleep(500);
    const left = await leftToDo(world);
    if (looked && left === 0) break;
    if (left < least) [least, leastAt] = [left, Date.now()];
  }
  await last.kill("SIGTERM");
}

/** Work in the outbox, a sweep half done, webhooks under way. */
async function leftToDo(world: World): Promise<number> {
  const { quiet } = (await world.atStripe("flush", { timeout_ms: 1_000 })) as { quiet: boolean };
  const { createClient } = await import("@libsql/client");
  const client = createClient({ url: `file:${join(world.dataDir, "shop.db")}` });
  const { rows } = await client.execute(
    "SELECT (SELECT count(*) FROM outbox) + (SELECT count(*) FROM installation WHERE name = 'sweep') AS n",
  );
  client.close();
  return Number(rows[0]?.n) + (quiet ? 0 : 1);
}

/** A letter is repeated by the death of the life in which its earlier copy came. */
function mostInOneLife(times: number[], begun: number[]): number {
  const lives = Map.groupBy(times, (time) => begun.findLastIndex((beginning) => beginning <= time));
  return Math.max(0, ...[...lives.values()].map((all) => all.length));
}

function summary(values: number[]): Figures["restart"] {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (place: number) => Math.round(sorted[place] ?? 0);
  return { median: at(Math.floor(sorted.length / 2)), slowest: at(sorted.length - 1) };
}
