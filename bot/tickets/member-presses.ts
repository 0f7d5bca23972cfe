import { closeTicket, rateTicket, reopenTicket } from "@/domain/tickets/change";
import { type Ticket, ticketById } from "@/domain/tickets/find";
import type { Desk, Press, Reply } from "../asked";
import { holdsRole } from "../holds-role";
import { notYours } from "../refusals";
import { ask, offer } from "./asking";
import { questionForm } from "./forms";
import { closed, reopened } from "./words";

/** What members press; some of it staff may press for them. */
export const memberPresses: Record<string, Press> = {
  "ticket-topic": { pressed: (desk, asked, [topic = ""]) => offer(desk, asked, topic) },
  "ticket-ask": { form: ([topic = "", memberId = ""]) => questionForm(topic, memberId) },
  "ticket-question": { submitted: (desk, form, parts) => ask(desk, form, parts) },
  "ticket-leave": {
    async pressed(desk, asked, [id = ""]) {
      const ticket = await mine(desk, asked, id);
      if (!ticket) return notForYou;
      const by = ticket.discordUserId === asked.user.id ? "member" : "staff";
      await closeTicket(desk.ctx, ticket, { by, actor: asked.user.id, reason: null });
      return { content: closed(ticket) };
    },
  },
  "ticket-reopen": {
    async pressed(desk, asked, [id = ""]) {
      const ticket = await mine(desk, asked, id);
      if (!ticket) return notForYou;
      await reopenTicket(desk.ctx, ticket, asked.user.id);
      return { content: reopened(ticket) };
    },
  },
  "ticket-stars": {
    async pressed({ ctx }, { user }, [id = "", given = ""]) {
      const [ticket, stars] = [await ticketById(ctx, id), Number(given)];
      if (!ticket || ticket.discordUserId !== user.id || !/^[1-5]$/.test(given)) return notForYou;
      await rateTicket(ctx, ticket, stars);
      return { content: `Thank you for the ${"★".repeat(stars)}.` };
    },
  },
};

const notForYou: Reply = { content: notYours };

/** A ticket that this person may close or open again: its member, and staff. */
async function mine(
  { ctx, config }: Desk,
  asked: Parameters<typeof holdsRole>[0],
  id: string,
): Promise<Ticket | null> {
  const ticket = await ticketById(ctx, id);
  if (!ticket) return null;
  return ticket.discordUserId === asked.user.id || holdsRole(asked, config.supportRoleId) ? ticket : null;
}
