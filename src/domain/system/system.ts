import { desc, gt, lt, sql } from "drizzle-orm";
import type { Actor } from "@/core/base/actor";
import { type Ctx, newId } from "@/core/database/context";
import { appliedMigrations } from "@/core/database/migrations";
import { queues } from "@/core/jobs/outbox";
import { release, releasesOn } from "@/core/database/release";
import { commit } from "@/core/database/commit";
import { factOf, keepFact } from "@/core/database/key-values";
import { takeTurn } from "@/core/limits/turns";
import { reasonOf } from "@/core/log/log";
import type { TriedService } from "@/contract/vocabulary/kinds";
import { minute } from "@/contract/vocabulary/time";
import { lastBackup } from "../backups/record";
import { lastRestore } from "../backups/restored";
import { lastWebhook } from "../payments/reconcile/webhook-watch";
import { authorize } from "../permissions";
import { laneOf } from "../topics";
import { processes } from "../schema/processes";

/** What the shop is set to is in its configuration; this asks for the right to see it. */
export const expectMaySeeSettings = (actor: Actor): void => authorize(actor, "settings.read");

/** How the shop is, as far as it knows without asking anybody. */
export async function systemShown(ctx: Ctx, actor: Actor) {
  authorize(actor, "system.read");
  const [ran, bytes, migrations, lanes, backup, restored, webhookAt, processes, checkup] = await Promise.all([
    releasesOn(ctx.store),
    databaseBytes(ctx),
    appliedMigrations(ctx.store),
    queuesByLane(ctx),
    lastBackup(ctx),
    lastRestore(ctx),
    lastWebhook(ctx),
    runningProcesses(ctx),
    lastFindings(ctx),
  ]);
  const goesBackTo = ran?.goesBackTo ?? release.goesBackTo;
  return { goesBackTo, bytes, migrations, lanes, backup, restored, webhookAt, processes, checkup };
}

/** The size of the database; null where its server doesn't report it. */
async function databaseBytes({ store: { db } }: Ctx): Promise<number | null> {
  try {
    const [pages] = await db.values<[number]>(sql`PRAGMA page_count`);
    const [size] = await db.values<[number]>(sql`PRAGMA page_size`);
    return pages && size ? pages[0] * size[0] : null;
  } catch {
    return null;
  }
}

const sum = (numbers: number[]) => numbers.reduce((one, other) => one + other, 0);

/** The queues of each lane, added up. */
async function queuesByLane(ctx: Ctx) {
  const byLane = Map.groupBy(await queues(ctx), ({ topic }) => laneOf(topic));
  return Array.from(byLane, ([lane, rows]) => ({
    lane,
    waiting: sum(rows.map((row) => row.waiting)),
    failing: sum(rows.map((row) => row.failing)),
    stuck: sum(rows.map((row) => row.stuck)),
    oldestAt: new Date(Math.min(...rows.map((row) => row.oldest))),
  }));
}

/** What `shop doctor` found. `unknown`: it can't tell. */
export type Finding = { what: string; state: "well" | "warning" | "wrong" | "unknown"; sentence: string };

const fact = "findings";
type RecordedFindings = { at: string; findings: Finding[] };

/** The findings of the last checkup, by whichever process; null before the first. */
export async function lastFindings(
  ctx: Pick<Ctx, "store">,
): Promise<{ at: Date; findings: Finding[] } | null> {
  const kept = await factOf(ctx, fact);
  if (kept === null) return null;
  const { at, findings } = JSON.parse(kept) as RecordedFindings;
  return { at: new Date(at), findings };
}

export type Checkups = {
  /** Makes new findings; while that is under way, waits for the same. */
  run(): Promise<void>;
  isRunning(): boolean;
};

/** Checkups of this process, one at a time: each asks Stripe, Discord and the mail server. */
export function createCheckups(ctx: Ctx, examine: () => Promise<Finding[]>): Checkups {
  let underWay: Promise<void> | null = null;
  const examined = async () => {
    const findings = await examine();
    const kept: RecordedFindings = { at: ctx.now().toISOString(), findings };
    await commit(ctx.store, [keepFact(ctx, fact, JSON.stringify(kept))]);
  };
  return {
    run: () => (underWay ??= examined().finally(() => (underWay = null))),
    isRunning: () => underWay !== null,
  };
}

