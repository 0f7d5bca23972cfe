import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Command } from "commander";
import { type BackupKeys, expectFree, readBackup, removeDatabase } from "@/core/backup/backup";
import { type Config, ConfigError, readConfig } from "@/core/settings/config";
import { connectTo } from "@/core/database/database";
import { diskCodes, inFolder } from "@/core/database/disk-fault";
import { fileOf } from "@/core/settings/storage-location";
import { expectFillable } from "@/core/database/move-database";
import { unknownQueues } from "@/core/jobs/outbox";
import { isNewer, release } from "@/core/database/release";
import { noteRestored } from "@/domain/backups/restored";
import { allTopics } from "@/domain/topics";
import { countAccounts } from "@/domain/accounts/sessions/account";
import { CheckoutRefused, CheckoutUnreachable } from "@/domain/payments/port/stripe";
import { describeDeferred, deferredOrders } from "@/domain/payments/reconcile/deferred-orders";
import { reconcilePayments } from "@/domain/payments/reconcile/reconcile-payments";
import type { ReconcileReport } from "@/domain/payments/reconcile/progress";
import { shopStatistics } from "@/domain/customers/statistics";
import { keysOf } from "./backup";
import { backupNamed } from "../files/backup-source";
import { changesInWords } from "./changes-found";
import { byOperator, withShop, print, withReason } from "../terminal/command-line";
import { lostInWords, lostBuildsIn } from "../files/lost-builds";
import { fillDatabase, type Target, moveTarget } from "./move";
import { progressBar } from "../terminal/progress";
import { stripeFault } from "../terminal/stripe-errors";
import {
  emailsInWords,
  emailsOutput,
  stoppedAtNeeded,
  type StopOptions,
  takenOver,
  withStoppedAt,
} from "./take-over";
import { actionsInWords, type StaffAction, staffActionsSince } from "./staff-actions-since";
import { counted, stamp } from "../terminal/table";

type RestoreOptions = StopOptions & {
  reason: string;
  json?: boolean;
  reconcile: boolean;
  oldDatabase?: string;
  takeOver?: boolean;
};

/** `shop restore` */
export const restoreVerb = (): Command =>
  withStoppedAt(
    withReason(
      new Command("restore"),
      'restore s3://my-backups/shop --reason "a drill"',
      'restore s3://my-backups/shop --take-over --stopped-at 2026-01-31T04:10 --reason "the disk died"',
    ),
  )
    .argument(
      "<backup>",
      "a file, an object in a bucket, or a folder or s3://bucket/prefix for the newest there",
    )
    .description(
      "restore a backup where there is no database, as a copy, and apply what Stripe has recorded since",
    )
    .option("--take-over", "make it the shop right away, because the old one will never run again")
    .option(
      "--old-database <file>",
      "list what staff did after the backup, from the database that it replaces",
    )
    .option("--no-reconcile", "don't ask Stripe; the shop does so once it is running")
    .action(restore);

async function restore(
  typed: string,
  { reason, json, reconcile, oldDatabase, takeOver = false, stoppedAt }: RestoreOptions,
): Promise<void> {
  const config = readConfig();
  const server = fileOf(config.database.url) ? null : moveTarget(config.database);
  // for a server, everything is prepared in a file, and then copied
  const target = fileOf(config.database.url) ?? join(config.dataDir, "restoring", "shop.db");
  if (reconcile && !config.stripe) {
    throw new ConfigError("The setting STRIPE_SECRET_KEY is missing: set it, or use --no-reconcile.");
  }
  const keys = await keysOf(config);
  if (oldDatabase && !existsSync(oldDatabase)) {
    throw new ConfigError(`There is no database at ${oldDatabase}. Nothing was restored.`);
  }
  if (server) {
    await expectEmpty(server);
    await rm(dirname(target), { recursive: true, force: true });
  }
  expectFree(target);
  const made = await restoreBackup(config, { typed, target, keys, json });
  try {
    await withShop(
      async ({ ctx, checkout, builds }) => {
        const stopped = await noteRestored(ctx, made.made, byOperator(reason));
        const found = reconcile ? await reconcileNow(ctx, await checkout(), json) : "not asked";
        const { payments, licences } = await shopStatistics(ctx, 1);
        // what Stripe reports later would be mailed again
        const isUnread = typeof found === "string" && reconcile;
        const taken =
          takeOver && !isUnread
            ? await takenOver(ctx, { reason, ...(stoppedAt ? { stoppedAt } : {}) })
            : null;
        const isCopy = taken === null || taken === "needs when";
        const leftOut = await deferredOrders(ctx);
        const unknown = await unknownQueues(ctx, allTopics);
        const lost = await lostBuildsIn(ctx, builds);
        const output = {
          made: made.made,
          release: made.release,
          database_bytes: made.databaseBytes,
          accounts: await countAccounts(ctx),
          licences: licences.issued,
          payments,
          reconciliation: found,
          left_out: leftOut,
          deliveries_left_out: unknown.map(({ topic, waiting }) => ({ topic, waiting })),
          builds_missing: lost.map(({ version, fileName }) => ({ version, file_name: fileName })),
          announcements_stopped: stopped.map(({ id, subject }) => ({ id, subject })),
          staff_actions: oldDatabase ? await actionsIn(oldDatabase, made.made) : null,
          taken_over: !isCopy,
          ...(isCopy ? {} : emailsOutput(taken)),
        };
        if (server) await fillDatabase(ctx, server, { json, settle: async () => {} });
        if ((reconcile && !isReconciled(found)) || taken === "needs when") process.exitCode = 3;
        if (leftOut.count > 0 || unknown.length > 0) process.exitCode = 3;
        if (taken === "needs when" && json) console.error(stoppedAtNeeded);
        const last = taken === "needs when" ? stoppedAtNeeded : taken ? emailsInWords(taken) : copyInWords;
        if (takeOver && isUnread) console.error(unreadInWords);
        print(
          json,
          output,
          [describeRestore(output), lostInWords(lost, config), last].filter(Boolean).join("\n"),
        );
        // alone, because a backup from before SECRET_KEY_OLD was replaced begins the rotation
      },
      { alone: true, database: { url: pathToFileURL(target).href, authToken: undefined } },
    ).catch(async (error: unknown) => {
      // a database that doesn't belong to this SECRET_KEY must not be left in the shop's place
      if (error instanceof ConfigError) await removeDatabase(target);
      throw error;
    });
  } finally {
    if (server) await rm(dirname(target), { recursive: true, force: true });
  }
}

