import { randomInt, timingSafeEqual } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { commit } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import { post } from "@/core/outbox";
import { accounts, recoveries } from "./tables";

export const recoveryTopic = "mail.recovery-code";
export const recoveryMinutes = 10;

/**
 * Makes a code for an address and asks for the mail that carries it; an earlier code is dead. For an
 * address that nobody has it does all the same, and only the delivery finds nobody to write to: the
 * same rows written, the same work, the same time. Whoever calls wakes the worker after answering.
 */
export async function askForRecovery(ctx: Ctx, email: string): Promise<void> {
  const { db } = ctx.store;
  const addressHash = addressHashOf(ctx, email);
  const [account] = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.emailKey, email.toLowerCase()));
  const id = newId();
  const fresh = {
    id,
    accountId: account?.id ?? null,
    codeSealed: ctx.secrets.seal(newCode(), contextOf(id)),
    tries: 0,
    expiresAt: new Date(ctx.now().getTime() + recoveryMinutes * 60_000),
    browserHash: null,
    verifiedUntil: null,
  };
  await commit(ctx.store, [
    db
      .insert(recoveries)
      .values({ addressHash, ...fresh })
      .onConflictDoUpdate({ target: recoveries.addressHash, set: fresh }),
    // somebody waits for it, and a rush of receipts may be waiting too
    post(ctx, { topic: recoveryTopic, subject: addressHash, ahead: true }),
  ]);
}

/** What is to be mailed for an address: the code and its one recipient, or null for nobody. */
export async function codeToSend(ctx: Ctx, addressHash: string) {
  const [found] = await ctx.store.db
    .select({ recovery: recoveries, account: { id: accounts.id, email: accounts.email } })
    .from(recoveries)
    .innerJoin(accounts, eq(accounts.id, recoveries.accountId))
    .where(eq(recoveries.addressHash, addressHash));
  if (!found || found.recovery.expiresAt <= ctx.now()) return null;
  // the address may have changed hands since
  if (addressHashOf(ctx, found.account.email) !== addressHash) return null;
  return { id: found.recovery.id, account: found.account, code: openCode(ctx, found.recovery) };
}

type Row = typeof recoveries.$inferSelect;

/** Whether a typed code is the row's, compared in constant time. */
export function codeFits(ctx: Ctx, recovery: Row, typed: string): boolean {
  const [right, given] = [Buffer.from(openCode(ctx, recovery)), Buffer.from(typed.replace(/\s/g, ""))];
  return right.length === given.length && timingSafeEqual(right, given);
}

/** How an address is known here: by a keyed hash, in lower case. */
export const addressHashOf = (ctx: Ctx, email: string) =>
  ctx.secrets.fingerprint("address", email.toLowerCase());

/** A try more, in SQL, so that racing guesses can't share one. */
export const oneTryMore = sql`${recoveries.tries} + 1`;

const newCode = () => String(randomInt(1_000_000)).padStart(6, "0");
const openCode = (ctx: Ctx, { id, codeSealed }: Pick<Row, "id" | "codeSealed">) =>
  ctx.secrets.open(codeSealed, contextOf(id));
const contextOf = (id: string) => `recovery:${id}`;