/** Begins a checkup, unless one is under way; its findings come within the minute. */
export function beginCheckup(ctx: Ctx, checkups: Checkups, actor: Actor): void {
  authorize(actor, "system.check");
  checkups.run().catch((error: unknown) => {
    ctx.log.warn("a checkup failed", { reason: reasonOf(error) });
  });
}

/** Tries a service; a test email goes to the address. */
export type TryService = (service: TriedService, to: string | null) => Promise<Finding[]>;

const worstFirst: Finding["state"][] = ["wrong", "warning", "unknown", "well"];

/**
 * What a service of the shop does when it is tried, the worst first. One trial of each at a time: many would keep
 * customers' mail and Stripe waiting, and Discord bans whoever asks too often. Refuses with `rate_limited`.
 */
export async function serviceTried(
  ctx: Ctx,
  service: TriedService,
  { actor, trial }: { actor: Actor; trial: () => Promise<Finding[]> },
): Promise<Finding[]> {
  authorize(actor, "system.try");
  const end = takeTurn(ctx, `try:${service}`);
  try {
    const found = await trial();
    return found.toSorted((one, other) => worstFirst.indexOf(one.state) - worstFirst.indexOf(other.state));
  } finally {
    end();
  }
}

type Process = typeof processes.$inferSelect;

export const noteEveryMilliseconds = minute / 2;
/** A process that is silent for this long has ended. */
const silentMilliseconds = 2 * minute;
const mostShown = 50;

/** What all processes of a shop must have alike. */
type Alike = "settings" | "brand";

/** This process in the table of those that run; `alike`: what the others must have as well, in words. */
export function thisProcess(ctx: Ctx, alike: Record<Alike, string>) {
  const print = (what: Alike) => ctx.secrets.fingerprint("installation", `${what}:${alike[what]}`);
  const own = {
    id: newId(),
    version: release.number,
    settings: print("settings"),
    brand: print("brand"),
    startedAt: ctx.now(),
  };
  return {
    id: own.id,
    /** Notes that it runs, and forgets those that ended. */
    async note(): Promise<void> {
      const seenAt = ctx.now();
      const { db } = ctx.store;
      await commit(ctx.store, [
        db
          .insert(processes)
          .values({ ...own, seenAt })
          .onConflictDoUpdate({ target: processes.id, set: { seenAt } }),
        db.delete(processes).where(lt(processes.seenAt, silentSince(seenAt))),
      ]);
    },
  };
}

/** The processes that run, the one seen last first. */
export const runningProcesses = ({ store: { db }, now }: Ctx): Promise<Process[]> =>
  db
    .select()
    .from(processes)
    .where(gt(processes.seenAt, silentSince(now())))
    .orderBy(desc(processes.seenAt))
    .limit(mostShown);

/** A process that has ended notes nothing after a later one's start. */
const notedMilliseconds = noteEveryMilliseconds + 15_000;

/** What the running processes differ in, which only those on a database server can; null for nothing. */
export async function unlikeProcesses(ctx: Ctx): Promise<{ what: Alike[]; sentence: string } | null> {
  if (!ctx.store.remote) return null;
  const running = await runningProcesses(ctx);
  const newest = Math.max(...running.map(({ startedAt }) => startedAt.getTime()));
  const living = running.filter(({ seenAt }) => seenAt.getTime() >= newest + notedMilliseconds);
  const what = (["settings", "brand"] as const).filter(
    (one) => new Set(living.map((process) => process[one])).size > 1,
  );
  if (what.length === 0) return null;
  const sentence = `The shop's processes differ in their ${what.join(" and ")}: give every machine the same, and restart.`;
  return { what, sentence };
}

const silentSince = (at: Date) => new Date(at.getTime() - silentMilliseconds);
