import type { Actor } from "@/core/actor";
import { record } from "@/core/audit";
import { commit } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { retryFailing } from "@/core/outbox";
import { expectNoCopy } from "@/core/restored-copy";
import { authorize } from "../permissions";
import { sendUnsent } from "./unsent";

/**
 * Sends again what the mail server refused until it was given up, and has what still waits tried now. Resolves to how
 * many letters. Refuses with `copy` on a restored copy.
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
