import { commit, isDuplicate } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { isConflict, Refusal } from "@/core/refusal";
import {
  type Attempt,
  claimAttempt,
  forgetTokens,
  keepTokens,
  keptTokens,
  type Linker,
  releaseAttempt,
  type Returned,
  verifierOf,
} from "./link-attempt";
import { linkWrites } from "./change-link";
import { type Link, linkOf } from "./links";
import { CodeRefused, type DiscordUser, type SignOn, SignOnUnreachable } from "./sign-on";
import type { Tokens } from "./tokens";

/**
 * `elsewhere`: the Discord user is linked to another account. `blocked`: staff blocked the Discord user. `unreachable`: Discord is down, and the browser may
 * retry with the same code. `refused`: the state or the code is not valid.
 */
export type LinkOutcome = "linked" | "elsewhere" | "blocked" | "unreachable" | "refused";

/** Handles the return from Discord's authorize page and links the account to the Discord user. */
export async function finishLink(
  ctx: Ctx,
  signOn: SignOn,
  who: Linker,
  returned: Returned,
): Promise<LinkOutcome> {
  const claimed = await claimAttempt(ctx, who, returned);
  if (!claimed) return "refused";
  const { attempt, fresh } = claimed;
  try {
    const kept = keptTokens(ctx, attempt);
    const tokens = kept ?? (fresh ? await exchange(ctx, signOn, attempt, returned) : null);
    // the same code a second time: the first request has made the link, or is still at it
    if (!tokens) return (await linkOf(ctx, who.accountId)) ? "linked" : fresh ? "refused" : "unreachable";
    const [former] = await Promise.all([
      linkOf(ctx, who.accountId),
      // the code is spent
      kept ? null : keepTokens(ctx, attempt, tokens),
    ]);
    const user = await signOn.fetchUser(tokens);
    return await storeLink(ctx, { attempt, former }, { user, tokens });
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
  { code, state }: Returned,
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
  { attempt, former: read }: { attempt: Attempt; former: Link | undefined },
  found: { user: DiscordUser; tokens: Tokens },
): Promise<LinkOutcome> {
  const { accountId } = attempt;
  const wanted = {
    discordUserId: found.user.id,
    displayName: found.user.displayName.slice(0, 100),
    tokens: found.tokens,
    actor: accountId,
  };
  for (let former = read; ; former = await linkOf(ctx, accountId)) {
    try {
      await commit(ctx.store, [
        ...linkWrites(ctx, { accountId, former }, wanted),
        forgetTokens(ctx, attempt),
      ]);
      ctx.wake();
      return "linked";
    } catch (error) {
      const barred = barrier(error);
      if (barred) {
        // the tokens are not revoked: at Discord that would end another account's authorization too
        await commit(ctx.store, [forgetTokens(ctx, attempt)]);
        return barred;
      }
      if (!isConflict(error)) throw error;
    }
  }
}

/** Why this Discord user may not be linked to the account; null for any other failure. */
function barrier(error: unknown): "elsewhere" | "blocked" | null {
  if (isDuplicate(error, "links.discord_user_id")) return "elsewhere";
  return error instanceof Refusal && error.code === "blocked" ? "blocked" : null;
}
