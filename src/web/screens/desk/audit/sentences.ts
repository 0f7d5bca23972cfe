import { money } from "@/contract/vocabulary/money";
import type { AuditAction, AuditDetails } from "@/contract/wire/audit-events";
import type { AuditRow } from "@/contract/wire/desk/rows";
import { formatDayOf } from "../../../parts/format-time";
import { actorName } from "../parts/actor";
import { bucketText } from "../parts/dates";
import { counted, withSpaces } from "../parts/format";
import { levelChanged, offerChanged } from "./terms-sentences";
import { disputeTold, inquiryTold } from "./dispute-sentences";

/** What the sentence of an entry is made of. Details of an earlier release may lack fields. */
type Told<A extends AuditAction> = {
  /** What the entry is about. */
  it: string;
  /** `ada's`, or `their` where the actor is it. */
  its: string;
  /** ` for ada`; empty where the actor is it. */
  forIt: string;
  /** `ada's account`, in whose history it is. */
  whose: string;
  details: Partial<AuditDetails<A>>;
  sum: (minor: number | undefined) => string;
  /** The name of a computer or an offer. */
  name: (id: string | null | undefined, otherwise: string) => string;
};

/** What the actor did; or what happened, where the actor is of no interest. */
type Phrase = string | { fact: string };

const fact = (text: string): Phrase => ({ fact: text });

/** ` on Firefox`, if the browser is known. */
const on = ({ device }: { device?: string | undefined }) =>
  device === undefined || device === "Unknown device" ? "" : ` in ${device}`;

const computers = ({ details, name }: Told<"device.reset_by_staff">): string => {
  const [only, ...others] = details.computers ?? [];
  return others.length === 0 ? name(only, "a computer") : counted(others.length + 1, "computer");
};
const many = (count: number | undefined, one: string) =>
  count === undefined ? `${one}s` : counted(count, one);
const term = (days: number | null | undefined) => (days ? ` for ${counted(days, "day")}` : "");
const whichAddress = (receiver: boolean | undefined) => (receiver ? "the receiver's address" : "the address");
const letterOf = (letter: string | undefined) => (letter ? `“${withSpaces(letter)}”` : "a letter");

