import { hostname } from "node:os";
import { hour, minute } from "@/contract/vocabulary/time";
import { bytesInWords, type DiskSpace, isNearlyFull } from "@/core/database/disk-space";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import type { Store } from "@/core/database/database";
import { factOf, forgetFact, keepFact } from "@/core/database/key-values";
import { keyValues } from "@/core/database/schema";
import { startsWith } from "@/core/database/starts-with";
import { withTimeout } from "@/core/base/with-timeout";
import { reasonOf } from "@/core/log/log";
import { lastBackup } from "../backups/record";
import { unlikeProcesses } from "./system";
import { untoldEvent, recentRefusal } from "../payments/reconcile/webhook-watch";

/** What can be wrong around the shop, which no row of its own shows. */
export const troubleKinds = [
  "discord_away",
  "refused_events",
  "missed_events",
  "full_disk",
  "overdue_backup",
  "unlike_processes",
] as const;
export type TroubleKind = (typeof troubleKinds)[number];

export type Trouble = { kind: TroubleKind; since: Date; words?: string };

/** What this process can look at. */
export type Surroundings = {
  /** `elsewhere`: another process knows. */
  discord: () => "off" | "elsewhere" | "away" | "up";
  /** Stripe's signing secret; null where no events are awaited. */
  webhookSecret: string | null;
  /** Null if no backups are made on time. */
  backupEveryHours: number | null;
  disks: () => Promise<DiskSpace[]>;
};

/** How long the bot may be disconnected before that is trouble. */
const awayMilliseconds = minute;
/** How late a backup may be. */
const lateMilliseconds = 2 * hour;
/** A hung disk must not delay the other looks. */
const diskMilliseconds = 5_000;
/** How long what a machine found stands without being found again, where several share a database. */
const believedMilliseconds = 2 * minute;

const prefix = "trouble ";
type Stored = { since: string; words?: string; until?: string };

/** What a process found and could not store, because its disk is full. */
const unstored = new WeakMap<Store, Trouble[]>();

/** What is wrong around the shop, by the last look of each process. */
export async function troubles(ctx: Ctx): Promise<Trouble[]> {
  const rows = await ctx.store.db.select().from(keyValues).where(startsWith(keyValues.name, prefix));
  const stored = rows.flatMap(({ name, value }): Trouble[] => {
    const kind = troubleKinds.find((one) => `${name} `.startsWith(`${prefix}${one} `));
    const { since, until, words } = JSON.parse(value) as Stored;
    if (!kind || (until !== undefined && Date.parse(until) < ctx.now().getTime())) return [];
    return [{ kind, since: new Date(since), ...(words === undefined ? {} : { words }) }];
  });
  const others = (unstored.get(ctx.store) ?? []).filter(({ kind }) =>
    stored.every((one) => one.kind !== kind),
  );
  return [...stored, ...others];
}

/** A trouble that stands, null where all is well, or undefined where the process can't tell. */
type Verdict = { since: Date; words?: string } | null | undefined;

/** Looks at what is around the shop, several times a minute, and stores what is wrong until a look finds it well. */
export function watchTroubles(ctx: Ctx, around: Surroundings): { look: () => Promise<void> } {
  const began = ctx.now();
  let awaySince: Date | null = null;
  let told: string | undefined;

  const discordAway = (): Verdict => {
    const state = around.discord();
    if (state !== "away") awaySince = null;
    if (state === "elsewhere") return undefined;
    if (state !== "away") return null;
    awaySince ??= ctx.now();
    // a process that has just begun to connect doesn't know yet
    return olderThan(awaySince, awayMilliseconds) ? { since: awaySince } : undefined;
  };
  const refusedEvents = async (): Promise<Verdict> =>
    around.webhookSecret === null ? null : recentRefusal(ctx, around.webhookSecret);
  const missedEvents = async (): Promise<Verdict> =>
    around.webhookSecret === null ? null : untoldEvent(ctx);
  const overdueBackup = async (): Promise<Verdict> => {
    if (around.backupEveryHours === null) return null;
    const last = await lastBackup(ctx);
    // the first is due at the start
    const due = last ? new Date(last.at.getTime() + around.backupEveryHours * hour) : began;
    return olderThan(due, lateMilliseconds) ? { since: due } : null;
  };
  const fullDisk = async (): Promise<Verdict> => {
    const found = await withTimeout(diskMilliseconds, around.disks()).catch(() => null);
    const full = found?.filter(isNearlyFull);
    if (!full) return undefined;
    const words = full
      .map(({ folder, free, size }) => `${bytesInWords(free)} of ${bytesInWords(size)} free in ${folder}`)
      .join(", ");
    return full.length > 0 ? { since: ctx.now(), words } : null;
  };
  const unlike = async (): Promise<Verdict> => {
    const found = await unlikeProcesses(ctx);
    if (found && found.sentence !== told) ctx.log.warn(found.sentence);
    told = found?.sentence;
    return found && { since: ctx.now(), words: found.what.join(", ") };
  };
  const olderThan = (at: Date, milliseconds: number) => ctx.now().getTime() - at.getTime() >= milliseconds;

  return {
    async look() {
      const verdicts: Record<TroubleKind, Verdict> = {
        discord_away: discordAway(),
        refused_events: await refusedEvents(),
        // beside refusals too: anybody can post what is refused
        missed_events: await missedEvents(),
        full_disk: await fullDisk(),
        overdue_backup: await overdueBackup(),
        unlike_processes: await unlike(),
      };
      const found = troubleKinds.flatMap((kind) => (verdicts[kind] ? [{ kind, ...verdicts[kind] }] : []));
      try {
        for (const kind of troubleKinds) await store(ctx, kind, verdicts[kind]);
        unstored.delete(ctx.store);
      } catch (error) {
        unstored.set(ctx.store, found);
        ctx.log.warn("what is wrong around the shop could not be stored", { reason: reasonOf(error) });
      }
    },
  };
}

/** Writes only what changes; what stands keeps its beginning. */
async function store(ctx: Ctx, kind: TroubleKind, verdict: Verdict): Promise<void> {
  if (verdict === undefined) return;
  const isOfMachine = kind === "full_disk" && ctx.store.remote;
  const name = `${prefix}${kind}${isOfMachine ? ` ${hostname()}` : ""}`;
  const kept = await factOf(ctx, name);
  if (verdict === null) {
    if (kept !== null) await commit(ctx.store, [forgetFact(ctx, name)]);
    return;
  }
  const before = kept === null ? null : (JSON.parse(kept) as Stored);
  const { words } = verdict;
  if (before && !isOfMachine && before.words === words) return;
  const now: Stored = {
    since: before?.since ?? verdict.since.toISOString(),
    ...(words === undefined ? {} : { words }),
    ...(isOfMachine ? { until: new Date(ctx.now().getTime() + believedMilliseconds).toISOString() } : {}),
  };
  await commit(ctx.store, [keepFact(ctx, name, JSON.stringify(now))]);
}
