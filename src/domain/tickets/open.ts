import { sql } from "drizzle-orm";
import { audit } from "@/core/audit";
import { commit, isDuplicate, type Write } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import { failpoint } from "@/core/failpoints";
import { jobOf, post } from "@/core/outbox";
import { Refusal } from "@/core/refusal";
import { linkStateOf } from "../community/links";
import { tickets } from "../schema/tickets";

/** Work on this topic makes Discord look as a ticket's row says. */
export const keepTopic = "ticket.keep";

export const keep = (ctx: Ctx, ticketId: string): Write => post(ctx, { topic: keepTopic, subject: ticketId });

/** Whether what has to be done at Discord for a ticket was tried and failed; it is tried again. */
export async function isHeldUp(ctx: Ctx, ticketId: string): Promise<boolean> {
  const job = await jobOf(ctx, keepTopic, ticketId);
  return job !== null && job.attempts > 0;
}

export type Asked = { topic: string; member: { id: string; name: string }; question: string };

/**
 * Opens a ticket; the thread and the staff's card come by the outbox. Refuses with `ticket_open` while the
 * member has one about the same topic, however many ask at once.
 */
export async function openTicket(ctx: Ctx, { topic, member, question }: Asked): Promise<string> {
  const id = newId();
  const now = ctx.now();
  const standing = await linkStateOf(ctx, member.id);
  const accountId = standing?.link.accountId ?? null;
  try {
    await commit(ctx.store, [
      ctx.store.db.insert(tickets).values({
        id,
        // read within the commit, so that no two are alike
        number: sql`(SELECT coalesce(max(number), 0) + 1 FROM tickets)`,
        topic,
        discordUserId: member.id,
        memberName: member.name.slice(0, 100).toWellFormed(),
        accountId,
        question,
        openedAt: now,
        waitingSince: now,
      }),
      keep(ctx, id),
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