/** Runs before a long download, and again before filling. */
async function expectEmpty(server: Target): Promise<void> {
  const client = await connectTo(server);
  await expectFillable(client, server.place).finally(() => client.close());
}

/** A sentence if the old database can't be read: the restored data stays. */
const actionsIn = (path: string, made: string): Promise<StaffAction[] | string> =>
  staffActionsSince(path, new Date(made)).catch((error: unknown) => {
    if (error instanceof ConfigError) return error.message;
    throw error;
  });

type RestoreRequest = { typed: string; target: string; keys: BackupKeys; json: boolean | undefined };

async function restoreBackup(config: Config, { typed, target, keys, json }: RestoreRequest) {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const source = await backupNamed(config, typed, target);
  const bar = progressBar("Opening the backup", json);
  try {
    const read = () => readBackup({ ...source, progress: bar.at }, keys, target);
    return await inFolder(dirname(target), read, diskCodes);
  } finally {
    bar.end();
    await source.end();
  }
}

type Reconciliation = ReconcileReport | string;

const isReconciled = (found: Reconciliation) => typeof found !== "string" && found.failed === 0;

/** Runs until Stripe's lists are read to the end, or Stripe refuses; the running shop continues from there. */
async function reconcileNow(
  ctx: Parameters<typeof reconcilePayments>[0],
  gateway: Parameters<typeof reconcilePayments>[1],
  json: boolean | undefined,
): Promise<Reconciliation> {
  const bar = progressBar("Asking Stripe about payments", json);
  try {
    for (;;) {
      const report = await reconcilePayments(ctx, gateway, { lists: "now", onProgress: bar.at });
      if (report.finished) return report;
    }
  } catch (error) {
    if (error instanceof CheckoutUnreachable) return stripeFault(error);
    if (error instanceof CheckoutRefused) return `Stripe refuses: ${error.message}`;
    throw error;
  } finally {
    bar.end();
  }
}

const unreadInWords =
  "It did not take over: what happened since the backup would be mailed again once Stripe tells of it. Start it as a copy, which reads Stripe as soon as it answers; once its log says `swept`, stop it, and run shop take-over.";

const copyInWords =
  "This is a copy: it sells, mails, refunds and backs up nothing, and sends no webhooks. If it is the shop from now on, make sure that the old one never runs again, then run: shop take-over --stopped-at <when it last ran, in UTC> --reason …";

type Output = {
  made: string;
  release: string;
  accounts: number;
  licences: number;
  payments: Record<string, number>;
  reconciliation: Reconciliation;
  left_out: Awaited<ReturnType<typeof deferredOrders>>;
  deliveries_left_out: { topic: string; waiting: number }[];
  announcements_stopped: { id: string; subject: string }[];
  staff_actions: StaffAction[] | string | null;
};

function describeRestore(output: Output): string {
  const { announcements_stopped: stopped, staff_actions: actions } = output;
  const each = stopped.map(({ id, subject }) => `\n  ${id}: ${subject}`).join("");
  const announcements =
    stopped.length > 0
      ? `Stopped, because it is no longer known who received them: ${counted(stopped.length, "announcement")}.${each}`
      : null;
  const staff = actions === null || typeof actions === "string" ? actions : actionsInWords(actions);
  return [moneyInWords(output), ...leftOutInWords(output), announcements, staff]
    .filter((part) => part !== null)
    .join("\n");
}

/** Rows that only a newer release can read: they stay in the database, and wait for that release. */
function leftOutInWords({ release: by, left_out: orders, deliveries_left_out: work }: Output): string[] {
  const topics = work.map(({ topic, waiting }) => `${waiting} × ${topic}`).join(", ");
  return [
    ...(isNewer(by)
      ? [`Release ${by} made the backup, and this is ${release.number}: start ${by} again when you can.`]
      : []),
    ...(orders.count > 0 ? [describeDeferred(orders)] : []),
    ...(work.length > 0 ? [`Deliveries of a newer release wait for it: ${topics}.`] : []),
  ];
}

function moneyInWords({ made, accounts, licences, payments, reconciliation: found }: Output): string {
  const states = Object.entries(payments).map(([state, count]) => `${count} ${state}`);
  const at = stamp(new Date(made));
  const holds = `Restored as of ${at}: ${accounts} accounts, ${licences} licences, payments: ${states.join(", ") || "none"}.`;
  if (typeof found === "string")
    return `${holds}\nNot reconciled (${found}): the shop will do so once it is running.`;
  const since = stamp(new Date(found.since));
  const asked = `Stripe was asked about ${found.asked} payments since ${since}: ${found.changed} had changed, ${found.failed} failed.`;
  return `${holds}\n${asked}${changesInWords(found)}`;
}