const sentences: { [A in AuditAction]: (told: Told<A>) => Phrase } = {
  "account.registered": ({ details }) => `registered${on(details)}`,
  "account.imported": ({ it }) => `imported the account of ${it}`,
  "account.signed_in": ({ details }) => `signed in${on(details)}`,
  "account.guesses_refused": ({ it }) => fact(`Too many wrong passwords were typed for ${it}`),
  "account.noted": ({ it }) => `wrote a note about ${it}`,
  "account.erased": () => "erased the account",
  "session.ended": () => "ended a session",
  "session.others_ended": () => "signed out everywhere else",
  "session.all_ended_by_staff": ({ it }) => `signed ${it} out everywhere`,
  "mfa.enabled": () => "turned on two-factor",
  "mfa.removed": () => "turned off two-factor",
  "mfa.reset_by_staff": ({ it }) => `turned off two-factor for ${it}`,
  "mfa.code_refused": ({ details }) => `typed a wrong security code${on(details)}`,
  "mfa.locked": ({ it }) => fact(`Too many wrong security codes were typed for ${it}`),
  "mfa.recovery_code_used": () => "used a recovery code",
  "password.changed": ({ its }) => `changed ${its} password`,
  "recovery.sent": ({ its }) => `asked for an email to recover ${its} account`,
  "recovery.done": ({ its }) => `recovered ${its} account`,
  "email.requested_by_staff": ({ it }) => `sent ${it} a link to confirm a new email`,
  "email.changed": ({ its }) => `changed ${its} email`,
  "email.change_asked": ({ its }) => `asked to change ${its} email`,
  "email.confirmed": ({ its }) => `confirmed ${its} email`,
  "token.reset": ({ its }) => `reset ${its} auth token`,
  "device.bound": ({ details, name, forIt }) => `activated ${name(details.computer, "a computer")}${forIt}`,
  "device.moved": ({ details, name, its }) =>
    `moved ${its} seat from ${name(details.replaced, "a removed computer")} to ${name(details.computer, "a computer")}`,
  "device.sign_in_approved": ({ details }) => `approved a sign-in of the application${on(details)}`,
  "device.sign_in_declined": ({ details }) => `declined a sign-in of the application${on(details)}`,
  "device.signed_in": ({ details, name }) => `signed in on ${name(details.computer, "a computer")}`,
  "device.offline_file_made": ({ details, name }) =>
    `made an offline license for ${name(details.computer, "a computer")}${details.until ? ` until ${formatDayOf(details.until)}` : ""}`,
  "device.deactivated": ({ details, name }) => `deactivated ${name(details.computer, "a computer")}`,
  "device.renamed": ({ details, name }) => `renamed ${name(details.computer, "a computer")}`,
  "device.reset": (told) => `removed ${computers(told)}`,
  "device.reset_by_staff": (told) => `removed ${computers(told)} of ${told.it}`,
  "licence.issued": ({ it, details }) => `issued ${it}${term(details.days)}`,
  "licence.imported": ({ it, details }) => `imported ${it}${term(details.days)}`,
  "licence.redeemed": ({ it }) => `redeemed ${it}`,
  "licence.added": ({ it, whose }) => `added ${it} to ${whose}`,
  "licence.suspended": ({ it }) => `suspended ${it}`,
  "licence.reinstated": ({ it }) => `reinstated ${it}`,
  "licence.revoked": ({ it }) => `revoked ${it}`,
  "licence.extended": ({ it, details }) =>
    `extended ${it}${details.days ? ` by ${counted(details.days, "day")}` : ""}`,
  "licence.devices_changed": ({ it, details }) => `changed the seats of ${it}${fromTo(details)}`,
  "licence.level_changed": ({ it, details }) => `changed the level of ${it}${fromTo(details)}`,
  "licence.switched": ({ it, details: { before, after } }) =>
    fact(
      before === undefined || before === after
        ? `${it} follows another offer`
        : `${it} has ${many(after, "seat")} instead of ${before}`,
    ),
  "licence.end_moved": ({ it, details: { after, cause } }) =>
    fact(`${it} ${after ? `runs until ${formatDayOf(after)}` : "never ends"}${causes[cause ?? "renewed"]}`),
  "licence.lapsed": ({ it, details }) => fact(`${it} ended unpaid${onDay(details.expires_at)}`),
  "licence.ends_moved": ({ details: { moved = [], more = 0 } }) =>
    fact(`The end of ${counted(moved.length + more, "license")} moved with another license`),
  "licence.payment_changed": ({ it, details }) => fact(`The payment of ${it} changed${fromTo(details)}`),
  "subscription.trialing": ({ its }) => fact(`${its} subscription began with a trial`),
  "subscription.active": ({ its, details }) =>
    fact(`${its} subscription ${details.before ? `is active, and was ${words(details.before)}` : "began"}`),
  "subscription.changed": ({ its, details, name }) =>
    fact(
      `${its} subscription changed from ${name(details.before, "an offer")} to ${name(details.after, "another")}`,
    ),
  "subscription.ending": ({ its }) => fact(`${its} subscription won't renew`),
  "subscription.past_due": ({ its }) => fact(`${its} subscription is past due`),
  "subscription.paused": ({ its }) => fact(`${its} subscription is paused`),
  "subscription.ended": ({ its }) => fact(`${its} subscription ended`),
  "subscription.cancelled": ({ its, details }) =>
    `canceled ${its} subscription${details.when === "period_end" ? " at the end of its period" : ""}${details.reason ? ` (${details.reason})` : ""}`,
  "subscription.synced": ({ its }) => `refreshed ${its} subscription from Stripe`,
  "subscriptions.synced": ({ details }) =>
    `refreshed ${many(details.asked, "subscription")} from Stripe${changedIn(details)}`,
  "licence.expired": ({ it, details }) => fact(`${it} expired${onDay(details.expires_at)}`),
  "licence.key_rotated": ({ it }) => `replaced the key of ${it}`,
  "licence.key_reissued": ({ it, details }) =>
    `replaced the key of ${it}${details.mailed ? " and emailed it" : ""}`,
  "licence.key_resent": ({ it }) => `emailed ${it} the license keys`,
  "licence.key_revealed": ({ it }) => `looked at the whole key of ${it}`,
  "licence_job.made": ({ details: { action = "change", total } }) =>
    action.startsWith("import_")
      ? `started to import a file of ${many(total, action === "import_keys" ? "key" : "customer")}`
      : `started a job: ${action} ${many(total, "license")}`,
  "licence_job.cancelled": () => "stopped a job",
  "licence_job.keys_downloaded": () => "downloaded the keys of a job",
  "licence.end_recalculated": ({ its, details: { before, after } }) =>
    fact(`${its} license ends ${endText(after)} by this release's rule, instead of ${endText(before)}`),
  "payment.opened": () => "opened a checkout",
  "payment.processing": ({ its }) => fact(`${its} payment is on its way from the bank`),
  "payment.succeeded": ({ its, details, sum }) =>
    fact(
      details.before?.state === "disputed"
        ? `${its} disputed payment counts again${details.dispute === "won" ? ": the bank decided for the shop" : ""}`
        : (inquiryTold(its, details) ??
            `${its} payment ${details.refunded ? `counts, ${sum(details.refunded)} of it refunded` : "succeeded"}`),
    ),
  "payment.failed": ({ its }) => fact(`${its} payment failed`),
  "payment.expired": ({ its }) => fact(`${its} checkout expired unpaid`),
  "payment.refunded": ({ its, details, sum }) =>
    fact(
      details.dispute === "lost"
        ? `The bank decided for the buyer: ${its} payment is lost`
        : `${its} payment is refunded${details.refunded ? `: ${sum(details.refunded)}` : ""}`,
    ),
  "payment.disputed": ({ its, details }) =>
    fact(
      details.before?.state === "disputed" ? disputeTold(its, details) : `${its} bank disputed the payment`,
    ),
  "payment.synced": ({ its }) => `refreshed ${its} payment from Stripe`,
  "payments.synced": ({ details }) =>
    `refreshed ${many(details.asked, "payment")} from Stripe${changedIn(details)}`,
  "payment.contested": ({ its }) => `contested the dispute about ${its} payment`,
  "payment.dispute_accepted": ({ its }) => `accepted the dispute about ${its} payment`,
  "payment.receipt_resent": ({ it }) => `emailed ${it} the receipt again`,
  "payment.email_corrected": ({ its }) => `corrected the address of ${its} order`,
  "payment.receiver_corrected": ({ its }) => `corrected the receiver's address of ${its} gift`,
  "payment.correction_proposed": ({ its, details }) =>
    `proposed to correct ${whichAddress(details.receiver)} of ${its} order`,
  "payment.correction_approved": ({ its, details }) =>
    `approved the correction of ${whichAddress(details.receiver)} of ${its} order`,
  "payment.correction_declined": ({ its, details }) =>
    `declined to correct ${whichAddress(details.receiver)} of ${its} order`,
  "payment.refund_proposed": ({ it, details, sum }) =>
    `proposed to give back ${sum(details.amount)} to ${it}`,
  "payment.refund_requested": ({ it, details, sum }) => `gave back ${sum(details.amount)} to ${it}`,
  "payment.refund_approved": ({ it, details, sum }) => `approved giving back ${sum(details.amount)} to ${it}`,
  "payment.refund_declined": ({ it, details, sum }) =>
    `declined to give back ${sum(details.amount)} to ${it}`,
  "payment.refund_found": ({ it, details, sum }) =>
    `found ${sum(details.amount)} given back to ${it} at Stripe`,
  "payment.refund_made": ({ it, details, sum }) => fact(`Stripe sent ${sum(details.amount)} back to ${it}`),
  "payment.refund_refused": ({ it, details, sum }) =>
    fact(`Stripe refused to send ${sum(details.amount)} back to ${it}`),
  "discord.linked": ({ it, whose }) => `linked ${it} to ${whose}`,
  "discord.relinked": ({ it, whose }) => `moved the link of ${it} to ${whose}`,
  "discord.unlinked": ({ it, whose }) => `unlinked ${it} from ${whose}`,
  "discord.role_granted": ({ it, details }) => `gave ${it} the ${roleOf(details.levels)}`,
  "discord.role_taken": ({ it, details }) => `took the ${roleOf(details.levels)} from ${it}`,
  "ticket.opened": ({ it }) => `opened ${it}`,
  "ticket.claimed": ({ it }) => `claimed ${it}`,
  "ticket.unclaimed": ({ it }) => `gave ${it} back`,
  "ticket.closed": ({ it }) => `closed ${it}`,
  "ticket.reopened": ({ it }) => `reopened ${it}`,
  "ticket.escalated": ({ it }) => `escalated ${it}`,
  "ticket.transferred": ({ it }) => `handed ${it} to someone else`,
  "ticket.rated": ({ it }) => `rated ${it}`,
  "ticket.noted": ({ it }) => `wrote a note in ${it}`,
  "ticket.guest_added": ({ it }) => `added a guest to ${it}`,
  "ticket.role_resynced": ({ it }) => `checked the role of the customer in ${it}`,
  "staff.added": ({ it, details }) => `made ${it} ${aRole(details.role)}`,
  "staff.role_changed": ({ it, details }) => `changed the role of ${it}${fromTo(details)}`,
  "staff.removed": ({ it, details }) => `ended the role of ${it} as ${details.role ?? "staff"}`,
  "staff.fell_asleep": ({ it }) => fact(`The role of ${it} sleeps since the account was recovered`),
  "staff.woken": ({ it, details }) => `let ${it} work as ${details.role ?? "staff"} again`,
  "staff.invited": ({ details }) => `invited ${aRole(details.role)}`,
  "staff.invitation_withdrawn": ({ details }) => `withdrew the invitation of ${aRole(details.role)}`,
  "staff.notices_chosen": ({ details }) =>
    details.off?.length
      ? `turned off emails about ${details.off.map(words).join(", ")}`
      : "turned on every email to owners",
  "staff.entered": ({ details }) => `entered the desk${on(details)}`,
  "reply.added": ({ it }) => `added ${it}`,
  "reply.changed": ({ it }) => `changed ${it}`,
  "reply.removed": ({ it }) => `deleted ${it}`,
  "delivery.retried": ({ details }) => `tried a stuck job again: ${words(details.topic)}`,
  "delivery.dropped": ({ details }) => `gave up a stuck job: ${words(details.topic)}`,
  "level.added": ({ it, details }) => `added ${it}${details.name ? `, called ${details.name}` : ""}`,
  "level.changed": ({ it, details }) => `changed ${it}${levelChanged(details)}`,
  "level.retired": ({ it }) => `took ${it} and its offers off sale`,
  "offer.added": ({ it, details, sum }) => `put ${it} on sale for ${sum(details.amount)}`,
  "offer.changed": ({ it, details }) => `changed ${it}${offerChanged(details)}`,
  "offer.retired": ({ it }) => `took ${it} off sale`,
  "code.created": ({ it, details }) =>
    `created ${it}${details.takes_off ? `, which takes off ${details.takes_off}` : ""}`,
  "code.retired": ({ it }) => `retired ${it}`,
  "release.published": ({ details }) =>
    `published ${details.version ?? "a release"}${details.channel ? ` in the ${details.channel} channel` : ""}`,
  "release.yanked": ({ details }) => `yanked ${details.version ?? "a release"}`,
  "release.rollout": ({ it, details }) => `offered ${it} to ${details.rollout ?? 0}% of computers`,
  "build.downloaded": ({ details, name }) =>
    `downloaded ${details.version ?? "a build"} for ${words(details.platform)}${details.computer ? ` on ${name(details.computer, "a computer")}` : ""}`,
  "changelog.added": ({ it }) => `published ${it}`,
  "changelog.edited": ({ it }) => `changed ${it}`,
  "changelog.removed": ({ it }) => `deleted ${it}`,
  "announcement.made": ({ it, details, name }) =>
    `started to email ${it}${details.offer ? ` to buyers of ${name(details.offer, "an offer")}` : details.licensedOnly ? " to everyone with a license" : " to everyone"}`,
  "announcement.stopped": ({ it }) => `stopped emailing ${it}`,
  "mailings.subscribed": () => "subscribed to announcements again",
  "mailings.unsubscribed": () => "unsubscribed from announcements",
  "mail.rejected": ({ it, details }) =>
    fact(`A mail server refused ${letterOf(details.letter)}${forWhom(it)}${saying(details)}`),
  "mail.given_up": ({ it, details }) =>
    fact(`The shop gave up sending ${letterOf(details.letter)}${forWhom(it)}${saying(details)}`),
  "mail.retried": ({ details }) => `sent ${many(details.letters, "refused letter")} again`,
  "block.added": ({ details }) => `blocked ${a(words(details.kind))}`,
  "block.removed": ({ details }) => `unblocked ${a(words(details.kind))}`,
  "webhook.added": ({ details }) => `added the webhook ${details.origin ?? ""}`,
  "webhook.changed": ({ details }) => `changed the webhook ${details.after?.origin ?? ""}`,
  "webhook.enabled": () => "enabled a webhook",
  "webhook.disabled": ({ details }) =>
    fact(`The shop disabled a webhook: ${details.why ?? "it failed too often"}`),
  "webhook.removed": ({ details }) => `removed the webhook ${details.origin ?? ""}`,
  "webhook.rotated": () => "replaced the secret of a webhook",
  "webhook.tested": () => "sent a test to a webhook",
  "webhook.replayed": () => "sent an event to webhooks again",
  "webhooks.replayed": ({ details }) =>
    `sent the events since ${formatDayOf(details.since ?? null)} to webhooks again`,
  "server_key.added": ({ it }) => `added ${it}`,
  "server_key.removed": ({ it }) => `removed ${it}`,
  "secrets.rotated": ({ details }) =>
    `replaced the shop's secrets, and sealed ${details.resealed ?? 0} rows again`,
  "stripe.endpoint_made": () => "made the endpoint at Stripe",
  "figures.rebuilt": ({ details: { days, wrong } }) =>
    `recomputed the figures of ${many(days, "day")}${wrong === undefined ? "" : `, ${wrong} of which ${wrong === 1 ? "was" : "were"} wrong`}`,
  "shop.backed_up": ({ details }) =>
    `made a backup${details.bytes ? ` of ${(details.bytes / 1e6).toFixed(1)} MB` : ""}`,
  "shop.restored": () => "restored a backup",
  "shop.taken_over": () => "let this copy take over from the shop",
  "shop.moved": () => "moved the shop to another database",
  "desk.exported": ({ details }) =>
    `exported ${counted(details.rows ?? 0, "row")} of ${words(details.list)}${details.complete === false ? ", and stopped before the end" : ""}`,
  "sales.exported": ({ details }) =>
    `exported the sales of ${details.month ? bucketText(details.month, "month") : "a month"} for the tax adviser`,
  "shop.exported": ({ details }) => `exported the whole shop${details.keys ? " with its keys" : ""}`,
};

