import { createHash } from "node:crypto";
import { and, eq, gt, isNull, lt } from "drizzle-orm";
import { commit, mustHaveChanged } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { randomToken, tokenHash } from "@/core/secrets";
import type { SignOn } from "./sign-on";
import { openTokens, sealTokens, type Tokens } from "./tokens";
import { linkAttempts } from "../schema/community";

/** How long a visit to Discord's page may take. */
const attemptMilliseconds = 10 * 60_000;

/** Whose browser is linking: the session that left is the only one that may come back. */
export type Linker = { accountId: string; sessionId: string };

/** What the browser brought back from Discord. */
export type Returned = { code: string; state: string };

/** Begins a visit to Discord's authorize page; resolves to its address. */
export async function beginLink(ctx: Ctx, signOn: SignOn, who: Linker): Promise<string> {
  const state = randomToken();
  const { db } = ctx.store;
  await commit(ctx.store, [
    db.delete(linkAttempts).where(lt(linkAttempts.expiresAt, ctx.now())),
    db.insert(linkAttempts).values({
      stateHash: tokenHash(state),
      expiresAt: new Date(ctx.now().getTime() + attemptMilliseconds),
      ...who,
    }),
  ]);
  return signOn.authorizeUrl({ state, challenge: challengeOf(verifierOf(ctx, state)) });
}

export type Attempt = typeof linkAttempts.$inferSelect;

/**
 * The attempt that a browser comes back from, now used up; `fresh` is false when the same browser
 * brings the same code a second time. Null when it is not that browser's, too old, or used with
 * another code.
 */
export async function claimAttempt(ctx: Ctx, who: Linker, { state, code }: Returned) {
  const mine = and(
    eq(linkAttempts.stateHash, tokenHash(state)),
    eq(linkAttempts.sessionId, who.sessionId),
    eq(linkAttempts.accountId, who.accountId),
    gt(linkAttempts.expiresAt, ctx.now()),
  );
  const codeHash = tokenHash(code);
  const [claimed] = await ctx.store.db
    .update(linkAttempts)
    .set({ codeHash })
    .where(and(mine, isNull(linkAttempts.codeHash)))
    .returning();
  if (claimed) return { attempt: claimed, fresh: true };
  const [known] = await ctx.store.db
    .select()
    .from(linkAttempts)
    .where(and(mine, eq(linkAttempts.codeHash, codeHash)));
  return known ? { attempt: known, fresh: false } : null;
}

/** Discord was away: the same code may be brought again. */
export const releaseAttempt = (ctx: Ctx, attempt: Attempt) =>
  ctx.store.db
    .update(linkAttempts)
    .set({ codeHash: null })
    .where(eq(linkAttempts.stateHash, attempt.stateHash));

/** The code is spent; what it gave is kept until the link is made. */
export const keepTokens = (ctx: Ctx, attempt: Attempt, tokens: Tokens) =>
  commit(ctx.store, [
    ctx.store.db
      .update(linkAttempts)
      .set({ tokensSealed: sealTokens(ctx, tokens, `attempt:${attempt.stateHash}`) })
      .where(eq(linkAttempts.stateHash, attempt.stateHash)),
    mustHaveChanged("conflict"),
  ]);

export const keptTokens = (ctx: Ctx, { stateHash, tokensSealed }: Attempt): Tokens | null =>
  tokensSealed === null ? null : openTokens(ctx, tokensSealed, `attempt:${stateHash}`);

/** The write that lets go of the tokens, once the link has them. */
export const forgetTokens = (ctx: Ctx, { stateHash }: Attempt) =>
  ctx.store.db.update(linkAttempts).set({ tokensSealed: null }).where(eq(linkAttempts.stateHash, stateHash));

/** PKCE (RFC 7636): derived from the state by the shop's secret, so that it need not be kept. */
export const verifierOf = (ctx: Ctx, state: string) => ctx.secrets.fingerprint("discord-link", state);

const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url");
