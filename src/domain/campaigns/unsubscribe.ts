import { eq, inArray } from "drizzle-orm";
import { addressKey } from "@/contract/vocabulary/addresses";
import type { Ctx } from "@/core/database/context";
import { customer, visitor } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit } from "@/core/database/commit";
import { Refusal } from "@/core/base/refusal";
import { unsubscribed } from "../schema/unsubscribed";
import { linkToken, rowOfToken } from "../accounts/sessions/link-token";
import { accounts } from "../schema/accounts";
import { authorize } from "../permissions";

/** The hash under which an address's choice is stored: by the oldest retained key, so that it never changes. */
const mailPreferenceKey = (ctx: Ctx, email: string): string =>
  ctx.secrets.fingerprints("mailed-link", `address:${addressKey(email)}`).at(-1) ?? "";

/** Since when each of these addresses is unsubscribed; at most a few hundred at once. */
export async function unsubscribedAmong(ctx: Ctx, emails: string[]): Promise<Map<string, Date>> {
  if (emails.length === 0) return new Map();
  const hashes = new Map(emails.map((email) => [email, mailPreferenceKey(ctx, email)]));
  const rows = await ctx.store.db
    .select()
    .from(unsubscribed)
    .where(inArray(unsubscribed.addressHash, [...new Set(hashes.values())]));
  const since = new Map(rows.map(({ addressHash, at }) => [addressHash, at]));
  return new Map(
    [...hashes].flatMap(([email, hash]) => {
      const at = since.get(hash);
      return at ? [[email, at] as const] : [];
    }),
  );
}

/** Since when an address is unsubscribed; null if it is not. */
export async function unsubscribedSince(ctx: Ctx, email: string | null): Promise<Date | null> {
  if (email === null) return null;
  const [row] = await ctx.store.db
    .select()
    .from(unsubscribed)
    .where(eq(unsubscribed.addressHash, mailPreferenceKey(ctx, email)));
  return row?.at ?? null;
}

/** An email's recipient: an account or, by their payment, a buyer. */
type Recipient = { id: string; email: string };

/** The one-click unsubscribe link (RFC 8058) for the recipient's address. */
export const unsubscribeUrl = (ctx: Ctx, { id, email }: Recipient, publicUrl: URL): string =>
  new URL(
    `/api/unsubscribe?token=${linkToken(ctx, "unsubscribe", `${id}:${mailPreferenceKey(ctx, email)}`)}`,
    publicUrl,
  ).href;

/** Whether a token came from one of the shop's emails. */
export const isUnsubscribeToken = (ctx: Ctx, token: string): boolean =>
  rowOfToken(ctx, "unsubscribe", token) !== null;

/**
 * Unsubscribes the address that a link was mailed to, whichever account has it now or later, from emails that are not
 * about an order; or resubscribes it. Idempotent. Refuses with `unsubscribe_invalid`.
 */
export async function setSubscribed(ctx: Ctx, token: string, wanted: boolean): Promise<void> {
  const found = preferenceOfToken(ctx, token);
  if (!found) throw new Refusal("unsubscribe_invalid", { field: "token" });
  const { recipient, addressHash } = found;
  const { db } = ctx.store;
  const [held] = await db.select().from(unsubscribed).where(eq(unsubscribed.addressHash, addressHash));
  if (wanted === (held === undefined)) return;
  const [account] = await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, recipient));
  const actor = account ? customer(account.id) : visitor;
  authorize(actor, "mail.unsubscribe");
  await commit(ctx.store, [
    wanted
      ? db.delete(unsubscribed).where(eq(unsubscribed.addressHash, addressHash))
      : db.insert(unsubscribed).values({ addressHash, at: ctx.now() }).onConflictDoNothing(),
    record(ctx, {
      actor,
      action: wanted ? "mailings.subscribed" : "mailings.unsubscribed",
      subject: recipient,
      ...(account ? { accountId: account.id } : {}),
    }),
  ]);
}

function preferenceOfToken(ctx: Ctx, token: string) {
  const [recipient, addressHash] = rowOfToken(ctx, "unsubscribe", token)?.split(":") ?? [];
  return recipient && addressHash ? { recipient, addressHash } : null;
}
