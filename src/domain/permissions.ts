import { type OperationKey, operations } from "@/contract/operations/all";
import type { Declaration } from "@/contract/operations/operation";
import { minute } from "@/contract/vocabulary/time";
import type { Actor, Role } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";

/**
 * What no declaration of a staff operation (`contract/operations`) says: the operations of customers, visitors and
 * applications, of the command line and of Discord alone. With the declarations, these are all operations that a person
 * can cause and that change something, and the reads that need a right. A row names all roles with the permission; all
 * others are refused. `customer` is always about their own: each operation finds what it changes by the account or
 * Discord user who asks. What a visitor may do is proved by what they hold, such as a password, a key or a mailed link.
 * `shop` is listed where a timer does what people also do.
 *
 * Each operation asks {@link authorize} before it reads or writes anything else; entry points may ask {@link may}
 * sooner, to spare a person a form. Jobs of the outbox, timers and Stripe's events need no row: they carry out what was
 * authorized when it was recorded, or record what happened elsewhere.
 *
 * `discord_support` is Discord's support role while the shop has no staff of its own: with the first of its staff, those
 * rights become the owners'.
 */
const otherPermissions = {
  "account.register": ["visitor"],
  "account.sign_in": ["visitor"],
  "account.sign_out": ["visitor"],
  "account.recover": ["visitor"],
  "account.reauthenticate": ["customer"],
  "account.change_password": ["customer"],
  "account.change_email": ["customer"],
  "account.confirm_email": ["visitor"],
  "account.reset_token": ["customer"],
  "account.mail_download": ["customer"],
  "account.export": ["operator", "customer"],
  "mfa.enable": ["customer"],
  "mfa.remove": ["customer"],
  "session.end": ["customer"],
  "customer.read": ["operator", "owner", "support", "viewer"],
  "customer.make_tests": ["operator"],

  "device.activate": ["application"],
  "device.deactivate": ["application"],
  "device.ask_to_sign_in": ["visitor"],
  "device.decide_sign_in": ["customer"],
  "device.sign_in": ["application"],
  "device.make_offline_file": ["operator", "customer"],
  "device.reset": ["customer"],
  "device.rename": ["operator", "owner", "support", "customer"],
  "device.read": ["operator", "owner", "support", "viewer"],

  "licence.redeem": ["customer"],
  "licence.resend_key": ["owner", "support"],

  "checkout.open": ["customer", "visitor"],
  "subscription.manage": ["customer"],
  "subscription.read": ["operator", "owner", "support", "viewer"],
  "subscription.sync": ["operator", "owner"],
  "payment.ask": ["visitor"],
  "payment.read": ["operator", "owner", "support", "viewer"],
  "payment.correct_email": ["operator", "owner"],
  "correction.propose": ["owner", "support"],
  "refund.make": ["operator", "owner"],
  "refund.propose": ["owner", "support"],

  "discord.link": ["customer"],
  "discord.sync_role": ["owner", "support"],

  "ticket.read": ["operator", "owner", "support", "viewer"],
  "ticket.open": ["customer"],
  "ticket.write": ["customer"],
  "ticket.rate": ["customer"],
  "ticket.escalate": ["owner", "support"],
  "ticket.transfer": ["owner", "support"],
  "ticket.add_guest": ["owner", "support"],

  "desk.enter": ["owner", "support", "viewer"],
  "desk.export": ["operator", "owner"],
  "invitation.accept": ["visitor", "customer"],

  "build.download": ["customer", "application", "visitor"],
  "mail.unsubscribe": ["customer", "visitor"],

  "system.read": ["operator", "owner", "support"],
  "system.check": ["operator", "owner"],
  "secrets.rotate": ["operator"],
  "stripe.make_endpoint": ["operator"],
  "shop.restore": ["operator"],
  "shop.take_over": ["operator"],
  "shop.move": ["operator"],
  "shop.export": ["operator"],
  "figures.rebuild": ["operator", "owner"],
} as const satisfies Record<string, readonly Role[]>;

type DeclaredOperation = (typeof operations)[OperationKey];
type DeclaredPermission = Extract<DeclaredOperation, { roles: unknown }>["name"];
export type Permission = keyof typeof otherPermissions | DeclaredPermission;

const declarations: readonly Declaration[] = Object.values(operations);

/** The permission that a declared operation asks for. */
export const permissionOf = ({ name, permission = name }: Declaration): Permission =>
  permission as Permission;

/** Who may do what: what the staff operations declare, and the rest. */
export const permissions: Readonly<Record<Permission, readonly Role[]>> = {
  ...otherPermissions,
  ...(Object.fromEntries(declarations.flatMap(({ name, roles }) => (roles ? [[name, roles]] : []))) as Record<
    DeclaredPermission,
    readonly Role[]
  >),
};

/** These need a code of the authenticator, typed on the desk within {@link confirmedMilliseconds}. */
const needsConfirmation: ReadonlySet<Permission> = new Set<Permission>([
  ...declarations.filter(({ code, roles }) => code && roles).map(permissionOf),
  "desk.export",
  "payment.correct_email",
  "refund.make",
]);

export const confirmedMilliseconds = 10 * minute;

/**
 * Refuses staff with `confirm` if their last code is too old for the operation; in Discord they have none, and ask for it to
 * be done on the desk. An operation calls this once it has found what it changes.
 */
export function expectConfirmed({ now }: Pick<Ctx, "now">, asking: Asking, operation: Permission): void {
  const actor = actorOf(asking);
  if (actor.kind !== "staff" || !needsConfirmation.has(operation)) return;
  if (actor.via === "discord") throw new Refusal("confirm");
  if (now().getTime() - actor.confirmedAt.getTime() >= confirmedMilliseconds) throw new Refusal("confirm");
}

/** Who asks: an actor, or a value with an actor, such as `By` and the signed-in customer. */
type Asking = Actor | { actor: Actor };

/** Refuses with `forbidden`, and the permitted roles as its detail. */
export function authorize(asking: Asking, operation: Permission): void {
  if (may(asking, operation)) return;
  const isSupport = rolesOf(actorOf(asking)).includes("support");
  const allowed: readonly Role[] = permissions[operation];
  // support that lacks a right of `discord_support` has lost it to the owners
  throw new Refusal("forbidden", {
    needs: allowed.filter((role) => !isSupport || role !== "discord_support"),
  });
}

/** Whether the actor may, for an entry point that asks before it shows a form or a button. */
export function may(asking: Asking, operation: Permission): boolean {
  const allowed: readonly Role[] = permissions[operation];
  return rolesOf(actorOf(asking)).some((role) => allowed.includes(role));
}

/** All that a role allows. */
export const permissionsOf = (role: Role): Permission[] =>
  (Object.keys(permissions) as Permission[]).filter((permission) => mayWith(role, permission));

/** Whether a role alone allows an operation. */
export const mayWith = (role: Role, operation: Permission): boolean => permissions[operation].includes(role);

const actorOf = (asking: Asking): Actor => ("actor" in asking ? asking.actor : asking);

const rolesOf = (actor: Actor): readonly Role[] => (actor.kind === "staff" ? actor.roles : [actor.kind]);
