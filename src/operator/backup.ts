import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { audit } from "@/core/audit";
import { type BackupKeys, readBackup, writeBackup } from "@/core/backup";
import { commit } from "@/core/commit";
import { type Config, ConfigError, readConfig } from "@/core/config";
import { keptSecretKey } from "@/core/secrets";
import { countAccounts } from "@/domain/accounts/count";
import { CheckoutRefused, CheckoutUnreachable } from "@/domain/payments/checkout";
import { sweep, type SweepReport } from "@/domain/payments/sweep";
import { forgetProgress } from "@/domain/payments/sweep-progress";
import { statistics } from "@/domain/staff/books";
import { atDesk, say, withJson, withReason } from "./desk";
import { positive } from "./typed";

const nameOf = (at: Date) => `shop-${at.toISOString().replace(/[:.]/g, "-")}.backup`;
const isBackup = /^shop-\d{4}-\d\d-\d\dT[\d-]+Z\.backup$/;

type BackingUp = { to?: string; keep?: number; json?: boolean };

/** `shop backup` */
export const backupVerb = (): Command =>
  withJson(new Command("backup"))
    .description("write a consistent, encrypted copy of the database while the shop runs")
    .option("--to <folder>", "where (default: DATA_DIR/backups; better a disk of another machine)")
    .option("--keep <number>", "take the oldest away, so that this many are left", positive)
    .action(({ to, keep, json }: BackingUp) =>
      atDesk(async ({ ctx, config }) => {
        expectFile(config);
        const folder = resolve(to ?? join(config.dataDir, "backups"));
        const made = ctx.now();
        const keys = await keysOf(config);
        const report = await writeBackup(ctx.store, keys, { path: join(folder, nameOf(made)), made });
        const removed = keep === undefined ? [] : await prune(folder, keep);
        const entry = { actor: "operator", action: "shop.backed_up", subject: nameOf(made) };
        await commit(ctx.store, [audit(ctx, { ...entry, detail: { bytes: report.bytes } })]);
        const keepSafe = `It opens with ${report.key}${report.key === "BACKUP_KEY" ? " and serves with SECRET_KEY" : ""}: keep that apart from it.`;
        say(json, { ...report, removed }, `${report.path}: ${report.bytes} bytes. ${keepSafe}`);
      }),
    );

/** Oldest first away; only files that bear a backup's name. */
async function prune(folder: string, keep: number): Promise<string[]> {
  const backups = (await readdir(folder)).filter((name) => isBackup.test(name)).toSorted();
  const old = backups.slice(0, -keep);
  await Promise.all(old.map((name) => rm(join(folder, name))));
  return old;
}

type Restoring = { reason: string; json?: boolean; reconcile: boolean };

/** `shop restore` */
export const restoreVerb = (): Command =>
  withReason(new Command("restore"))
    .argument("<file>", "a backup")
    .description("bring a backup back to where there is no database, and settle what Stripe knows since")
    .option("--no-reconcile", "don't ask Stripe; the shop does so once it runs")
    .action(restore);

async function restore(path: string, { reason, json, reconcile }: Restoring): Promise<void> {
  const config = readConfig();
  const target = expectFile(config);
  if (reconcile && !config.stripe) throw new ConfigError("The setting STRIPE_SECRET_KEY is missing.");
  expectSecretKey(config);
  const { made, databaseBytes } = await readBackup(resolve(path), await keysOf(config), target);
  await atDesk(async ({ ctx, checkout }) => {
    // a list of Stripe's that was half read then has grown at its head since
    await forgetProgress(ctx);
    await commit(ctx.store, [
      audit(ctx, { actor: "operator", action: "shop.restored", subject: made, reason }),
    ]);
    const found = reconcile ? await reconciled(ctx, await checkout()) : "not asked";
    const { payments, licences } = await statistics(ctx, 1);
    const told = {
      made,
      database_bytes: databaseBytes,
      accounts: await countAccounts(ctx),
      licences: licences.issued,
      payments,
      reconciliation: found,
    };
    if (reconcile && (typeof found === "string" || found.failed > 0)) process.exitCode = 3;
    say(json, told, inWords(told));
  }).catch(async (error: unknown) => {
    // what does not belong to this SECRET_KEY must not lie there as if it were the shop's
    if (error instanceof ConfigError) {
      await Promise.all(["", "-wal", "-shm"].map((end) => rm(`${target}${end}`, { force: true })));
    }
    throw error;
  });
}

type Reconciliation = SweepReport | string;

/** Until Stripe's lists are through, or Stripe says no; the running shop goes on from there. */
async function reconciled(...[ctx, gateway]: Parameters<typeof sweep>): Promise<Reconciliation> {
  try {
    for (;;) {
      const report = await sweep(ctx, gateway);
      if (report.finished) return report;
    }
  } catch (error) {
    if (error instanceof CheckoutUnreachable) return "Stripe can't be reached";
    if (error instanceof CheckoutRefused) return `Stripe refuses: ${error.message}`;
    throw error;
  }
}

type Told = {
  made: string;
  accounts: number;
  licences: number;
  payments: Record<string, number>;
  reconciliation: Reconciliation;
};

function inWords({ made, accounts, licences, payments, reconciliation: found }: Told): string {
  const states = Object.entries(payments).map(([state, count]) => `${count} ${state}`);
  const holds = `Restored as of ${made}: ${accounts} accounts, ${licences} licences, payments: ${states.join(", ") || "none"}.`;
  if (typeof found === "string") return `${holds}\nNot reconciled (${found}): the shop does it once it runs.`;
  const each = found.found.map(({ payment, from, to }) => `\n  ${payment}: ${from} → ${to}`).join("");
  return `${holds}\nStripe was asked about ${found.asked} payments since ${found.since}: ${found.changed} had changed, ${found.failed} failed.${each}`;
}

const keysOf = async ({ backupKey, secretKey, dataDir }: Config): Promise<BackupKeys> => ({
  backupKey,
  secretKey: secretKey ?? (await keptSecretKey(dataDir)),
});

/** A restore that made a new key would bring back a shop whose secrets nobody can open. */
function expectSecretKey({ secretKey, dataDir }: Config): void {
  if (secretKey || existsSync(join(dataDir, "secret.key"))) return;
  throw new ConfigError(`The setting SECRET_KEY is missing, and there is no secret.key in ${dataDir}.`);
}

/** The database's path. A database server makes backups of its own. */
function expectFile({ database: { url } }: Config): string {
  if (url.startsWith("file:")) return fileURLToPath(url);
  throw new ConfigError("The database is on a server, which has backups of its own: use those.");
}
