import { sampleFolder, theBrand } from "@/brand/the-brand";
import { day } from "@/contract/vocabulary/time";
import { otherBun } from "@/core/settings/bun-version";
import { noSuchSettings } from "@/core/settings/config";
import { databaseFault } from "@/core/database/database-fault";
import { migrationState } from "@/core/database/migrations";
import { stuckJobs, unknownQueues } from "@/core/jobs/outbox";
import { isNewer, release, releasesOn } from "@/core/database/release";
import { restoredCopy } from "@/core/database/restored-copy";
import { probe } from "@/core/database/storing";
import type { KeyPermission } from "@/domain/payments/port/account-gateway";
import { CheckoutUnreachable } from "@/domain/payments/port/stripe";
import { allTopics } from "@/domain/topics";
import { offersOnSale } from "@/domain/offers/list";
import { countOfOtherMode } from "@/domain/licences/entitlement/entitlement";
import { type EndChange, endsChanged, endsToChange } from "@/domain/licences/changes/backfill-ends";
import { mailRefusing } from "@/domain/mail/refusing";
import { ownerMailReport } from "@/domain/notices/emails/owner-notices";
import { isReported } from "@/domain/notices/report-once";
import { describeDeferred, deferredOrders } from "@/domain/payments/reconcile/deferred-orders";
import { missingPermissionSentence, permissionsNow } from "@/domain/payments/reconcile/key-watch";
import { changesPausedUntil } from "@/domain/payments/settlement/paused-changes";
import { hasSubscriptions } from "@/domain/payments/subscriptions/due-checks";
import { type Finding, unlikeProcesses } from "@/domain/system/system";
import type { OpenShop } from "../terminal/command-line";
import { backups } from "./backups";
import { builds } from "./builds";
import { clocks } from "./clocks";
import { discord, loadDiscord } from "./discord";
import { disks } from "./disks";
import { disputes } from "./disputes";
import { unknown, warning, well, wrong } from "./finding";
import { inTime } from "./in-time";
import { webhookEndpoints } from "./endpoints";
import { webhooks } from "./webhooks";
import { secretsInWords } from "../commands/secrets";
import { leftOf } from "../files/brand-folder";
import { stripeFault } from "../terminal/stripe-errors";
import { stamp } from "../terminal/table";

type Check = (shop: OpenShop, running: boolean) => Finding | Finding[] | Promise<Finding | Finding[]>;

/** How long a check may take. */
const usualSeconds = 20;
/** The doctor asks Stripe some twenty questions. */
const stripeSeconds = 60;

/** In the order of the report; they run at the same time. */
const checks: [what: string, check: Check, seconds?: number][] = [
  ["Bun", bun],
  ["brand", brand],
  ["settings", settings],
  ["copy", copyOf],
  ["release", runningRelease],
  ["processes", processes],
  ["database", database],
  ["clock", clocks],
  ["SECRET_KEY", secret],
  ["disk", disks],
  ["builds", builds],
  ["outbox", queue],
  ["orders", leftOut],
  ["backup", backups],
  ["Stripe", stripe, stripeSeconds],
  ["webhooks", webhooks],
  ["webhooks out", webhookEndpoints],
  ["subscriptions", subscriptionsPaused],
  ["disputes", disputes],
  ["offers", onSale],
  ["licences", licences],
  ["mail", mail],
  ["Discord", discord],
  ["not checked", notChecked],
];

/** The findings of every check, in order; `running`: as the running shop examines itself, while customers wait. */
export async function examine(shop: OpenShop, { running = false } = {}): Promise<Finding[]> {
  await loadServices(shop);
  const wanted = checks.filter(([what]) => !running || !notWhileRunning.includes(what));
  const found = wanted.map(([what, check, seconds = usualSeconds]) =>
    inTime(what, seconds * 1000, () => check(shop, running)),
  );
  return (await Promise.all(found)).flat();
}

/** Loads the code for the services in use before any check's time starts. A check whose code can't be loaded says so. */
async function loadServices({ config, checkout }: OpenShop): Promise<void> {
  await Promise.allSettled([
    config.stripe && checkout(),
    config.mail && config.mail !== "off" && loadMail(),
    config.discord && config.discord !== "off" && loadDiscord(),
  ]);
}

export async function loadMail() {
  const [reach, transport] = await Promise.all([
    import("@/gateways/mail/reach"),
    import("@/gateways/mail/transport"),
  ]);
  return { ...reach, ...transport };
}

/** Checks that read whole tables, those whose result the desk shows anyway, and those of the doctor itself. */
const notWhileRunning = ["SECRET_KEY", "licences", "disputes", "not checked"];

