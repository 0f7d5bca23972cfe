import type { Write } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import { type Handler, enqueue } from "@/core/outbox";
import type { SignOn } from "./sign-on";
import { openTokens, sealTokens, type Tokens } from "./tokens";

export const revokeTopic = "discord.revoke";

/** Has tokens revoked at Discord; part of the commit that drops them. */
export function revocation(ctx: Ctx, tokens: Tokens): Write {
  const subject = newId();
  const sealed = sealTokens(ctx, tokens, `revocation:${subject}`);
  return enqueue(ctx, { topic: revokeTopic, subject, payload: { sealed } });
}

/** The outbox handler that revokes them. */
export const revokeTokens =
  (ctx: Ctx, signOn: SignOn): Handler<typeof revokeTopic> =>
  async ({ subject, payload }) => {
    await signOn.revoke(openTokens(ctx, payload.sealed, `revocation:${subject}`));
    return [];
  };
