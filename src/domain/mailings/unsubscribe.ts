import { and, eq, inArray } from "drizzle-orm";
import { customer, visitor } from "@/core/actor";
import { record } from "@/core/audit";
import { commit } from "@/core/commit";
import { type Ctx, isId } from "@/core/context";
import { Refusal } from "@/core/refusal";
import { auditLog } from "@/core/schema";
import { rowOfToken, linkToken } from "../accounts/link-token";
import { accounts } from "../schema/accounts";
import { payments } from "../schema/payments";
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
  const found = await wishOfToken(ctx, token);
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

async function wishOfToken(ctx: Ctx, token: string) {
  const named = rowOfToken(ctx, "unsubscribe", token);
  if (named === null) return null;
  if (isId(named)) return wishOfEarlierLink(ctx, named);
  const [recipient = "", addressHash = ""] = named.split(":");
  return { recipient, addressHash };
}

/**
 * The release before put no address into its links. Such a link works for its recipient's address as long as that never
 * changed: afterwards nobody knows which address it was mailed to.
 */
async function wishOfEarlierLink(ctx: Ctx, recipient: string) {
  const { db } = ctx.store;
  const [account] = await db.select().from(accounts).where(eq(accounts.id, recipient));
  const [payment] = account ? [] : await db.select().from(payments).where(eq(payments.id, recipient));
  const email = (account ?? payment)?.email;
  const [change] = await db
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(and(eq(auditLog.subject, recipient), inArray(auditLog.action, changesOfAddress)))
    .limit(1);
  return email && !change ? { recipient, addressHash: wishOf(ctx, email) } : null;
}

const changesOfAddress = ["email.changed", "email.change_undone", "payment.email_corrected"];
