import type { Write } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import type { Handler } from "@/core/jobs/job-handlers";
import { enqueue } from "@/core/jobs/outbox";
import { shopTopics } from "../outbox-topics";
import type { SignOn } from "./sign-on";
import { openTokens, sealTokens, type Tokens } from "./tokens";

/** Revokes tokens at Discord; part of the commit that deletes them. */
export function revocation(ctx: Ctx, tokens: Tokens): Write {
  const subject = newId();
  const sealed = sealTokens(ctx, tokens, `revocation:${subject}`);
  return enqueue(ctx, { topic: shopTopics.revokeTokens, subject, payload: { sealed } });
}

/** The outbox handler that revokes tokens. */
export const revokeTokens =
  (ctx: Ctx, signOn: SignOn): Handler<typeof shopTopics.revokeTokens> =>
  async ({ subject, payload }) => {
    await signOn.revoke(openTokens(ctx, payload.sealed, `revocation:${subject}`));
    return [];
  };
