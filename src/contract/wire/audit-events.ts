import { z } from "zod";
import { addedCauses } from "../vocabulary/devices";

const id = z.string();
const count = z.number().int();
const when = z.string();
/** `refunded` is in minor units. */
const paid = z.object({ state: z.string(), dispute: z.string().nullable(), refunded: count });
/** A payment's state after a settlement, and before it. */
const settlement = { dispute: z.string().nullable(), refunded: count, before: paid };
/** `amount` in minor units. */
const refund = { refund: id, amount: count };
/** `receiver`: of the gift's receiver instead of the buyer. */
const correction = { correction: id, receiver: z.boolean() };
const levelTerms = z.object({
  name: z.string(),
  place: count,
  includesBefore: z.boolean(),
  features: z.array(z.string()),
  roleId: z.string().nullable(),
  retired: z.boolean(),
});
const offerTerms = z.object({
  name: z.string(),
  amount: count,
  currency: z.string(),
  days: count.nullable(),
  devices: count,
  every: z.string().nullable().optional(),
  trialDays: count.nullable().optional(),
  level: z.string().optional(),
  hidden: z.boolean().optional(),
});
/** The end before and after; absent while a licence has not been redeemed. */
const movedEnd = { before: when.nullable().optional(), after: when.nullable().optional() };
/** What a subscription was before; null at its beginning. */
const became = { before: z.string().nullable() };
/** A licence without an order. */
const issued = { key: z.string(), days: count.nullable(), devices: count };
const device = { device: z.string().optional() };
/** The ids of the computers that were removed. */
const computers = { computers: z.array(id) };
/** The ids of the levels that give the role, where several give one. */
const roleOf = { levels: z.array(z.string()).optional() };
/** Only the origin of an endpoint's URL, since the path may hold a token. `types: null` means all. */
const endpoint = z.object({ origin: z.string(), types: z.array(z.string()).nullable() });

/** An event about a subject, with its details. `routine` events are deleted after `AUDIT_DAYS`; all others are kept. */
type AuditEventType = {
  subject: string;
  details: z.ZodObject;
  routine?: true;
};

const event = <S extends string, D extends z.ZodRawShape>(subject: S, details: D) => ({
  subject,
  details: z.object(details),
});
const routine = <S extends string, D extends z.ZodRawShape>(subject: S, details: D) => ({
  ...event(subject, details),
  routine: true as const,
});

/**
 * Every type of event in the audit log: what its `subject` identifies, and its details. The log outlives people's
 * data, so details hold no names, emails, labels or Discord ids. A new event is a row here and the `record` in the
 * commit of the fact; histories, `shop audit` and webhooks are queries of the log.
 */
