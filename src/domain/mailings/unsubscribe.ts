import { eq } from "drizzle-orm";
import { customer, visitor } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { rowOfToken, linkToken } from "../accounts/sessions/link-token";
import { accounts } from "../schema/accounts";
import { unsubscribed } from "../schema/unsubscribed";
import { authorize } from "../permissions";
import { wishOf } from "./unsubscribed";

/** An email's recipient: an account or, by their payment, a buyer. */
type Recipient = { id: string; email: string };

/** The one-click unsubscribe link (RFC 8058) for the recipient's address. */
export const unsubscribeUrl = (ctx: Ctx, { id, email }: Recipient, publicUrl: URL): string =>
  new URL(`/api/unsubscribe?token=${linkToken(ctx, "unsubscribe", `${id}:${wishOf(ctx, email)}`)}`, publicUrl)
    .href;

/** Whether a token came from one of the shop's emails. */
export const isUnsubscribeToken = (ctx: Ctx, token: string): boolean =>
  rowOfToken(ctx, "unsubscribe", token) !== null;

/**
 * Unsubscribes the address that a link was mailed to, whichever account has it now or later, from emails that are not
 * about an order; or resubscribes it. Idempotent. Refuses with `unsubscribe_invalid`.
 */
export async function setSubscribed(ctx: Ctx, token: string, wanted: boolean): Promise<void> {
  const found = wishOfToken(ctx, token);
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

function wishOfToken(ctx: Ctx, token: string) {
  const [recipient, addressHash] = rowOfToken(ctx, "unsubscribe", token)?.split(":") ?? [];
  return recipient && addressHash ? { recipient, addressHash } : null;
}
