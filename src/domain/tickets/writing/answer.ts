import type { Staff } from "@/core/base/actor";
import { commit } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { authorize } from "../../permissions";
import type { Ticket } from "../reading/queries";
import { postInThread } from "../reading/thread";

/**
 * Queues an answer that the bot posts in the ticket's thread. Resolves to its idempotency key, for `sentencePosting`.
 * Refuses with `ticket_closed`.
 */
export async function answerTicket(
  ctx: Ctx,
  ticket: Ticket,
  { staff, text }: { staff: Staff; text: string },
): Promise<string> {
  authorize(staff, "ticket.answer");
  if (ticket.state === "closed") throw new Refusal("ticket_closed");
  const what = newId();
  await commit(ctx.store, [postInThread(ctx, ticket.id, { what, text })]);
  return what;
}
