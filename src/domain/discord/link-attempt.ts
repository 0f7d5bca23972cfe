import { createHash } from "node:crypto";
import { and, eq, gt, inArray, isNull, lt } from "drizzle-orm";
import { minute } from "@/contract/vocabulary/time";
import { customer, type SiteCustomer, type StaffRole } from "@/core/base/actor";
import { commit, isDuplicate, mustHaveChanged, retryOnConflict, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { randomToken, tokenHash } from "@/core/secrets/secrets";
import { linkAttempts } from "../schema/discord";
import { authorize } from "../permissions";
import { linkWrites } from "./change-link";
import { type Link, linkOf } from "./links";
import {
  CodeRefused,
  type DiscordUser,
  unsealTokens,
  sealTokens,
  type SignOn,
  SignOnUnreachable,
  type Tokens,
} from "./sign-on";

/** How long a member may stay on Discord's authorize page. */
const attemptMilliseconds = 10 * minute;

/** Each attempt deletes more expired ones than it adds, but never many at once. */
const mostForgotten = 10;

/** The account that links. Only the session that began an attempt may finish it. */
type Linker = {
  actor: SiteCustomer;
  sessionId: string;
  /**
   * A Discord user has the account's rights in the server, so that both steps ask for a proof of its owner: refuses with
   * `reauthenticate`.
   */
  expectProof: () => void;
  /** For the commit that makes the link, which spends the proof. */
  alongside: Write[];
  /** See `links`. */
  provenRole: StaffRole | null;
};

/** The query parameters when the browser returns from Discord. */
type OAuthReturn = { code: string; state: string };

/** Begins an attempt; resolves to the URL of Discord's authorize page. */
export async function beginLink(ctx: Ctx, signOn: SignOn, who: Linker): Promise<string> {
  authorize(who, "discord.link");
  who.expectProof();
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
      accountId: who.actor.accountId,
      sessionId: who.sessionId,
    }),
  ]);
  return signOn.authorizeUrl({ state, challenge: challengeOf(verifierOf(ctx, state)) });
}

/**
 * `elsewhere`: the Discord user is linked to another account. `blocked`: staff blocked the Discord user.
 * `unreachable`: Discord is down, and the browser may retry with the same code. `refused`: the state or the code is
 * not valid.
 */
export type LinkOutcome = "linked" | "elsewhere" | "blocked" | "unreachable" | "refused";

/** Handles the return from Discord's authorize page and links the account to the Discord user, which spends the proof. */
export async function finishLink(
  ctx: Ctx,
  signOn: SignOn,
  who: Linker,
  returned: OAuthReturn,
): Promise<LinkOutcome> {
  authorize(who, "discord.link");
  const claimed = await claimAttempt(ctx, who, returned);
  if (!claimed) return "refused";
  const { attempt, fresh } = claimed;
  try {
    if (fresh) who.expectProof();
  } catch (error) {
    await releaseAttempt(ctx, attempt);
    throw error;
  }
  try {
    const kept = keptTokens(ctx, attempt);
    const tokens = kept ?? (fresh ? await exchange(ctx, signOn, attempt, returned) : null);
    // the same code a second time: the first request has made the link, or is still making it
    if (!tokens)
      return (await linkOf(ctx, who.actor.accountId)) ? "linked" : fresh ? "refused" : "unreachable";
    const [former] = await Promise.all([
      linkOf(ctx, who.actor.accountId),
      // the code is spent
      kept ? null : keepTokens(ctx, attempt, tokens),
    ]);
    const user = await signOn.fetchUser(tokens);
    const { alongside, provenRole } = who;
    return await storeLink(ctx, { attempt, former, alongside }, { user, tokens, provenRole });
  } catch (error) {
    if (error instanceof CodeRefused) return "refused";
    if (error instanceof SignOnUnreachable) return "unreachable";
    throw error;
  }
}

async function exchange(
  ctx: Ctx,
  signOn: SignOn,
  attempt: Attempt,
  { code, state }: OAuthReturn,
): Promise<Tokens> {
  try {
    return await signOn.exchange(code, verifierOf(ctx, state));
  } catch (error) {
    if (error instanceof SignOnUnreachable) await releaseAttempt(ctx, attempt);
    throw error;
  }
}

async function storeLink(
  ctx: Ctx,
  { attempt, former: read, alongside }: { attempt: Attempt; former: Link | undefined; alongside: Write[] },
  found: { user: DiscordUser; tokens: Tokens; provenRole: StaffRole | null },
): Promise<LinkOutcome> {
  const { accountId } = attempt;
  const wanted = {
    discordUserId: found.user.id,
    displayName: found.user.displayName.slice(0, 100),
    tokens: found.tokens,
    provenRole: found.provenRole,
    actor: customer(accountId),
  };
  try {
    await retryOnConflict(async (again) => {
      const former = again ? await linkOf(ctx, accountId) : read;
      await commit(ctx.store, [
        ...linkWrites(ctx, { accountId, former }, wanted),
        forgetTokens(ctx, attempt),
        ...alongside,
      ]);
    });
    return "linked";
  } catch (error) {
    const barred = barrier(error);
    if (!barred) throw error;
    // keep the tokens: revoking them at Discord would end another account's authorization too
    await commit(ctx.store, [forgetTokens(ctx, attempt)]);
    return barred;
  }
}

/** Why this Discord user may not be linked to the account; null for any other failure. */
function barrier(error: unknown): "elsewhere" | "blocked" | null {
  if (isDuplicate(error, "links.discord_user_id")) return "elsewhere";
  return error instanceof Refusal && error.code === "blocked" ? "blocked" : null;
}

type Attempt = typeof linkAttempts.$inferSelect;

/**
 * Claims the attempt that a browser returns from. `fresh` is false when the same browser returns with the same code a
 * second time. Null if the attempt belongs to another session, has expired, or was used with another code.
 */
async function claimAttempt(ctx: Ctx, who: Linker, { state, code }: OAuthReturn) {
  const isOwn = and(
    eq(linkAttempts.stateHash, tokenHash(state)),
    eq(linkAttempts.sessionId, who.sessionId),
    eq(linkAttempts.accountId, who.actor.accountId),
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

/** After Discord was unreachable: the browser may use the same code again. */
const releaseAttempt = (ctx: Ctx, attempt: Attempt) =>
  ctx.store.db
    .update(linkAttempts)
    .set({ codeHash: null })
    .where(eq(linkAttempts.stateHash, attempt.stateHash));

/** Keeps the exchanged tokens until the link is made. */
const keepTokens = (ctx: Ctx, attempt: Attempt, tokens: Tokens) =>
  commit(ctx.store, [
    ctx.store.db
      .update(linkAttempts)
      .set({ tokensSealed: sealTokens(ctx, tokens, `attempt:${attempt.stateHash}`) })
      .where(eq(linkAttempts.stateHash, attempt.stateHash)),
    mustHaveChanged("conflict"),
  ]);

const keptTokens = (ctx: Ctx, { stateHash, tokensSealed }: Attempt): Tokens | null =>
  tokensSealed === null ? null : unsealTokens(ctx, tokensSealed, `attempt:${stateHash}`);

/** Deletes the attempt's tokens, in the commit that gives them to the link. */
const forgetTokens = (ctx: Ctx, { stateHash }: Attempt) =>
  ctx.store.db.update(linkAttempts).set({ tokensSealed: null }).where(eq(linkAttempts.stateHash, stateHash));

/** PKCE (RFC 7636). Derived from the state with the shop's secret, so the shop need not store it. */
const verifierOf = (ctx: Ctx, state: string) => ctx.secrets.fingerprint("discord-link", state);

const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url");