/** What only an outside check can show. */
function notChecked(): Finding {
  const sentence =
    "Whether mail arrives (DNS, SPF, DKIM), whether browsers reach PUBLIC_URL (DNS, certificate, proxy), whether a backup can be restored, and taxes.";
  return unknown("not checked", sentence);
}

/** Silent on the Bun that this release was tested with. */
function bun(): Finding[] {
  const other = otherBun();
  if (!other) return [];
  return [(other.fits ? warning : wrong)("Bun", other.sentence)];
}

/** Silent if every name that looks like a setting is one. */
function settings({ config: { unknown } }: OpenShop): Finding[] {
  if (unknown.length === 0) return [];
  return [warning("settings", noSuchSettings(unknown))];
}

/** Finds the sample in production, and legal texts that nobody has reviewed where real money is taken. */
function brand({ config, ctx }: OpenShop): Finding[] {
  const own = theBrand();
  if (!config.production || (own.folder !== sampleFolder && !ctx.livemode)) return [];
  return leftOf(own).findings.map((sentence) => warning("brand", sentence));
}

async function onSale({ ctx }: OpenShop): Promise<Finding[]> {
  const currency = ctx.currency.toUpperCase();
  if ((await offersOnSale(ctx)).length > 0) return [];
  return [
    wrong(
      "offers",
      `Nothing is on sale in ${currency}: run shop offers add, or shop offers change with --amount.`,
    ),
  ];
}

/** Silent unless the database was restored from a backup and has not taken over. */
async function copyOf({ ctx }: OpenShop): Promise<Finding[]> {
  const copy = await restoredCopy(ctx);
  if (!copy) return [];
  const [made, at] = [stamp(new Date(copy.made)), stamp(new Date(copy.at))];
  const sentence = `This is a copy of the shop as of ${made}, restored ${at}: it sells, mails, refunds and backs up nothing, and sends no webhooks. If it is the shop from now on, stop the old one for good and run shop take-over.`;
  return [warning("copy", sentence)];
}

/** Silent unless subscriptions at Stripe are left as they are after a restore. */
async function subscriptionsPaused({ ctx }: OpenShop): Promise<Finding[]> {
  const until = await changesPausedUntil(ctx);
  if (until === null || !(await hasSubscriptions(ctx))) return [];
  const sentence =
    until === "agree"
      ? "After the restore more than ten should be otherwise at Stripe, or money is to be given back: look through them and run shop subscriptions agree."
      : "After the restore nothing of them is changed at Stripe until all were looked at: run shop subscriptions sync.";
  return [warning("subscriptions", sentence)];
}

async function runningRelease({ ctx }: OpenShop): Promise<Finding> {
  const ran = await releasesOn(ctx.store);
  if (ran && isNewer(ran.newest)) {
    const sentence = `${release.number} runs on what ${ran.newest} wrote, and keeps for it what it can't read: start ${ran.newest} again.`;
    return warning("release", sentence);
  }
  return well("release", `${release.number}; you can go back to ${ran?.goesBackTo ?? release.goesBackTo}.`);
}

/** Silent unless processes on a database server differ in what they must have alike. */
async function processes({ ctx }: OpenShop): Promise<Finding[]> {
  const found = await unlikeProcesses(ctx);
  return found ? [warning("processes", found.sentence)] : [];
}

async function database({ ctx, config }: OpenShop): Promise<Finding> {
  const fault = await probe(ctx.store).then(
    () => null,
    (error: unknown) => databaseFault(error)?.sentence ?? "the database refuses",
  );
  if (fault) return wrong("database", `Nothing can be stored: ${fault}.`);
  const state = await migrationState(ctx.store);
  if (state === "ahead") return warning("database", "A newer release of the shop has migrated it.");
  const secret = config.secretKey
    ? "SECRET_KEY is set"
    : `the secret is ${config.dataDir}/secret.key: keep a copy of it apart from the backups`;
  return well("database", `It is intact and up to date; ${secret}.`);
}

/** Silent if the secret was never replaced. */
async function secret({ ctx, config }: OpenShop): Promise<Finding[]> {
  const { state, sentence } = await secretsInWords(ctx);
  if (state === "rotating") return [wrong("SECRET_KEY", sentence)];
  if (!config.secretKeyOld) return [];
  return [warning("SECRET_KEY", "SECRET_KEY_OLD is no longer needed: take it out of the settings.")];
}

/** Silent if there is nothing that only a newer release can read. */
async function leftOut({ ctx }: OpenShop): Promise<Finding[]> {
  const [kept, unknown] = await Promise.all([deferredOrders(ctx), unknownQueues(ctx, allTopics)]);
  const topics = unknown.map(({ topic }) => topic).join(", ");
  return [
    ...(kept.count > 0 ? [wrong("orders", describeDeferred(kept))] : []),
    ...(unknown.length > 0
      ? [warning("outbox", `Deliveries of a newer release wait for it to run again: ${topics}.`)]
      : []),
  ];
}

