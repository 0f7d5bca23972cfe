import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { median, percentile } from "../support/checks/percentile";
import { seededRandom } from "./random";
import { type LoadRecord, startLoad, type Member } from "./load";
import type { Fate } from "./raw-client";
import { type CrashStage, openCrashStage } from "./harness";
import { databaseAt, operateOn, type World } from "./processes";
import { unlimited } from "../support/shop/unlimited";

export type StopPlan = { seed: number; stops: number; print?: (line: string) => void };

export type StopFigures = {
  seed: number;
  stops: number;
  /** Requests that were sent, and how many of them changed something. */
  sent: number;
  writes: number;
  answered: number;
  /** Partly sent or answered when the signal came. */
  underWay: number;
  /** No connection: the shop was gone. */
  refused: number;
  /** The connection was closed before the shop read the request; by whether it had been used before. */
  unread: { usedLine: number; newLine: number };
  /** Accepted but not answered completely, or done without an answer. Must be none. */
  lost: string[];
  /** Answered with 200 but not in the database afterwards. Must be none. */
  forgotten: string[];
  /** Anything else that went wrong, such as a 500 or an exit code other than 0. */
  complaints: string[];
  /** Signal to end, milliseconds. */
  stopping: { median: number; slowest: number };
  seconds: number;
};

const batchOf = 1_000;

/**
 * Stops the shop with SIGTERM again and again, each time at a different moment, while people use it over kept-alive
 * connections. A request is lost if the shop accepted it (it has a line in the log, or an effect in the database)
 * and its answer did not arrive complete. A request that a closing connection never read is not lost: nothing
 * was done, and a client may send it again (RFC 9112, section 9.3.1).
 */
export async function stopAgainAndAgain(plan: StopPlan): Promise<StopFigures> {
  const began = performance.now();
  await using stage = await openCrashStage();
  const { world } = stage;
  const dice = seededRandom(plan.seed);
  const figures = noFigures(plan);
  const times: number[] = [];
  const keys: string[] = [];
  const members: Member[] = [];
  let people = 0;
  await prepare(stage);
  for (let round = 1; round <= plan.stops; round += 1) {
    if (keys.length < 200) keys.push(...(await freshKeys(world)));
    const life = await stage.start({ LOG_LEVEL: "info", ...unlimited });
    if (!life.answered) throw new Error(`the shop did not start: ${await life.errors}`);
    const known = members.slice(-20);
    const crowd = startLoad({ world, dice, keys, members: known, names: () => `member${(people += 1)}` });
    await Bun.sleep(dice.whole(80, 700));
    const signalled = performance.now();
    const done = crowd.record.fates.length;
    await life.kill("SIGTERM");
    times.push(performance.now() - signalled);
    await crowd.leave();
    members.push(...known.slice(-8));
    count(figures, crowd.record, done);
    if (life.child.exitCode !== 0) figures.complaints.push(`ended with ${life.child.exitCode}`);
    const log = linesIn(await life.logged);
    figures.lost.push(...unansweredIn(log, crowd.record));
    await compare(world, { record: crowd.record, log }, figures);
    if (round % 50 === 0)
      plan.print?.(`${round} stops, ${figures.sent} requests, ${figures.lost.length} lost`);
  }
  const stopping = { median: Math.round(median(times)), slowest: Math.round(percentile(times, 1)) };
  return { ...figures, stopping, seconds: Math.round((performance.now() - began) / 1000) };
}

const noFigures = ({ seed, stops }: StopPlan): StopFigures => ({
  seed,
  stops,
  sent: 0,
  writes: 0,
  answered: 0,
  underWay: 0,
  refused: 0,
  unread: { usedLine: 0, newLine: 0 },
  lost: [],
  forgotten: [],
  complaints: [],
  stopping: { median: 0, slowest: 0 },
  seconds: 0,
});

/** Only this program delivers events, and there is something to download. */
async function prepare({ world, folder, start }: CrashStage) {
  await (await start()).kill("SIGTERM");
  await world.atStripe("faults", { webhooks: { drop: "all" } });
  const builds = join(folder, "builds");
  await mkdir(builds);
  await Bun.write(join(builds, "Wisp-Free.exe"), new Uint8Array(6 * 1024 * 1024).fill(7));
  await Bun.write(join(builds, "notes.md"), "# First\n\nIt is here.\n");
  await operateOn(world, "releases", "publish", "1.0.0", builds, "--reason", "to be downloaded");
}

async function freshKeys(world: World): Promise<string[]> {
  const csv = await operateOn(
    world,
    "licences",
    "batch",
    String(batchOf),
    "--days",
    "30",
    "--reason",
    "load",
  );
  return csv.match(/^[A-Z]+(-[0-9A-Z]{4}){4}/gm) ?? [];
}

