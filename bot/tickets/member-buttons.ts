import { spend } from "@/core/limits";
import { closeTicket, rateTicket, reopenTicket } from "@/domain/tickets/change";
import { type Ticket, ticketById } from "@/domain/tickets/queries";
import { memberTranscript } from "@/domain/tickets/transcript";
import type { Desk, Press, Reply } from "../interactions/command-types";
import { holdsRole } from "../interactions/holds-role";
import { notYours } from "../interactions/refusals";
import { ask, offer } from "./asking";
import { questionForm } from "./forms";
import { transcriptFile } from "./transcript";
import { closed, reopened } from "./messages";

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
      await spend(desk.ctx, desk.limits.ticket, asked.user.id);
      await reopenTicket(desk.ctx, ticket, asked.user.id);
      return { content: reopened(ticket) };
    },
  },
  "ticket-transcript": {
    async pressed(desk, { user }, [id = ""]) {
      const ticket = await ticketById(desk.ctx, id);
      return ticket?.discordUserId === user.id ? ownTranscript(desk, ticket) : notForYou;
    },
  },
  "ticket-stars": {
    async pressed({ ctx, limits }, { user }, [id = "", given = ""]) {
      const [ticket, stars] = [await ticketById(ctx, id), Number(given)];
      if (!ticket || ticket.discordUserId !== user.id || !/^[1-5]$/.test(given)) return notForYou;
      await spend(ctx, limits.ticket, user.id);
      await rateTicket(ctx, ticket, stars);
      return { content: `Thank you for the ${"★".repeat(stars)}.` };
    },
  },
};

/** What was said, for its member, who needs no account on the site to have it. */
export async function ownTranscript({ ctx, limits }: Desk, ticket: Ticket): Promise<Reply> {
  await spend(ctx, limits.transcript, ticket.discordUserId);
  const file = transcriptFile(await memberTranscript(ctx, ticket), "member");
  return {
    content: `All that was said in ticket #${ticket.number}, for you to read and to save.`,
    files: [file],
  };
}

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
