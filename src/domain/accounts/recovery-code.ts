import { randomInt, timingSafeEqual } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { commit } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import { post } from "@/core/outbox";
import { randomToken, tokenHash } from "@/core/secrets";
import { accounts, recoveries } from "../schema/accounts";

export const recoveryMinutes = 10;

/**
 * Makes a code for an email address and asks for the mail that carries it. It belongs to the browser that
 * asks, whose earlier one (by `cookie`) is dead. For an address that nobody has it does all the same, and
 * only the delivery finds nobody to write to: the same rows written, the same work, the same time. Whoever
 * calls wakes the worker after answering. Resolves to the browser's new cookie.
 */
export async function askForRecovery(ctx: Ctx, email: string, cookie: string | undefined): Promise<string> {
  const { db } = ctx.store;
  const addressHash = addressHashOf(ctx, email);
  const [account] = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.emailKey, email.toLowerCase()));
  const id = newId();
  const token = randomToken();
  const recovery = {
    id,
    browserHash: tokenHash(token),
    addressHash,
    accountId: account?.id ?? null,
    codeSealed: ctx.secrets.seal(newCode(), contextOf(id)),
    expiresAt: new Date(ctx.now().getTime() + recoveryMinutes * 60_000),
  };
  await commit(ctx.store, [
    db.delete(recoveries).where(eq(recoveries.browserHash, tokenHash(cookie ?? ""))),
    db.insert(recoveries).values(recovery),
    // somebody waits for it, and a rush of receipts may be waiting too
    post(ctx, { topic: "mail.recovery-code", subject: id, ahead: true }),
  ]);
  return token;
}

/** What is to be mailed for an asking: the code and its one recipient, or null for nobody. */
export async function codeToSend(ctx: Ctx, id: string) {
  const [found] = await ctx.store.db
    .select({ recovery: recoveries, account: { id: accounts.id, email: accounts.email } })
    .from(recoveries)
    .innerJoin(accounts, eq(accounts.id, recoveries.accountId))
    .where(eq(recoveries.id, id));
  if (!found || found.recovery.expiresAt <= ctx.now()) return null;
  // the address may have changed hands since
  if (addressHashOf(ctx, found.account.email) !== found.recovery.addressHash) return null;
  return { account: found.account, code: openCode(ctx, found.recovery) };
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
