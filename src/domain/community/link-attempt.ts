import { createHash } from "node:crypto";
import { and, eq, gt, inArray, isNull, lt } from "drizzle-orm";
import { commit, mustHaveChanged } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { randomToken, tokenHash } from "@/core/secrets";
import type { SignOn } from "./sign-on";
import { openTokens, sealTokens, type Tokens } from "./tokens";
import { linkAttempts } from "../schema/community";

/** How long somebody may stay on Discord's authorize page. */
const attemptMilliseconds = 10 * 60_000;

/** Each attempt forgets more expired ones than it adds, and never many at once. */
const mostForgotten = 10;

/** Who is linking. Only the session that began an attempt may finish it. */
export type Linker = { accountId: string; sessionId: string };

/** The query parameters with which the browser returns from Discord. */
export type Returned = { code: string; state: string };

/** Begins an attempt; resolves to the address of Discord's authorize page. */
export async function beginLink(ctx: Ctx, signOn: SignOn, who: Linker): Promise<string> {
  const state = randomToken();
  const { db } = ctx.store;
  const { stateHash, expiresAt } = linkAttempts;
  const expired = db
    .select({ stateHash })
    .from(linkAttempts)
    .where(lt(expiresAt, ctx.now()))
    .limit(mostForgotten);
  await commit(ctx.store, [
    db.delete(linkAttempts).where(inArray(stateHash, expired)),
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
 * Uses up the attempt that a browser returns from. `fresh` is false when the same browser brings the same code a
 * second time. Null when the attempt is another session's, expired, or was used with another code.
 */
export async function claimAttempt(ctx: Ctx, who: Linker, { state, code }: Returned) {
  const isOwn = and(
    eq(linkAttempts.stateHash, tokenHash(state)),
    eq(linkAttempts.sessionId, who.sessionId),
    eq(linkAttempts.accountId, who.accountId),
    gt(linkAttempts.expiresAt, ctx.now()),
  );
  const codeHash = tokenHash(code);
  const [claimed] = await ctx.store.db
    .update(linkAttempts)
    .set({ codeHash })
    .where(and(isOwn, isNull(linkAttempts.codeHash)))
    .returning();
  if (claimed) return { attempt: claimed, fresh: true };
  const [known] = await ctx.store.db
    .select()
    .from(linkAttempts)
    .where(and(isOwn, eq(linkAttempts.codeHash, codeHash)));
  return known ? { attempt: known, fresh: false } : null;
}

/** After Discord could not be reached: the same code may be used again. */
export const releaseAttempt = (ctx: Ctx, attempt: Attempt) =>
  ctx.store.db
    .update(linkAttempts)
    .set({ codeHash: null })
    .where(eq(linkAttempts.stateHash, attempt.stateHash));

/** Keeps the tokens that the code was exchanged for until the link is made. */
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

/** For the commit that gives the link the tokens. */
export const forgetTokens = (ctx: Ctx, { stateHash }: Attempt) =>
  ctx.store.db.update(linkAttempts).set({ tokensSealed: null }).where(eq(linkAttempts.stateHash, stateHash));

/** PKCE (RFC 7636). Derived from the state with the shop's secret, so it need not be stored. */
export const verifierOf = (ctx: Ctx, state: string) => ctx.secrets.fingerprint("discord-link", state);

const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url");
