/** What a member of staff is to the shop, each role with the rights of the next: owner, support, viewer. */
export type StaffRole = "owner" | "support" | "viewer";

/**
 * What a member of the Discord server may do: their role as staff, and `discord_support` for the further rights that
 * Discord's support role has until the shop has named its staff.
 */
export type StaffRight = StaffRole | "discord_support";

/**
 * Who does something. Every operation that changes anything takes an actor and asks `authorize` whether they may.
 *
 * `customer`: the owner of an account, in a browser, or a member of the Discord server, who may have no account.
 * `staff`: a member of staff on the desk, or a member of the Discord server with one of the shop's two roles.
 * `application`: the desktop application of an account. `operator`: the command line. `shop`: timers, Stripe, Discord.
 * `visitor`: somebody without an account, such as a buyer.
 */
export type Actor =
  | SiteCustomer
  | { kind: "customer"; via: "discord"; discordUserId: string }
  | Staff
  | Application
  | { kind: "operator" }
  | { kind: "shop" }
  | Visitor;

/** `deviceId`: the account's computer that it runs on; null where the account's own token doesn't say. */
export type Application = { kind: "application"; accountId: string; deviceId: string | null };

export type Visitor = { kind: "visitor" };

/** The owner of an account; also where they use its Discord link to act on it. */
export type SiteCustomer = { kind: "customer"; via: "site"; accountId: string };

export type Staff = DiscordStaff | DeskStaff;

/** A member of the Discord server may have several roles. */
export type DiscordStaff = {
  kind: "staff";
  via: "discord";
  discordUserId: string;
  roles: readonly StaffRight[];
  /** The account whose owner connected this user with password and authenticator while it had this role. */
  proven: { accountId: string; role: StaffRole } | null;
};

export type DeskStaff = {
  kind: "staff";
  via: "desk";
  accountId: string;
  roles: readonly [StaffRole];
  /** When they last typed a code of their authenticator on the desk. */
  confirmedAt: Date;
};

/** What a permission is granted to: a kind of actor or, for staff, each of their rights. */
export type Role = Exclude<Actor["kind"], "staff"> | StaffRight;

/** Who does something that needs a reason, and the reason that the audit log keeps. */
export type By = { actor: Actor; reason: string };

export const operator: Actor = { kind: "operator" };
export const theShop: Actor = { kind: "shop" };
export const visitor: Visitor = { kind: "visitor" };
export const customer = (accountId: string): SiteCustomer => ({ kind: "customer", via: "site", accountId });
export const member = (discordUserId: string): Actor => ({ kind: "customer", via: "discord", discordUserId });
export const application = (accountId: string, deviceId: string | null): Application => ({
  kind: "application",
  accountId,
  deviceId,
});

/** How the log and other tables name an actor: an account's id, `discord:` with a user's id, or the actor's kind. */
export function actorId(actor: Actor): string {
  if ("accountId" in actor) return actor.accountId;
  return "discordUserId" in actor ? `discord:${actor.discordUserId}` : actor.kind;
}

/** Whether staff have less than an owner's rights. */
export const isOnlySupport = (actor: Actor): boolean =>
  actor.kind === "staff" && highestRole(actor.roles) !== "owner";

export const highestRole = (roles: readonly StaffRight[]): StaffRole | null =>
  (["owner", "support", "viewer"] as const).find((role) => roles.includes(role)) ?? null;
