import { and, asc, eq, isNotNull, isNull, notExists, type SQL, sql } from "drizzle-orm";
import { addressKey } from "@/contract/addresses";
import type { Ctx } from "@/core/context";
import { accounts, formerEmails } from "../schema/accounts";
import { licences } from "../schema/licences";
import { payments } from "../schema/payments";
import type { Account } from "./account";
import { type FormerEmail, formerEmailsOf, isReserved } from "./former-emails";

/** The most accounts that one recovery mail offers. */
const mostOffered = 5;

/** As a condition: the licence is the one that its account registered with, and was mailed alone. */
const isFirstKey = and(eq(licences.redeemedAt, accounts.createdAt), eq(payments.quantity, 1));

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
  return sql<string | null>`coalesce((${confirmed}), (${former}), (SELECT id FROM (${unproven(ctx, key)})))`;
}

/**
 * The accounts without a confirmed address that a mailbox recovers: first those whose key was mailed there, then those
 * that typed it and whose key went to no mailbox; the oldest first.
 */
export const accountsOfMailbox = (ctx: Ctx, typed: string) => unproven(ctx, addressKey(typed));

function unproven({ store: { db } }: Ctx, key: string) {
  const columns = { id: accounts.id, username: accounts.username, createdAt: accounts.createdAt };
  const isUnproven = isNull(accounts.emailConfirmedAt);
  const mailed = (of: SQL | undefined) =>
    db
      .select({ ...columns, rank: sql<number>`0`.as("rank") })
      .from(payments)
      .innerJoin(licences, eq(licences.paymentId, payments.id))
      .innerJoin(accounts, eq(accounts.id, licences.accountId))
      .where(and(of, isFirstKey, isUnproven));
  const firstKey = db
    .select({ one: sql`1` })
    .from(licences)
    .innerJoin(payments, eq(payments.id, licences.paymentId))
    .where(and(eq(licences.accountId, accounts.id), isFirstKey));
  const typed = db
    .select({ ...columns, rank: sql<number>`1`.as("rank") })
    .from(accounts)
    .where(and(eq(accounts.emailKey, key), isUnproven, notExists(firstKey)));
  return mailed(and(isNotNull(payments.giftKey), eq(payments.giftKey, key)))
    .unionAll(mailed(and(eq(payments.emailKey, key), isNull(payments.giftKey))))
    .unionAll(typed)
    .orderBy(asc(sql`rank`), asc(sql`created_at`))
    .limit(mostOffered);
}

/** An address through which an account is recovered; `former` if it was changed from it. */
export type Recovering = { email: string; former: FormerEmail | null };

/** The addresses through which an account is recovered now. */
export async function recoveringAddresses(
  ctx: Ctx,
  { id, email, emailConfirmedAt }: Pick<Account, "id" | "email" | "emailConfirmedAt">,
): Promise<Recovering[]> {
  const formers = (await formerEmailsOf(ctx, id)).map((former) => ({ email: former.email, former }));
  const own = emailConfirmedAt === null ? ((await keyMailbox(ctx, id)) ?? email) : email;
  return [...(own === null ? [] : [{ email: own, former: null }]), ...formers];
}

/** Where the key that an account registered with was mailed to; null if it was handed out. */
async function keyMailbox({ store: { db } }: Ctx, accountId: string): Promise<string | null> {
  const [found] = await db
    .select({ email: sql<string | null>`coalesce(${payments.giftEmail}, ${payments.email})` })
    .from(accounts)
    .innerJoin(licences, eq(licences.accountId, accounts.id))
    .innerJoin(payments, eq(payments.id, licences.paymentId))
    .where(and(eq(accounts.id, accountId), isFirstKey))
    .limit(1);
  return found?.email ?? null;
}
