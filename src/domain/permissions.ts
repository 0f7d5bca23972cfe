import { minute } from "@/contract/vocabulary/time";
import type { Actor, Role } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";

/**
 * Who may do what: every operation that a person can cause and that changes something, and the reads that need a right.
 * A row names all roles with the permission; all others are refused. `customer` is always about their own: each
 * operation finds what it changes by the account or Discord user who asks. What a visitor may do is proved by what they
 * hold, such as a password, a key or a mailed link. `shop` stands where a timer does what people do too.
 *
 * Each operation asks {@link authorize} before it reads or writes anything else; entry points may ask {@link may}
 * sooner, to spare a person a form. Jobs of the outbox, timers and Stripe's events need no row: they carry out what was
 * authorized when it was recorded, or record what happened elsewhere.
 *
 * `discord_support` is Discord's support role while the
 * shop has no staff of its own: with the first of its staff, those rights become the owners'.
 */
export const permissions = {
  "account.register": ["visitor"],
  "account.sign_in": ["visitor"],
  "account.sign_out": ["visitor"],
  "account.recover": ["visitor"],
  "account.reauthenticate": ["customer"],
  "account.change_password": ["customer"],
  "account.change_email": ["customer"],
  "account.request_email": ["operator", "owner"],
  "account.confirm_email": ["visitor"],
  "account.reset_token": ["customer"],
  "account.export": ["operator", "customer"],
  "account.erase": ["operator", "owner", "customer"],
  "mfa.enable": ["customer"],
  "mfa.remove": ["customer"],
  "mfa.reset": ["operator", "owner"],
  "session.end": ["customer"],
  "session.end_all": ["operator", "owner"],
  "customer.read": ["operator", "owner", "support", "viewer"],
  "customer.import": ["operator"],
  "customer.make_tests": ["operator"],

  "customer.note": ["operator", "owner", "support"],

  "device.activate": ["application"],
  "device.deactivate": ["application"],
  "device.ask_to_sign_in": ["visitor"],
  "device.decide_sign_in": ["customer"],
  "device.sign_in": ["application"],
  "device.make_offline_file": ["operator", "customer"],
  "device.reset": ["customer"],
  "device.rename": ["operator", "owner", "support", "customer"],
  "device.read": ["operator", "owner", "support", "viewer"],
  "device.unbind": ["operator", "owner", "support"],

  "licence.redeem": ["customer"],
  "licence.issue": ["operator", "owner"],
  "licence.import": ["operator"],
  "licence.suspend": ["operator", "owner", "support"],
  "licence.reinstate": ["operator", "owner", "support"],
  "licence.revoke": ["operator", "owner", "discord_support"],
  "licence.extend": ["operator", "owner", "support"],
  "licence.change_devices": ["operator", "owner"],
  "licence.rotate_key": ["operator", "owner"],
  "licence.resend_key": ["owner", "support"],

  "licence.reveal_key": ["operator", "owner"],
  "licence.grant": ["operator", "owner"],
  "licence.bulk": ["operator", "owner"],
  "licence_job.read": ["operator", "owner"],
  "licence_job.cancel": ["operator", "owner"],

  "checkout.open": ["customer", "visitor"],
  "subscription.manage": ["customer"],
  "subscription.read": ["operator", "owner", "support", "viewer"],
  "subscription.cancel": ["operator", "owner"],
  "subscription.sync": ["operator", "owner"],
  "payment.ask": ["visitor"],
  "payment.read": ["operator", "owner", "support", "viewer"],
  "payment.sync": ["operator", "owner"],
  "payment.resend_receipt": ["operator", "owner", "support"],
  "payment.correct_email": ["operator", "owner"],
  "payment.contest": ["operator", "owner"],
  "correction.propose": ["owner", "support"],
  "correction.approve": ["owner"],
  "correction.decline": ["owner"],
  "refund.make": ["operator", "owner"],
  "refund.propose": ["owner", "support"],
  "refund.approve": ["owner"],
  "refund.decline": ["owner", "discord_support"],

  "discord.link": ["customer"],
  "discord.unlink": ["operator", "owner", "customer"],
  "discord.relink": ["operator", "owner"],
  "discord.sync_role": ["owner", "support"],

  "ticket.read": ["operator", "owner", "support", "viewer"],
  "ticket.open": ["customer"],
  "ticket.write": ["customer"],
  "ticket.close": ["operator", "owner", "support", "customer", "shop"],
  "ticket.reopen": ["owner", "support", "customer"],
  "ticket.rate": ["customer"],
  "ticket.answer": ["operator", "owner", "support"],
  "ticket.claim": ["owner", "support"],
  "ticket.unclaim": ["owner", "support"],
  "ticket.escalate": ["owner", "support"],
  "ticket.transfer": ["owner", "support"],
  "ticket.note": ["owner", "support"],
  "reply.read": ["operator", "owner", "support", "viewer"],
  "reply.change": ["operator", "owner"],
  "ticket.add_guest": ["owner", "support"],

  "desk.enter": ["owner", "support", "viewer"],
  "desk.read": ["operator", "owner", "support", "viewer"],
  "desk.export": ["operator", "owner"],
  "owner_mail.choose": ["owner"],
  "staff.read": ["operator", "owner"],
  "staff.add": ["operator", "owner"],
  "staff.remove": ["operator", "owner"],
  "staff.wake": ["operator", "owner"],
  "invitation.accept": ["visitor", "customer"],

  "offer.read": ["operator", "owner", "support", "viewer"],
  "offer.add": ["operator", "owner"],
  "offer.change": ["operator", "owner"],
  "offer.retire": ["operator", "owner"],
  "code.read": ["operator", "owner", "support", "viewer"],
  "code.create": ["operator", "owner"],
  "code.retire": ["operator", "owner"],
  "release.read": ["operator", "owner", "support", "viewer"],
  "release.publish": ["operator", "owner"],
  "release.yank": ["operator", "owner"],
  "release.roll_out": ["operator", "owner"],
  "build.download": ["customer", "application", "visitor"],
  "changelog.read": ["operator", "owner", "support", "viewer"],
  "changelog.add": ["operator", "owner"],
  "changelog.edit": ["operator", "owner"],
  "changelog.remove": ["operator", "owner"],
  "announcement.read": ["operator", "owner", "support", "viewer"],
  "announcement.make": ["operator", "owner"],
  "announcement.stop": ["operator", "owner"],
  "mail.unsubscribe": ["customer", "visitor"],
  "block.read": ["operator", "owner"],
  "block.add": ["operator", "owner"],
  "block.remove": ["operator", "owner"],

  "webhook.add": ["operator", "owner"],
  "webhook.change": ["operator", "owner"],
  "webhook.enable": ["operator", "owner"],
  "webhook.read": ["operator", "owner"],
  "webhook.remove": ["operator", "owner"],
  "webhook.rotate": ["operator", "owner"],
  "webhook.test": ["operator", "owner"],
  "webhook.replay": ["operator", "owner"],
  "server_key.read": ["operator", "owner"],
  "server_key.add": ["operator", "owner"],
  "server_key.remove": ["operator", "owner"],

  "settings.read": ["operator", "owner"],
  "system.read": ["operator", "owner", "support"],
  "system.check": ["operator", "owner"],
  "outbox.read": ["operator", "owner"],
  "outbox.retry": ["operator", "owner"],
  "outbox.drop": ["operator", "owner"],
  "secrets.rotate": ["operator"],
  "stripe.make_endpoint": ["operator"],
  "shop.back_up": ["operator", "shop"],
  "shop.restore": ["operator"],
  "shop.take_over": ["operator"],
  "shop.move": ["operator"],
  "shop.export": ["operator"],
  "figures.read": ["operator", "owner", "support", "viewer"],
  "figures.rebuild": ["operator", "owner"],
} as const satisfies Record<string, readonly Role[]>;

