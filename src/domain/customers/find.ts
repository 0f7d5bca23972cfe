import { type Ctx, readId } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { type Account, accountById, accountByName, accountsNamed } from "../accounts/sessions/account";
import { linkOfUser } from "../discord/links";
import { findLicence } from "../licences/keys/find";
import type { Ticket } from "../tickets/reading/queries";

/** An account by its id, name, confirmed email or one of its keys. Refuses with `not_found`. */
export async function accountNamed(ctx: Ctx, typed: string): Promise<Account> {
  const id = readId(typed);
  const byId = id === null ? null : await accountById(ctx, id);
  const account = byId ?? (await findAccount(ctx, typed));
  if (account) return account;
  const { typists } = await accountsNamed(ctx, typed);
  const sentence =
    typists.length === 0
      ? "There is no such account."
      : `Nobody has confirmed that address. Accounts that typed it: ${typists.map(({ username }) => username).join(", ")}. Name the one you mean.`;
  throw new Refusal("not_found", { sentence });
}

/** Finds an account by name, confirmed email, or a whole or masked key; null unless exactly one matches. */
export async function findAccount(ctx: Ctx, typed: string): Promise<Account | null> {
  const named = await accountByName(ctx, typed);
  if (named) return named;
  const licence = await findLicence(ctx, typed);
  return licence?.accountId ? accountById(ctx, licence.accountId) : null;
}

export async function accountOfDiscordUser(ctx: Ctx, discordUserId: string): Promise<Account | null> {
  const link = await linkOfUser(ctx, discordUserId);
  return link ? accountById(ctx, link.accountId) : null;
}

/** The account of a ticket's customer: for a ticket from the site the account that opened it, whoever is linked now. */
export async function accountOfTicket(
  ctx: Ctx,
  { via, accountId, discordUserId }: Pick<Ticket, "via" | "accountId" | "discordUserId">,
): Promise<Account | null> {
  if (via === "site") return accountId === null ? null : accountById(ctx, accountId);
  return discordUserId === null ? null : accountOfDiscordUser(ctx, discordUserId);
}

/** Refuses with `not_found`. */
export async function expectAccount(ctx: Ctx, id: string): Promise<Account> {
  const account = await accountById(ctx, id);
  if (!account) throw new Refusal("not_found", { sentence: "There is no such account." });
  return account;
}