async function queue({ ctx }: OpenShop): Promise<Finding> {
  const stuck = await stuckJobs(ctx);
  const topics = [...new Set(stuck.map(({ topic }) => topic))].join(", ");
  if (stuck.length === 0) return well("outbox", "No delivery is stuck.");
  const count = stuck.length === 1 ? "One delivery is" : `${stuck.length} deliveries are`;
  return warning("outbox", `${count} stuck (${topics}): run shop outbox list.`);
}

async function stripe({ ctx, config, checkout }: OpenShop, running: boolean): Promise<Finding[]> {
  if (!config.stripe) return [warning("Stripe", "The local simulator is used.")];
  let permissions: KeyPermission[];
  try {
    // each write that is tried leaves an error in Stripe's log
    permissions = await permissionsNow(ctx, await checkout(), { writes: !running });
  } catch (error) {
    if (error instanceof CheckoutUnreachable) return [wrong("Stripe", `${stripeFault(error)}.`)];
    throw error;
  }
  const lacking = permissions.filter(({ granted }) => !granted);
  const test = /^[rs]k_test_/.test(config.stripe.secretKey) && config.production;
  return [
    ...lacking.map((one) => wrong("Stripe", missingPermissionSentence(one))),
    well("Stripe", "It answers."),
    ...(test ? [warning("Stripe", "The keys are test keys: no real money is paid.")] : []),
  ];
}

async function licences(shop: OpenShop): Promise<Finding[]> {
  return [...(await otherMode(shop)), ...(await movedEnds(shop))];
}

const mostNamed = 20;
const recentDays = 30;

/** Names the accounts whose end a change of Stripe's mode moves, or has moved; silent if there are none. */
async function movedEnds({ ctx }: OpenShop): Promise<Finding[]> {
  const toMove = await endsToChange(ctx, mostNamed + 1);
  const moved = await endsChanged(ctx, new Date(ctx.now().getTime() - recentDays * day), mostNamed + 1);
  const since = `in the last ${recentDays} days, because licences of the other Stripe mode no longer count`;
  return [
    ...(toMove.length > 0 ? [warning("licences", `An end will move: ${changesInWords(toMove)}.`)] : []),
    ...(moved.length > 0 ? [warning("licences", `An end moved ${since}: ${changesInWords(moved)}.`)] : []),
  ];
}

function changesInWords(changes: EndChange[]): string {
  const some = changes.slice(0, mostNamed).map(({ username, before, after }) => {
    return `${username} (${endInWords(before)} → ${endInWords(after)})`;
  });
  return some.join(", ") + (changes.length > mostNamed ? " and others" : "");
}

function endInWords(end: Date | null | undefined): string {
  if (end === undefined) return "no active licence";
  return end === null ? "lifetime" : (stamp(end) ?? "");
}

/** Silent if every licence was bought in the mode that the shop runs in. */
async function otherMode({ ctx }: OpenShop): Promise<Finding[]> {
  const count = await countOfOtherMode(ctx);
  if (count === 0) return [];
  const [other, own] = ctx.livemode ? ["test", "live"] : ["live", "test"];
  const were = count === 1 ? "One was" : `${count} were`;
  const sentence = `${were} bought in Stripe's ${other} mode: not valid while the shop uses a ${own} key.`;
  return [warning("licences", sentence)];
}

async function mail({ ctx, config }: OpenShop): Promise<Finding[]> {
  if (config.mail === "off") return [warning("mail", "It is off: nobody gets a receipt or a recovery code.")];
  if (!config.mail) return [warning("mail", "The local mailbox is used.")];
  const { helloName, mailFault } = await loadMail();
  const fault = await mailFault(config.mail.smtpUrl, helloName(config.publicUrl));
  if (fault) return [wrong("mail", `The server can't be used (${fault}).`)];
  const refusing = await mailRefusing(ctx);
  if (refusing) {
    const since = stamp(new Date(refusing.since));
    const sentence = `The server has refused what the shop sends since ${since} (${refusing.words}): look at MAIL_FROM, the login in SMTP_URL and the server's limits. Emails wait.`;
    return [wrong("mail", sentence)];
  }
  const isRefused = config.ownerEmail !== null && (await isReported(ctx, ownerMailReport));
  return [
    ...(isRefused
      ? [wrong("mail", "The mail server refused OWNER_EMAIL the last time: is the address right?")]
      : []),
    well("mail", "The server answers."),
  ];
}