export type Operation = keyof typeof permissions;

/** These need a code of the authenticator, typed on the desk within {@link confirmedMilliseconds}. */
const needsConfirmation: ReadonlySet<Operation> = new Set<Operation>([
  "desk.export",
  "staff.add",
  "staff.remove",
  "staff.wake",
  "payment.correct_email",
  "correction.approve",
  "refund.make",
  "refund.approve",
  "account.erase",
  "account.request_email",
  "mfa.reset",
  "discord.relink",
  "discord.unlink",
  "licence.issue",
  "licence.grant",
  "licence.bulk",
  "licence.reveal_key",
  "block.add",
  "block.remove",
  "offer.add",
  "offer.change",
  "offer.retire",
  "code.create",
  "code.retire",
  "release.publish",
  "release.yank",
  "release.roll_out",
  "announcement.make",
  "announcement.stop",
  "webhook.add",
  "webhook.change",
  "webhook.enable",
  "webhook.remove",
  "webhook.rotate",
  "webhook.test",
  "webhook.replay",
  "server_key.add",
  "server_key.remove",
]);

export const confirmedMilliseconds = 10 * minute;

/**
 * Refuses staff with `confirm` if their last code is too old for the operation; in Discord they have none, and ask for it to
 * be done on the desk. An operation calls this once it has found what it changes.
 */
export function expectConfirmed({ now }: Pick<Ctx, "now">, asking: Asking, operation: Operation): void {
  const actor = actorOf(asking);
  if (actor.kind !== "staff" || !needsConfirmation.has(operation)) return;
  if (actor.via === "discord") throw new Refusal("confirm");
  if (now().getTime() - actor.confirmedAt.getTime() >= confirmedMilliseconds) throw new Refusal("confirm");
}

/** Who asks: an actor, or a value with an actor, such as `By` and the signed-in customer. */
type Asking = Actor | { actor: Actor };

/** Refuses with `forbidden`, and the permitted roles as its detail. */
export function authorize(asking: Asking, operation: Operation): void {
  if (may(asking, operation)) return;
  const isSupport = rolesOf(actorOf(asking)).includes("support");
  const allowed: readonly Role[] = permissions[operation];
  // support that lacks a right of `discord_support` has lost it to the owners
  throw new Refusal("forbidden", {
    needs: allowed.filter((role) => !isSupport || role !== "discord_support"),
  });
}

/** Whether the actor may, for an entry point that asks before it shows a form or a button. */
export function may(asking: Asking, operation: Operation): boolean {
  const allowed: readonly Role[] = permissions[operation];
  return rolesOf(actorOf(asking)).some((role) => allowed.includes(role));
}

/** Whether a role alone allows an operation. */
export const mayWith = (role: Role, operation: Operation): boolean =>
  (permissions[operation] as readonly Role[]).includes(role);

const actorOf = (asking: Asking): Actor => ("actor" in asking ? asking.actor : asking);

const rolesOf = (actor: Actor): readonly Role[] => (actor.kind === "staff" ? actor.roles : [actor.kind]);
