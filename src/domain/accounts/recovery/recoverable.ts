import { and, asc, desc, eq, exists, inArray, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { addressKey, canonicalAddress } from "@/contract/vocabulary/addresses";
import type { AuditAction } from "@/contract/wire/audit-events";
import type { Ctx } from "@/core/database/context";
import { auditLog } from "@/core/database/schema";
import { accounts, formerEmails } from "../../schema/accounts";
import type { Licence } from "../../schema/licences";
import { payments } from "../../schema/payments";
import type { Account } from "../sessions/account";
import { type FormerEmail, formerEmailsOf, isReserved } from "../sessions/former-emails";

/** The most accounts without a confirmed address that one recovery mail offers. */
const mostOffered = 5;

/** The id of the account that an address recovers, as a query for a commit. */
export function accountToRecover(ctx: Ctx, typed: string): SQL<string | null> {
  const { db } = ctx.store;
  const key = addressKey(typed);
  const confirmed = db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.emailKey, key), isNotNull(accounts.emailConfirmedAt)));
  const former = db
    .select({ id: formerEmails.accountId })
    .from(formerEmails)
    .where(and(eq(formerEmails.emailKey, key), isReserved(ctx)))
    .limit(1);
  const unproven = db
    .select({ id: accounts.id })
    .from(accounts)
    .where(isUnprovenAt(key))
    .orderBy(...offeredFirst(ctx))
    .limit(1);
  return sql<string | null>`coalesce((${confirmed}), (${former}), (${unproven}))`;
}

/**
 * The accounts without a confirmed address that a mailbox recovers: first those whose key was mailed there, then those
 * that typed it and whose key went to no mailbox; first those that nobody has recovered yet, then the oldest. Where an
 * account has confirmed the address, those of a mailed key are left.
 */
export const accountsOfMailbox = (ctx: Ctx, typed: string): Promise<Account[]> =>
  ctx.store.db
    .select()
    .from(accounts)
    .where(isUnprovenAt(addressKey(typed)))
    .orderBy(...offeredFirst(ctx))
    .limit(mostOffered);

const isUnprovenAt = (key: string): SQL | undefined =>
  and(
    isNull(accounts.emailConfirmedAt),
    or(eq(accounts.keyEmailKey, key), and(isNull(accounts.keyEmailKey), eq(accounts.emailKey, key))),
  );

/** Recovered accounts come last, so that strangers who buy keys for a mailbox can't crowd out its owner's account. */
function offeredFirst({ store: { db } }: Ctx): SQL[] {
  const recovery = db
    .select({ one: sql`1` })
    .from(auditLog)
    .where(and(eq(auditLog.accountId, accounts.id), eq(auditLog.action, "recovery.done")));
  return [desc(isNotNull(accounts.keyEmailKey)), asc(exists(recovery)), asc(accounts.createdAt)];
}

/** An address through which an account is recovered; `former` if it was changed from it. */
export type RecoveryAddress = { email: string; former: FormerEmail | null };

/** The addresses through which a recovery that was requested `at` a time recovers an account. */
export async function recoveryAddresses(
  ctx: Ctx,
  { id, email, keyEmail, emailConfirmedAt }: Account,
  at: Date,
): Promise<RecoveryAddress[]> {
  const formers = (await formerEmailsOf(ctx, id, at)).map((former) => ({ email: former.email, former }));
  const own = emailConfirmedAt === null ? (keyEmail ?? email) : email;
  return [...(own === null ? [] : [{ email: own, former: null }]), ...formers];
}

/**
 * The mailbox that a key was mailed to, which recovers the account that registers with it while nobody has confirmed its
 * address. Null for a key that was handed out, replaced since the email left or is part of a larger order, and for an address
 * that identifies nobody.
 */
export async function mailboxOfKey(
  ctx: Ctx,
  { id, paymentId }: Pick<Licence, "id" | "paymentId">,
): Promise<string | null> {
  if (paymentId === null) return null;
  const [[order], [given]] = await ctx.store.db.batch([
    ctx.store.db.select().from(payments).where(eq(payments.id, paymentId)),
    ctx.store.db
      .select({ action: auditLog.action, at: auditLog.at })
      .from(auditLog)
      .where(and(eq(auditLog.subject, id), inArray(auditLog.action, keyReplaced)))
      .orderBy(desc(auditLog.at))
      .limit(1),
  ]);
  if (order?.quantity !== 1) return null;
  const { email, receiptSentAt, giftEmail, giftSentAt } = order;
  const [to, sentAt] = giftEmail === null ? [email, receiptSentAt] : [giftEmail, giftSentAt];
  const shows = given?.action !== "licence.key_rotated" || (sentAt !== null && sentAt > given.at);
  return shows && to && canonicalAddress(to) !== null ? to : null;
}

/** Nobody mails the first; the other goes where the order's emails go. */
const keyReplaced: AuditAction[] = ["licence.key_rotated", "licence.key_reissued"];
