import { sql } from "drizzle-orm";
import type { Actor } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { appliedMigrations } from "@/core/database/migrations";
import { queues } from "@/core/jobs/queue";
import { release, releasesOn } from "@/core/database/release";
import { lastBackup } from "../backups/record";
import { lastRestore } from "../backups/restored";
import { lastWebhook } from "../payments/reconcile/webhook-watch";
import { authorize } from "../permissions";
import { laneOf } from "../topics";
import { lastFindings } from "./findings";
import { runningProcesses } from "./processes";

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

/** The size of the database; null where its server doesn't tell. */
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