const forWhom = (it: string) => (it === nameless["mail"] ? "" : ` for ${it}`);
const saying = ({ words: reply }: { words?: string | undefined }) =>
  reply === undefined ? "" : `: “${reply}”`;

const causes = { renewed: "", paid_late: ": it was paid late", grace: ": its time to pay changed" } as const;
const words = (name = "something"): string => withSpaces(name).toLowerCase();
const a = (noun: string) => `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
type Plain = string | number | boolean | null | undefined;
const fromTo = ({ before, after }: { before?: Plain; after?: Plain }) =>
  before === undefined || after === undefined ? "" : ` from ${before} to ${after}`;
const roleOf = (levels: readonly string[] | undefined) =>
  levels ? `role of ${levels.join(" and ")}` : "role";
const onDay = (at: string | undefined) => (at === undefined ? "" : ` on ${formatDayOf(at)}`);
const endText = (end: string | undefined) =>
  end && !Number.isNaN(Date.parse(end)) ? formatDayOf(end) : (end ?? "never");
const aRole = (role: string | undefined) =>
  role === "owner" ? "an owner" : role === "viewer" ? "a viewer" : (role ?? "staff");
const changedIn = ({ changed, failed }: { changed?: number | undefined; failed?: number | undefined }) =>
  `${changed === undefined ? "" : `: ${changed} changed`}${failed ? `, ${failed} failed` : ""}`;

/** An entry of the log as people read it. */
export type Sentence = {
  /** Who did it; null where only what happened is told. */
  who: string | null;
  text: string;
};

export function sentenceOf(entry: AuditRow): Sentence {
  const { action, actor, subject, customer, currency, names } = entry;
  const who = actorName(actor);
  const phrase = sentences[action as AuditAction] as ((told: Told<never>) => Phrase) | undefined;
  // only another release knows it
  if (!phrase) return { who, text: `: ${withSpaces(action)}` };
  const it = subjectName(subject);
  const isOwn = subject.id === actor.id;
  const details = entry.details ?? {};
  const known = typeof details["currency"] === "string" ? details["currency"] : currency;
  const said = phrase({
    it,
    its: isOwn ? "their" : `${it}'s`,
    forIt: isOwn ? "" : ` for ${it}`,
    whose:
      customer === null
        ? "an erased account"
        : customer.id === actor.id
          ? "their account"
          : `${customer.username}'s account`,
    details: details as never,
    sum: (minor) =>
      minor === undefined ? "money" : known === null ? `${minor} in minor units` : money(minor, known),
    name: (id, otherwise) => names[id ?? ""] ?? otherwise,
  });
  return typeof said === "string"
    ? { who, text: ` ${said}.` }
    : { who: null, text: `${capital(said.fact)}.` };
}

