import type { Actor, Role } from "@/core/actor";
import { Refusal } from "@/core/refusal";

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
 * Discord's support and owner roles are independent of each other, so a row names both where either will do. No role is
 * `viewer` yet.
 */
export const permissions = {
  "account.register": ["visitor"],
  "account.sign_in": ["visitor"],
  "account.sign_out": ["visitor"],
  "account.recover": ["visitor"],
  "account.reauthenticate": ["customer"],
  "account.change_password": ["customer"],
  "account.change_email": ["customer"],
  "account.keep_email": ["customer"],
  "account.request_email": ["operator"],
  "account.confirm_email": ["visitor"],
  "account.undo_email": ["visitor"],
  "account.reset_token": ["customer"],
  "account.export": ["operator", "customer"],
  "account.erase": ["operator", "customer"],
  "mfa.enable": ["customer"],
  "mfa.remove": ["customer"],
  "mfa.reset": ["operator"],
  "session.end": ["customer"],
  "session.end_all": ["operator"],
  "customer.read": ["operator", "support"],
  "customer.import": ["operator"],

  "device.activate": ["application"],
  "device.deactivate": ["application"],
  "device.reset": ["customer"],
  "device.unbind": ["operator", "support"],

  "licence.redeem": ["customer"],
  "licence.issue": ["operator", "support"],
  "licence.import": ["operator"],
  "licence.suspend": ["operator", "support"],
  "licence.reinstate": ["operator", "support"],
  "licence.revoke": ["operator", "support"],
  "licence.extend": ["operator"],
  "licence.rotate_key": ["operator"],
  "licence.resend_key": ["support"],

  "checkout.open": ["customer", "visitor"],
  "payment.ask": ["visitor"],
  "payment.read": ["operator"],
  "payment.sync": ["operator"],
  "payment.resend_receipt": ["operator"],
  "payment.correct_email": ["operator"],
  "payment.contest": ["operator"],
  "refund.make": ["operator"],
  "refund.propose": ["support"],
  "refund.approve": ["owner"],
  "refund.decline": ["owner", "support"],

  "discord.link": ["customer"],
  "discord.unlink": ["operator", "customer"],
  "discord.relink": ["operator", "support"],
  "discord.sync_role": ["support"],

  "ticket.read": ["operator", "support"],
  "ticket.open": ["customer"],
  "ticket.write": ["customer"],
  "ticket.close": ["operator", "support", "customer", "shop"],
  "ticket.reopen": ["support", "customer"],
  "ticket.rate": ["customer"],
  "ticket.answer": ["operator", "support"],
  "ticket.claim": ["support"],
  "ticket.unclaim": ["support"],
  "ticket.escalate": ["support"],
  "ticket.transfer": ["support"],
  "ticket.note": ["support"],
  "ticket.add_guest": ["support"],

  "offer.add": ["operator"],
  "offer.change": ["operator"],
  "offer.retire": ["operator"],
  "code.create": ["operator"],
  "code.retire": ["operator"],
  "release.publish": ["operator"],
  "release.yank": ["operator"],
  "release.roll_out": ["operator"],
  "build.download": ["customer", "application", "visitor"],
  "changelog.add": ["operator"],
  "changelog.edit": ["operator"],
  "changelog.remove": ["operator"],
  "announcement.make": ["operator"],
  "announcement.stop": ["operator"],
  "mail.unsubscribe": ["customer", "visitor"],
  "block.add": ["operator"],
  "block.remove": ["operator"],

  "webhook.add": ["operator"],
  "webhook.change": ["operator"],
  "webhook.enable": ["operator"],
  "webhook.read": ["operator"],
  "webhook.remove": ["operator"],
  "webhook.rotate": ["operator"],
  "webhook.test": ["operator"],
  "webhook.replay": ["operator"],
  "server_key.add": ["operator"],
  "server_key.remove": ["operator"],

  "secrets.rotate": ["operator"],
  "shop.back_up": ["operator", "shop"],
  "shop.restore": ["operator"],
  "shop.take_over": ["operator"],
  "shop.move": ["operator"],
  "shop.export": ["operator"],
} as const satisfies Record<string, readonly Role[]>;

export type Operation = keyof typeof permissions;

/** Who asks: an actor, or a value with an actor, such as `By` and the signed-in customer. */
type Asking = Actor | { actor: Actor };

/** Refuses with `forbidden`, and the permitted roles as its detail. */
export function authorize(asking: Asking, operation: Operation): void {
  if (!may(asking, operation)) throw new Refusal("forbidden", { needs: permissions[operation] });
}

/** Whether the actor may, for an entry point that asks before it shows a form or a button. */
export function may(asking: Asking, operation: Operation): boolean {
  const allowed: readonly Role[] = permissions[operation];
  return rolesOf("actor" in asking ? asking.actor : asking).some((role) => allowed.includes(role));
}

const rolesOf = (actor: Actor): readonly Role[] => (actor.kind === "staff" ? actor.roles : [actor.kind]);
