import { sql } from "drizzle-orm";
import { audit } from "@/core/audit";
import { commit, isDuplicate, type Write } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import { failpoint } from "@/core/failpoints";
import { jobOf, post } from "@/core/outbox";
import { Refusal } from "@/core/refusal";
import { linkStateOf } from "../community/links";
import { tickets } from "../schema/tickets";

/** Jobs on this topic bring Discord in line with a ticket's row. */
export const syncTopic = "ticket.keep";

export const requestSync = (ctx: Ctx, ticketId: string): Write =>
  post(ctx, { topic: syncTopic, subject: ticketId });

/** Whether an attempt to sync the ticket has failed; it will be retried. */
export async function isHeldUp(ctx: Ctx, ticketId: string): Promise<boolean> {
  const job = await jobOf(ctx, syncTopic, ticketId);
  return job !== null && job.attempts > 0;
}

export type Opening = { topic: string; member: { id: string; name: string }; question: string };

/**
 * Opens a ticket; the outbox makes its thread and its staff card. Refuses with `ticket_open` while the member has
 * an open ticket about the same topic.
 */
export async function openTicket(ctx: Ctx, { topic, member, question }: Opening): Promise<string> {
  const id = newId();
  const now = ctx.now();
  const found = await linkStateOf(ctx, member.id);
  const accountId = found?.link.accountId ?? null;
  try {
    await commit(ctx.store, [
      ctx.store.db.insert(tickets).values({
        id,
        // read within the commit, so that numbers are unique
        number: sql`(SELECT coalesce(max(number), 0) + 1 FROM tickets)`,
        topic,
        discordUserId: member.id,
        memberName: member.name.slice(0, 100).toWellFormed(),
        accountId,
        question,
        openedAt: now,
        waitingSince: now,
      }),
      requestSync(ctx, id),
      audit(ctx, { actor: `discord:${member.id}`, action: "ticket.opened", subject: id, accountId }),
    ]);
  } catch (error) {
    if (isDuplicate(error, "tickets.discord_user_id")) throw new Refusal("ticket_open");
    throw error;
  }
  failpoint("ticket.stored");
  ctx.wake();
  return id;
}
