import { hour, minute } from "@/contract/vocabulary/time";
import { backedUp } from "@/core/backup/backup";
import { watchClock } from "@/core/jobs/clock-watch";
import { forgetMarks } from "@/core/database/commit-marks";
import type { Config } from "@/core/settings/config";
import type { Ctx } from "@/core/database/context";
import { watchFile } from "@/core/database/database-file";
import { forgetOldLimits } from "@/core/limits/limits";
import type { Metrics } from "@/core/log/metrics";
import type { RootKeys } from "@/core/database/open-secrets";
import type { PeriodicJob, Scheduler } from "@/core/jobs/scheduler";
import { forgetExpired } from "@/domain/accounts/sign-in/forget";
import { updateFigures } from "@/domain/figures/days";
import { forgetDeviceRequests } from "@/domain/application/device-sign-in";
import type { BackupPlan } from "@/domain/backups/make";
import { backupJob } from "@/domain/backups/schedule";
import { countEnds, logExpired } from "@/domain/licences/changes/expire";
import { forgetJobs } from "@/domain/jobs/forget";
import { backfillEnds } from "@/domain/licences/changes/backfill-ends";
import { endRefusing } from "@/domain/mail/refusing";
import { postAnnouncements } from "@/domain/campaigns/announce";
import { remindOfEndings } from "@/domain/campaigns/licence-endings";
import { mailOwners } from "@/domain/notices/owner-mail";
import { reportStuckWork } from "@/domain/notices/report-once";
import type { CheckoutGateway } from "@/domain/payments/port/stripe";
import { forgetBuyers } from "@/domain/payments/checkout/purchase-evidence";
import { readBooks } from "@/domain/payments/books/read-books";
import { followEvents, followEveryMilliseconds } from "@/domain/payments/reconcile/follow-events";
import type { KeyWatch } from "@/domain/payments/reconcile/key-watch";
import {
  reconcileEveryMilliseconds,
  reconcilePayments,
} from "@/domain/payments/reconcile/reconcile-payments";
import { forgetUnpaid } from "@/domain/payments/reconcile/unpaid";
import type { WebhookWatch } from "@/domain/payments/reconcile/webhook-watch";
import { checkDueSubscriptions } from "@/domain/payments/subscriptions/due-checks";
import { deleteRoutineEntries } from "@/domain/privacy/delete-routine-entries";
import { remindOfRenewals } from "@/domain/payments/subscriptions/remind";
import { forgetUploads } from "@/domain/releases/upload/uploads";
import { mailAnswers } from "@/domain/tickets/writing/answered";
import { closeSilentOnSite, eraseOldTickets } from "@/domain/tickets/discord/timers";
import { forgetUnfinishedUploads } from "@/domain/tickets/writing/upload";
import { createDeliverer } from "@/domain/webhooks/deliver";
import { forgetDeliveries } from "@/domain/webhooks/forget";
import { type Surroundings, watchTroubles } from "@/domain/system/troubles";
import { readLog } from "@/domain/webhooks/read-log";
import { createBackupPlace } from "@/gateways/storage/backup-place";
import { createWebhookSender } from "@/gateways/webhooks/sender";

type PeriodicContext = {
  ctx: Ctx;
  checkout: CheckoutGateway;
  key: KeyWatch;
  webhooks: WebhookWatch;
  auditKeepDays: number;
  /** Whether the shop has a bot, in this or another process. */
  discord: boolean;
  isCopy: boolean;
  /** `OWNER_EMAIL` */
  ownerEmail: string | null;
  /** Null without mail. */
  mail: { check(): Promise<void> } | null;
  around: Surroundings;
};

