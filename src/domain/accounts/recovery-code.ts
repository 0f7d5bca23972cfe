import { randomInt } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { addressKey } from "@/contract/addresses";
import { minute } from "@/contract/time";
import { commit, type Write } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import { post } from "@/core/outbox";
import { randomToken, sameSecret, tokenHash } from "@/core/secrets";
import { accountOfEmail } from "./account";
import { knownBrowser } from "./known-browser";
import { accounts, recoveries } from "../schema/accounts";

export const recoveryMinutes = 10;

/**
 * Creates a code for an email address and queues its mail. The code belongs to the browser that asks and replaces
 * that browser's earlier one (by `cookie`). An unknown address causes the same rows, work and time; only delivery
 * finds nobody to write to. The caller wakes the worker after answering. Resolves to the browser's new cookie.
 */
export async function askForRecovery(ctx: Ctx, email: string, cookie: string | undefined): Promise<string> {
  const { token, writes } = newRecovery(ctx, email, cookie);
  await commit(ctx.store, writes, { wakes: false });
  return token;
}

/**
 * The account with this address, if the browser signed in to it before: strangers who use up what may be mailed to an
 * address must not keep its owner from recovering. Null otherwise.
 */
export async function accountKnownTo(
  ctx: Ctx,
  email: string,
  cookie: string | undefined,
): Promise<string | null> {
  if (!cookie) return null;
  const [account] = await accountOfEmail(ctx, email);
  return account && knownBrowser(ctx, account.id, cookie) ? account.id : null;
}

/** The browser's new cookie, and the writes that create the code for it and queue its mail. */
export function newRecovery(
  ctx: Ctx,
  email: string,
  cookie: string | undefined,
): { token: string; writes: Write[] } {
  const { db } = ctx.store;
  const id = newId();
  const token = randomToken();
  const recovery = {
    id,
    browserHash: tokenHash(token),
    addressHash: ctx.secrets.fingerprint("address", addressKey(email)),
    // looked up within the commit, so that it is an account which still exists
    accountId: sql`(${accountOfEmail(ctx, email)})`,
    codeSealed: ctx.secrets.seal(newCode(), recoveryContext(id)),
    expiresAt: new Date(ctx.now().getTime() + recoveryMinutes * minute),
  };
  const writes = [
    db.delete(recoveries).where(eq(recoveries.browserHash, tokenHash(cookie ?? ""))),
    db.insert(recoveries).values(recovery),
    // a person is waiting for it, possibly behind a rush of receipts
    post(ctx, { topic: "mail.recovery-code", subject: id, ahead: true }),
  ];
  return { token, writes };
}

/** The code and its recipient, or null if nobody has the address. */
export async function codeToSend(ctx: Ctx, id: string) {
  const [found] = await ctx.store.db
    .select({ recovery: recoveries, account: { id: accounts.id, email: accounts.email } })
    .from(recoveries)
    .innerJoin(accounts, eq(accounts.id, recoveries.accountId))
    .where(eq(recoveries.id, id));
  if (!found || found.recovery.expiresAt <= ctx.now()) return null;
  // the address may belong to another account by now
  if (!addressHashes(ctx, found.account.email).includes(found.recovery.addressHash)) return null;
  return { account: found.account, code: openCode(ctx, found.recovery) };
}

type Row = typeof recoveries.$inferSelect;

/** Whether a typed code matches, compared in constant time. */
export const codeFits = (ctx: Ctx, recovery: Row, typed: string): boolean =>
  sameSecret(openCode(ctx, recovery), typed.replace(/\s/g, ""));

/** What an address may be stored as: a keyed hash of its comparison key, under this secret or the one before. */
export const addressHashes = (ctx: Ctx, email: string) =>
  ctx.secrets.fingerprints("address", addressKey(email));

/** Counts a try in SQL, so that racing guesses are counted separately. */
export const oneTryMore = sql`${recoveries.tries} + 1`;

const newCode = () => String(randomInt(1_000_000)).padStart(6, "0");
const openCode = (ctx: Ctx, { id, codeSealed }: Pick<Row, "id" | "codeSealed">) =>
  ctx.secrets.open(codeSealed, recoveryContext(id));
/** Binds a sealed code to its row. */
export const recoveryContext = (id: string) => `recovery:${id}`;
