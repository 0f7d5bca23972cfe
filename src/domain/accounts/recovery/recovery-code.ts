import { and, eq, inArray, sql } from "drizzle-orm";
import { addressKey } from "@/contract/vocabulary/addresses";
import { typedCode } from "@/contract/vocabulary/typed-codes";
import { visitor } from "@/core/base/actor";
import { withoutIndex } from "@/core/database/without-index";
import { commit, type Write } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { enqueue } from "@/core/jobs/outbox";
import { randomToken, sameSecret, tokenHash } from "@/core/secrets/secrets";
import { authorize } from "../../permissions";
import { accountToRecover } from "./recoverable";
import { recoveryCodeEmail } from "../emails/recovery-code";
import { knownBrowser } from "../sessions/known-browser";
import { addressHashes, newCodeColumns, unsealCode } from "./sealed-code";
import { recoveries } from "../../schema/accounts";

/**
 * Creates a code for an email address and queues its email. The code belongs to the browser that asks and replaces that
 * browser's earlier code (by `cookie`). An unknown address causes the same rows, work and time; only delivery finds no
 * recipient. The caller wakes the worker after answering. Resolves to the browser's new cookie.
 */
export async function askForRecovery(ctx: Ctx, email: string, cookie: string | undefined): Promise<string> {
  authorize(visitor, "account.recover");
  const { token, writes } = newRecovery(ctx, email, cookie);
  await commit(ctx.store, writes, { wakes: false });
  return token;
}

/**
 * The account with this address, if the browser signed in to it before; null otherwise. Strangers who exhaust an
 * address's limit must not keep its owner from recovering.
 */
export async function accountKnownTo(
  ctx: Ctx,
  email: string,
  cookie: string | undefined,
): Promise<string | null> {
  if (!cookie) return null;
  const [found] = await ctx.store.db.select({ id: accountToRecover(ctx, email) }).from(sql`(SELECT 1)`);
  const id = found?.id ?? null;
  return id !== null && knownBrowser(ctx, id, cookie) ? id : null;
}

/** The browser's new cookie, and the writes that create the code for it and queue its email. */
function newRecovery(
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
    // read within the commit, so that the account still exists
    accountId: accountToRecover(ctx, email),
    askedAt: ctx.now(),
    ...newCodeColumns(ctx, id),
  };
  const writes = [
    // its earlier code ends; the link in the same email belongs to the mailbox, not the browser
    db
      .update(recoveries)
      .set({ browserHash: tokenHash(randomToken()), verifiedUntil: null })
      .where(eq(recoveries.browserHash, tokenHash(cookie ?? ""))),
    db.insert(recoveries).values(recovery),
    // a person waits for it, possibly behind a rush of receipts
    enqueue(ctx, { topic: recoveryCodeEmail, subject: id }),
  ];
  return { token, writes };
}

type Row = typeof recoveries.$inferSelect;

/** Whether a typed code matches, compared in constant time. */
export const codeFits = (ctx: Ctx, recovery: Row, typed: string): boolean =>
  sameSecret(unsealCode(ctx, recovery), typedCode(typed));

/** Counts a try in SQL, so that racing guesses are counted separately. */
export const triesPlusOne = sql`${recoveries.tries} + 1`;

/**
 * The write that ends what was asked for through these addresses of an account; a former address that stays good keeps
 * its own, which nobody at the account's present one can end.
 */
export const endRecoveries = (ctx: Ctx, accountId: string, emails: (string | null)[]): Write =>
  ctx.store.db.delete(recoveries).where(
    and(
      eq(recoveries.accountId, accountId),
      withoutIndex(
        inArray(
          recoveries.addressHash,
          emails.flatMap((email) => (email === null ? [] : addressHashes(ctx, email))),
        ),
      ),
    ),
  );