/** Names keep their letters. */
const capital = (text: string): string =>
  text.replace(/^(?:license|an?|the) /, (word) => word.charAt(0).toUpperCase() + word.slice(1));

/** `olga suspended license ••••-KJ9C.` */
export function sentenceText(entry: AuditRow): string {
  const { who, text } = sentenceOf(entry);
  return `${who ?? ""}${text}`;
}

/** What an entry is about, as people call it. */
export const subjectName = ({ kind, id, name }: AuditRow["subject"]): string =>
  kind === "code" || kind === "level"
    ? `the ${kind} ${id}`
    : name === null
      ? (nameless[kind] ?? `a ${kind}`)
      : (named[kind]?.(name) ?? name);

const named: Readonly<Record<string, (name: string) => string>> = {
  licence: (key) => `license ${key}`,
  ticket: (number) => `ticket #${number}`,
  "discord user": (name) => `the Discord user ${name}`,
  "server key": (name) => `the server key ${name}`,
  "saved reply": (name) => `the reply “${name}”`,
  "changelog entry": (title) => `“${title}”`,
  announcement: (title) => `“${title}”`,
};
const nameless: Readonly<Record<string, string>> = {
  account: "an erased account",
  payment: "a buyer",
  subscription: "a subscriber",
  licence: "a license",
  "discord user": "a Discord user",
  announcement: "an announcement",
  offer: "an offer",
  mail: "an email",
};

/** The page of what an entry of the log is about, if the desk has one. */
export function pageOf({ kind, id }: { kind: string; id: string }): string | null {
  const list = {
    account: "customers",
    payment: "payments",
    licence: "licences",
    subscription: "subscriptions",
    ticket: "tickets",
  }[kind];
  return list === undefined ? null : `/desk/${list}/${id}`;
}