/** The shop's periodic jobs, in the order in which `run` runs all of them. */
export function addPeriodicJobs(
  scheduler: Scheduler,
  { ctx, checkout, key, webhooks, auditKeepDays, discord, isCopy, ownerEmail, mail, around }: PeriodicContext,
) {
  // late enough not to slow the start down
  const often = { everyMilliseconds: reconcileEveryMilliseconds, firstAfterMilliseconds: 2_000 };
  const once = { ...often, inOneProcess: true };
  const clock = watchClock(ctx);
  const file = watchFile(ctx);
  const surroundings = watchTroubles(ctx, around);
  const periodicJobs: PeriodicJob[] = [
    { ...once, name: "stuck work", everyMilliseconds: minute, run: () => reportStuckWork(ctx) },
    { ...once, name: "old limits", run: () => forgetOldLimits(ctx) },
    { ...once, name: "commit marks", run: () => forgetMarks(ctx) },
    { ...once, name: "ends of licences", run: (stopping) => backfillEnds(ctx, stopping) },
    {
      ...once,
      name: "ends that passed",
      everyMilliseconds: 10_000,
      run: (stopping) => countEnds(ctx, stopping),
    },
    { ...once, name: "expired sessions", run: () => forgetExpired(ctx) },
    { ...once, name: "codes of computers", run: () => forgetDeviceRequests(ctx) },
    { ...once, name: "audit log", run: () => deleteRoutineEntries(ctx, auditKeepDays) },
    { ...once, name: "buyers' addresses", run: () => forgetBuyers(ctx) },
    {
      ...once,
      name: "expired licences",
      everyMilliseconds: minute,
      run: (stopping) => logExpired(ctx, stopping),
    },
    { ...once, name: "webhooks sent", run: () => forgetDeliveries(ctx) },
    { ...once, name: "owners' mail", everyMilliseconds: minute, run: () => mailOwners(ctx, ownerEmail) },
    { ...once, name: "figures", run: () => updateFigures(ctx) },
    { ...once, name: "old jobs", run: () => forgetJobs(ctx) },
    { ...once, name: "unpaid checkouts", run: () => forgetUnpaid(ctx) },
    // the bot erases them sooner, but not every shop has one
    { ...once, name: "old tickets", run: () => eraseOldTickets(ctx) },
    ...(discord ? [] : [{ ...once, name: "silent tickets", run: () => closeSilentOnSite(ctx) }]),
    { ...once, name: "unfinished uploads", run: () => forgetUnfinishedUploads(ctx) },
    { ...once, name: "uploads of releases", run: () => forgetUploads(ctx) },
    { ...once, name: "answers in tickets", everyMilliseconds: 10_000, run: () => mailAnswers(ctx) },
    {
      ...once,
      name: "announcements",
      everyMilliseconds: 2_000,
      run: (stopping) => postAnnouncements(ctx, stopping),
    },
    { ...once, name: "renewals", run: (stopping) => remindOfRenewals(ctx, stopping) },
    { ...once, name: "licence endings", run: (stopping) => remindOfEndings(ctx, stopping) },
    { ...once, name: "Stripe key", everyMilliseconds: hour, run: () => key.check() },
    {
      ...once,
      name: "events",
      everyMilliseconds: followEveryMilliseconds,
      run: () => followEvents(ctx, checkout),
    },
    {
      ...once,
      name: "Stripe's books",
      everyMilliseconds: hour,
      firstAfterMilliseconds: 5 * minute,
      run: (stopping) => readBooks(ctx, checkout, stopping),
    },
    { ...once, name: "sweep", run: () => reconcilePayments(ctx, checkout) },
    { ...once, name: "subscriptions", run: (stopping) => checkDueSubscriptions(ctx, checkout, stopping) },
    ctx.store.remote
      ? { ...often, name: "clock", everyMilliseconds: minute, run: () => clock.check() }
      : { ...often, name: "database file", everyMilliseconds: 5_000, run: () => file.check() },
    {
      ...often,
      name: "mail",
      everyMilliseconds: 20_000,
      run: () => (mail ? mail.check() : endRefusing(ctx)),
    },
    // in every process, because each knows its own disks and whether it runs the bot
    { ...often, name: "troubles", everyMilliseconds: 20_000, run: () => surroundings.look() },
    // in every process, because each knows only the webhooks that it refused itself
    { ...often, name: "webhooks", run: () => webhooks.check() },
  ];
  const due = periodicJobs.filter(({ name }) => !isCopy || !notOnCopies.includes(name));
  const scheduled = due.map((chore) => scheduler.add(chore));
  return {
    async run() {
      for (const chore of scheduled) await chore.run();
    },
    async stop() {
      await Promise.all(scheduled.map((chore) => chore.stop()));
    },
  };
}

/** A copy leaves their changes and staff notices to the shop from which it was made. */
const notOnCopies = [
  "stuck work",
  "answers in tickets",
  "announcements",
  "owners' mail",
  "mail",
  "Stripe key",
  "webhooks",
];

/** How many pages of the log a run reads before it sends their deliveries. */
const mostPages = 20;

/** Sends webhooks. `stop` resolves once no try is under way; the scheduler stops the job first. */
export function addWebhooks(scheduler: Scheduler, { ctx, metrics, allowPrivate }: WebhookContext) {
  const count = metrics.counter("latchkey_webhooks_total", "Tries to deliver a webhook.", ["result"]);
  const deliverer = createDeliverer(ctx, createWebhookSender({ allowPrivate, now: ctx.now }), {
    observe: (result) => count(result),
  });
  const job = scheduler.add({
    name: "webhooks out",
    everyMilliseconds: 500,
    inOneProcess: true,
    async run(stopping) {
      let pages = 0;
      while (pages < mostPages && !stopping.aborted && (await readLog(ctx))) pages += 1;
      await deliverer.run(stopping);
      if (pages === mostPages) job.soon();
    },
  });
  return {
    run: () => job.run(),
    idle: () => deliverer.idle(),
    async stop() {
      await job.stop();
      await deliverer.idle();
    },
  };
}

type WebhookContext = { ctx: Ctx; metrics: Metrics; allowPrivate: Config["webhooksAllowPrivate"] };

type Planned = { config: Config; publicUrl: URL; keys: RootKeys };

/** How this shop's backups are made, and where. */
export const backupPlan = ({ config, publicUrl, keys: { secretKey } }: Planned): BackupPlan => ({
  database: backedUp(config),
  keys: { backupKey: config.backupKey, secretKey },
  host: publicUrl.host,
  place: createBackupPlace(config.backups.place),
  keep: config.backups.keep,
});

type BackupContext = { ctx: Ctx; metrics: Metrics; everyHours: number | null; plan: BackupPlan };

/** Null if no periodic backups are configured. */
export function addBackups(scheduler: Scheduler, { ctx, metrics, everyHours, plan }: BackupContext) {
  if (everyHours === null) return null;
  const count = metrics.counter("latchkey_backups_total", "Backups that were due.", ["result"]);
  return scheduler.add(backupJob(ctx, { everyHours, ...plan }, count));
}
