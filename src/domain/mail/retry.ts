import type { Actor } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { retryFailing } from "@/core/jobs/outbox";
import { expectNoCopy } from "@/core/database/restored-copy";
import { authorize } from "../permissions";
import { sendUnsent } from "./unsent";

/**
 * Sends again the emails that were given up because the mail server refused them, and retries those still waiting now.
 * Resolves to how many they are. Refuses with `copy` on a restored copy.
 */
export async function retryMail(
  ctx: Ctx,
  { actor, reason }: { actor: Actor; reason?: string },
): Promise<number> {
  authorize(actor, "outbox.retry");
  await expectNoCopy(ctx);
  const letters = (await sendUnsent(ctx, "given-up")) + (await retryFailing(ctx, "mail."));
  const about = { subject: "mail", detail: { letters }, ...(reason === undefined ? {} : { reason }) };
  await commit(ctx.store, [record(ctx, { actor, action: "mail.retried", ...about })]);
  return letters;
}