function count(
  figures: StopFigures,
  { fates, registered, redeemed, opened, delivered }: LoadRecord,
  before: number,
) {
  figures.sent += fates.length;
  figures.writes += registered.length + redeemed.length + opened.length + delivered.length;
  figures.underWay += fates.slice(before).filter(({ fate }) => fate.how === "answered").length;
  for (const { what, fate } of fates) {
    if (fate.how === "answered") figures.answered += 1;
    if (fate.how === "refused") figures.refused += 1;
    if (fate.how === "unanswered") figures.unread[fate.onUsedLine ? "usedLine" : "newLine"] += 1;
    if (fate.how === "torn") figures.lost.push(`${what}: torn`);
    if (fate.how === "answered" && fate.status !== 200) figures.complaints.push(`${what}: ${fate.status}`);
  }
}

type Line = { message: string; request?: string; route?: string; status?: number; count?: number };

const linesIn = (log: string): Line[] =>
  log
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Line);

/** Requests with a line in the shop's log, but no complete answer. */
function unansweredIn(log: Line[], { fates }: LoadRecord): string[] {
  const answered = new Set(fates.filter(({ fate }) => fate.how === "answered").map(({ fate }) => fate.id));
  return log
    .filter(({ message, route }) => message === "request" && route !== "/api/health")
    .filter(({ request = "" }) => !answered.has(request))
    .map(({ route, status }) => `${route} ${status}: accepted, no answer`);
}

const was = (fate: Fate) => fate.how === "answered" && fate.status === 200;

/** Compares the answers that people got with the database, which the stopped shop has released. */
async function compare(
  { dataDir }: World,
  { record, log }: { record: LoadRecord; log: Line[] },
  { lost, forgotten }: StopFigures,
) {
  const client = databaseAt(join(dataDir, "shop.db"));
  const numbers = async (sql: string) =>
    new Map((await client.execute(sql)).rows.map(({ name, n }) => [name as string, Number(n)]));
  const [licences, payments] = [await numbers(licencesByName), await numbers(soldBySession)];
  client.close();
  const hold = (what: string, acknowledged: number, stored: number) => {
    if (stored < acknowledged) forgotten.push(`${what}: ${stored} of ${acknowledged}`);
    if (stored > acknowledged) lost.push(`${what}: done, not answered`);
  };
  const redeemers = new Set(record.redeemed.map(({ by }) => by));
  const names = new Set([...redeemers].map(({ username }) => username));
  for (const by of redeemers) {
    const stored = licences.get(by.username) ?? 0;
    hold(`licences of ${by.username}`, by.licences, stored);
    by.licences = stored;
  }
  for (const { username, fate } of record.registered.filter((one) => !names.has(one.username))) {
    hold(`registration of ${username}`, was(fate) ? 1 : 0, licences.get(username) ?? 0);
  }
  const opened = record.opened.filter(was).map((fate) => String(fate.body.data.id));
  hold("checkouts", opened.length, opened.filter((session) => payments.has(session)).length);
  // a shop that lived for two seconds has swept Stripe for what was paid, webhook or not
  let reconciled = log.reduce((sum, { message, count = 0 }) => sum + (message === "swept" ? count : 0), 0);
  for (const { session, fate } of record.delivered) {
    const stored = payments.get(session) ?? 0;
    if (!was(fate) && stored > 0 && reconciled > 0) reconciled -= 1;
    else hold(`webhook of ${session} (${fate.how})`, was(fate) ? 1 : 0, stored);
  }
}

const licencesByName =
  "SELECT username AS name, count(licences.id) AS n FROM accounts LEFT JOIN licences ON account_id = accounts.id GROUP BY username";
const soldBySession =
  "SELECT session_id AS name, state = 'succeeded' AND licences.id IS NOT NULL AS n FROM payments LEFT JOIN licences ON payment_id = payments.id";

/** The figures as readable lines. */
export function reportStops(figures: StopFigures): string {
  const { lost, forgotten, complaints, unread, stopping } = figures;
  return [
    `seed ${figures.seed}: ${figures.stops} stops, ${figures.sent} requests sent (${figures.writes} to change something), ${figures.seconds} s`,
    `answered ${figures.answered}, ${figures.underWay} of them after the signal; refused ${figures.refused}`,
    `closed unread: ${unread.usedLine} on a kept-alive connection, ${unread.newLine} on a new one`,
    `lost ${lost.length}, acknowledged and missing ${forgotten.length}`,
    `signal to end: median ${stopping.median} ms, slowest ${stopping.slowest} ms`,
    ...[...lost, ...forgotten, ...complaints].slice(0, 20),
  ].join("\n");
}

/** Whether the shop kept its promise. */
export const nothingLost = ({ answered, lost, forgotten, complaints }: StopFigures): boolean =>
  answered > 0 && [lost, forgotten, complaints].every((list) => list.length === 0);