export const auditEvents = {
  "account.registered": event("account", device),
  "account.imported": event("account", {}),
  "account.signed_in": routine("account", device),
  "account.guesses_refused": routine("account", { ...device, source: z.string().optional() }),
  "account.noted": routine("account", {}),
  "account.erased": event("account", computers),
  "session.ended": routine("account", device),
  "session.others_ended": routine("account", device),
  "session.all_ended_by_staff": event("account", {}),
  "mfa.enabled": event("account", device),
  "mfa.removed": event("account", device),
  "mfa.reset_by_staff": event("account", {}),
  "mfa.code_refused": routine("account", device),
  "mfa.locked": event("account", device),
  "mfa.recovery_code_used": event("account", device),
  "password.changed": event("account", device),
  "recovery.sent": routine("account", device),
  "recovery.done": event("account", device),
  "email.requested_by_staff": event("account", {}),
  "email.changed": event("account", device),
  "email.change_asked": event("account", device),
  "email.confirmed": event("account", device),
  "token.reset": event("account", device),
  "device.bound": event("account", { computer: id, cause: z.enum(addedCauses) }),
  /** A new computer took the seat of a deactivated one. */
  "device.moved": event("account", {
    computer: id,
    cause: z.enum(addedCauses),
    replaced: id,
  }),
  "device.sign_in_approved": routine("account", device),
  "device.sign_in_declined": routine("account", device),
  "device.signed_in": event("account", { computer: id }),
  "device.offline_file_made": event("account", { computer: id, until: when }),
  "device.deactivated": event("account", { computer: id }),
  "device.renamed": routine("account", { computer: id }),
  "device.reset": event("account", { ...device, ...computers }),
  "device.reset_by_staff": event("account", computers),
  "licence.issued": event("licence", issued),
  "licence.imported": event("licence", issued),
  "licence.redeemed": event("licence", {}),
  "licence.added": event("licence", {}),
  "licence.suspended": event("licence", {}),
  "licence.reinstated": event("licence", {}),
  "licence.revoked": event("licence", {}),
  "licence.extended": event("licence", { days: count, ...movedEnd }),
  "licence.devices_changed": event("licence", { before: count, after: count }),
  /** Ids of levels. */
  "licence.level_changed": event("licence", { before: z.string(), after: z.string() }),
  /** Ends that moved because another licence of the account changed; `more` counts those left out. */
  "licence.switched": event("licence", { before: count, after: count }),
  "licence.end_moved": routine("licence", {
    before: when.nullable(),
    after: when.nullable(),
    cause: z.enum(["renewed", "paid_late", "grace"]),
  }),
  "licence.lapsed": routine("licence", { expires_at: when }),
  "licence.ends_moved": event("account", {
    moved: z.array(z.object({ licence: id, before: when.nullable(), after: when.nullable() })),
    more: count,
  }),
  /** Only for a subscription's licence, which follows all of its payments; other licences follow the payment's events. */
  "licence.payment_changed": event("licence", { before: z.string(), after: z.string() }),
  "subscription.trialing": event("subscription", became),
  "subscription.active": event("subscription", became),
  "subscription.changed": event("subscription", { before: z.string(), after: z.string() }),
  "subscription.ending": event("subscription", became),
  "subscription.past_due": event("subscription", became),
  "subscription.paused": event("subscription", became),
  "subscription.ended": event("subscription", became),
  "subscription.cancelled": event("subscription", {
    when: z.enum(["now", "period_end"]),
    /** Why the shop ended it. */
    reason: z.enum(["revoked", "erased", "refunded", "lost", "not sold", "second", "lifetime"]).optional(),
  }),
  "subscription.synced": event("subscription", {}),
  "subscriptions.synced": event("shop", { asked: count, changed: count, failed: count }),
  "licence.expired": routine("licence", { expires_at: when }),
  "licence.key_rotated": event("licence", { key: z.string() }),
  "licence.key_reissued": event("licence", { key: z.string(), mailed: z.boolean() }),
  "licence.key_resent": event("account", {}),
  "licence.key_revealed": event("licence", {}),
  /** `action`: extend, suspend, reinstate, revoke, issue, import_keys or import_customers; `total` licences, or lines. */
  "licence_job.made": event("licence job", { action: z.string(), total: count }),
  "licence_job.cancelled": event("licence job", {}),
  "licence_job.keys_downloaded": event("licence job", {}),
  /** A newer release calculated an account's ends by a different rule. */
  "licence.end_recalculated": event("account", { before: z.string(), after: z.string() }),
  "payment.opened": routine("payment", {}),
  "payment.processing": event("payment", settlement),
  "payment.succeeded": event("payment", settlement),
  "payment.failed": event("payment", settlement),
  "payment.expired": routine("payment", settlement),
  "payment.refunded": event("payment", settlement),
  "payment.disputed": event("payment", settlement),
  "payment.synced": event("payment", {}),
  "payments.synced": event("shop", { asked: count, changed: count, failed: count }),
  "payment.contested": event("payment", {}),
  "payment.dispute_accepted": event("payment", {}),
  "payment.receipt_resent": event("payment", {}),
  "payment.email_corrected": event("payment", {}),
  "payment.receiver_corrected": event("payment", {}),
  "payment.correction_proposed": event("payment", correction),
  "payment.correction_approved": event("payment", correction),
  "payment.correction_declined": event("payment", correction),
  "payment.refund_proposed": event("payment", refund),
  "payment.refund_requested": event("payment", refund),
  "payment.refund_approved": event("payment", refund),
  "payment.refund_declined": event("payment", refund),
  "payment.refund_found": event("payment", refund),
  "payment.refund_made": event("payment", refund),
  "payment.refund_refused": event("payment", refund),
  "discord.linked": event("discord user", {}),
  "discord.relinked": event("discord user", {}),
  "discord.unlinked": event("discord user", {}),
  "discord.role_granted": routine("discord user", roleOf),
  "discord.role_taken": routine("discord user", roleOf),
  "ticket.opened": routine("ticket", {}),
  "ticket.claimed": routine("ticket", {}),
  "ticket.unclaimed": routine("ticket", {}),
  "ticket.closed": routine("ticket", {}),
  "ticket.reopened": routine("ticket", {}),
  "ticket.escalated": routine("ticket", {}),
  "ticket.transferred": routine("ticket", {}),
  "ticket.rated": routine("ticket", {}),
  "ticket.noted": routine("ticket", {}),
  "ticket.guest_added": routine("ticket", {}),
  "ticket.role_resynced": event("ticket", {}),
  "staff.added": event("account", { role: z.string() }),
  "staff.role_changed": event("account", { before: z.string(), after: z.string() }),
  "staff.removed": event("account", { role: z.string() }),
  "staff.fell_asleep": event("account", { role: z.string() }),
  "staff.woken": event("account", { role: z.string() }),
  "staff.invited": event("invitation", { role: z.string() }),
  "staff.invitation_withdrawn": event("invitation", { role: z.string() }),
  /** `off`: what an owner is no longer mailed about. */
  "staff.notices_chosen": event("account", { off: z.array(z.string()) }),
  "staff.entered": routine("account", device),
  "reply.added": event("saved reply", {}),
  "reply.changed": event("saved reply", {}),
  "reply.removed": event("saved reply", {}),
  "delivery.retried": event("delivery", { topic: z.string() }),
  "delivery.dropped": event("delivery", { topic: z.string() }),
  "level.added": event("level", levelTerms.shape),
  "level.changed": event("level", { before: levelTerms, after: levelTerms }),
  "level.retired": event("level", { before: levelTerms, after: levelTerms }),
  "offer.added": event("offer", offerTerms.shape),
  "offer.changed": event("offer", { before: offerTerms, after: offerTerms }),
  "offer.retired": event("offer", {}),
  "code.created": event("code", { takes_off: z.string(), uses: count.nullable() }),
  "code.retired": event("code", {}),
  "release.published": event("release", { version: z.string(), channel: z.string() }),
  "release.yanked": event("release", { version: z.string() }),
  "release.rollout": event("release", { rollout: count }),
  /** `computer`: the one whose application downloaded it. */
  "build.downloaded": routine("release", {
    version: z.string(),
    platform: z.string(),
    computer: id.optional(),
  }),
  "changelog.added": event("changelog entry", {}),
  "changelog.edited": event("changelog entry", {}),
  "changelog.removed": event("changelog entry", {}),
  "announcement.made": event("announcement", { licensedOnly: z.boolean(), offer: z.string().nullable() }),
  "announcement.stopped": event("announcement", {}),
  "mailings.subscribed": event("recipient", {}),
  "mailings.unsubscribed": event("recipient", {}),
  /** `words`: what the mail server answered, without addresses. */
  "mail.rejected": routine("mail", { letter: z.string(), words: z.string().optional() }),
  "mail.given_up": routine("mail", { letter: z.string(), words: z.string().optional() }),
  "mail.retried": event("mail", { letters: count }),
  "block.added": event("block", { kind: z.string() }),
  "block.removed": event("block", { kind: z.string().optional() }),
  "webhook.added": event("webhook endpoint", endpoint.shape),
  "webhook.changed": event("webhook endpoint", {
    before: endpoint,
    after: endpoint,
    /** The path or query may change while the origin stays. */
    url_changed: z.boolean(),
  }),
  "webhook.enabled": event("webhook endpoint", { disabled_since: when }),
  /** `why`: in the words of `shop webhooks show`. */
  "webhook.disabled": event("webhook endpoint", { why: z.string() }),
  "webhook.removed": event("webhook endpoint", endpoint.shape),
  /** `former_until`: how long the former secret also signs. */
  "webhook.rotated": event("webhook endpoint", { former_until: when.nullable() }),
  "webhook.tested": event("webhook endpoint", {}),
  /**
   * `delivery`: the replayed delivery; null if the whole event was replayed, to every endpoint or the one in
   * `endpoint`.
   */
  "webhook.replayed": event("webhook event", { delivery: id.nullable(), endpoint: id.nullable() }),
  "webhooks.replayed": event("shop", { since: when, endpoint: id.nullable() }),
  "server_key.added": event("server key", {}),
  "server_key.removed": event("server key", {}),
  "secrets.rotated": event("setting", { resealed: count, reissued: count }),
  "stripe.endpoint_made": event("setting", { endpoint: id }),
  /** Days looked at, and those on which a sum was wrong. */
  "figures.rebuilt": event("shop", { days: count, wrong: count }),
  "shop.backed_up": event("backup", { bytes: count }),
  "shop.restored": event("backup", {}),
  "shop.taken_over": event("shop", {
    stoppedAt: when.nullable().optional(),
    lettersLeftOut: count.optional(),
  }),
  "shop.moved": event("shop", {}),
  /** `filters` without ids of people; `rows` as many as were sent, and whether the file was sent to its end. */
  "desk.exported": event("shop", {
    list: z.string(),
    filters: z.record(z.string(), z.string()),
    rows: count,
    complete: z.boolean(),
  }),
  "sales.exported": event("shop", { month: z.string(), rows: count }),
  "shop.exported": event("shop", { keys: z.boolean(), rows: z.record(z.string(), count) }),
} as const satisfies Record<string, AuditEventType>;

export type AuditAction = keyof typeof auditEvents;

export type AuditDetails<A extends AuditAction> = z.infer<(typeof auditEvents)[A]["details"]>;

/** The events deleted after `AUDIT_DAYS`: nobody needs them years later. */
export const routineActions = Object.entries<AuditEventType>(auditEvents)
  .filter(([, { routine: isRoutine }]) => isRoutine)
  .map(([action]) => action);
