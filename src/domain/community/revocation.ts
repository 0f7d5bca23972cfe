import type { Write } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import { type Handlers, post } from "@/core/outbox";
import type { SignOn } from "./sign-on";
import { openTokens, sealTokens, type Tokens } from "./tokens";

/** Ends tokens at Discord, for the commit that lets go of them. */
export function revocation(ctx: Ctx, tokens: Tokens): Write {
  const subject = newId();
  const sealed = sealTokens(ctx, tokens, `revocation:${subject}`);
  return post(ctx, { topic: "discord.revoke", subject, payload: { sealed } });
}

/** How the outbox delivers it. */
export const revocations = (ctx: Ctx, signOn: SignOn): Handlers => ({
  "discord.revoke": async ({ subject, payload }) => {
    await signOn.revoke(openTokens(ctx, payload.sealed, `revocation:${subject}`));
    return [];
  },
});
