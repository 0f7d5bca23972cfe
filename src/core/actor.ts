/** Staff's roles; today Discord's roles of the same names, see {@link Actor}. */
export type StaffRole = "owner" | "support" | "viewer";

/**
 * Who does something. Every operation that changes anything takes an actor and asks `authorize` whether they may.
 *
 * `customer`: the owner of an account, in a browser, or a member of the Discord server, who may have no account.
 * `staff`: a member of the Discord server with one of the shop's two roles.
 * `application`: the desktop application of an account. `operator`: the command line. `shop`: timers, Stripe, Discord.
 * `visitor`: somebody without an account, such as a buyer.
 */
export type Actor =
  | SiteCustomer
  | { kind: "customer"; via: "discord"; discordUserId: string }
  | Staff
  | { kind: "application"; accountId: string }
  | { kind: "operator" }
  | { kind: "shop" }
  | { kind: "visitor" };

/** The owner of an account; also where they use its Discord link to act on it. */
export type SiteCustomer = { kind: "customer"; via: "site"; accountId: string };

/** Discord's support and owner roles are independent of each other: a member may have either or both. */
export type Staff = {
  kind: "staff";
  via: "discord";
  discordUserId: string;
  roles: readonly StaffRole[];
};

/** What a permission is granted to: a kind of actor or, for staff, each of their roles. */
export type Role = Exclude<Actor["kind"], "staff"> | StaffRole;

/** Who does something that needs a reason, and the reason that the audit log keeps. */
export type By = { actor: Actor; reason: string };

export const operator: Actor = { kind: "operator" };
export const theShop: Actor = { kind: "shop" };
export const visitor: Actor = { kind: "visitor" };
export const customer = (accountId: string): SiteCustomer => ({ kind: "customer", via: "site", accountId });
export const member = (discordUserId: string): Actor => ({ kind: "customer", via: "discord", discordUserId });
export const application = (accountId: string): Actor => ({ kind: "application", accountId });

/** How the log and other tables name an actor: an account's id, `discord:` with a user's id, or the actor's kind. */
export function actorId(actor: Actor): string {
  if ("accountId" in actor) return actor.accountId;
  return "discordUserId" in actor ? `discord:${actor.discordUserId}` : actor.kind;
}

export const highestRole = (roles: readonly StaffRole[]): StaffRole | null =>
  (["owner", "support", "viewer"] as const).find((role) => roles.includes(role)) ?? null;
