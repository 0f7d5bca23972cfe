import {
  LabelBuilder,
  ModalBuilder,
  type ModalSubmitInteraction,
  TextInputBuilder,
  TextInputStyle,
} from "discord.js";
import { spend } from "@/core/limits";
import { Refusal } from "@/core/refusal";
import { commit } from "@/core/commit";
import { reconcile } from "@/domain/community/reconcile";
import { roleOf } from "@/domain/community/mine";
import type { Account } from "@/domain/accounts/account";
import { standingOf } from "@/domain/community/standing";
import { unbindDevice } from "@/domain/staff/by-hand";
import { accountOfDiscordUser } from "@/domain/staff/customer";
import { resendKeys } from "@/domain/staff/resend-key";
import {
  claimTicket,
  closeTicket,
  escalateTicket,
  rateTicket,
  reopenTicket,
  unclaimTicket,
} from "@/domain/tickets/change";
import { openTicketOf, type Ticket, ticketById } from "@/domain/tickets/find";
import { addNote } from "@/domain/tickets/notes";
import { openTicket } from "@/domain/tickets/open";
import type { Desk, Press, Reply } from "../asked";
import { holdsRole } from "../holds-role";
import { notYours } from "../refusals";
import { commonAnswers, isTopic, topicOf } from "./words";

/** How long somebody who asked is kept waiting for their thread's address. */
const patienceMilliseconds = 5_000;

/** Every button and form of tickets, by the first part of its custom id. */
export const ticketPresses: Record<string, Press> = {
  "ticket-topic": {
    async pressed({ ctx }, { user }, [topic = ""]) {
      if (!isTopic(topic)) return gone;
      const open = await openTicketOf(ctx, user.id, topic);
      return open ? openAlready(open) : commonAnswers(topic, user.id);
    },
  },
  "ticket-ask": { form: ([topic = "", memberId = ""]) => questionForm(topic, memberId) },
  "ticket-question": { submitted: (desk, form, parts) => ask(desk, form, parts) },
  "ticket-leave": {
    async pressed(desk, asked, [id = ""]) {
      const ticket = await mine(desk, asked, id);
      if (!ticket) return notForYou;
      const by = ticket.discordUserId === asked.user.id ? "member" : "staff";
      await closeTicket(desk.ctx, ticket, { by, actor: asked.user.id, reason: null });
      return { content: `Ticket #${ticket.number} is closed.` };
    },
  },
  "ticket-reopen": {
    async pressed(desk, asked, [id = ""]) {
      const ticket = await mine(desk, asked, id);
      if (!ticket) return notForYou;
      await reopenTicket(desk.ctx, ticket, asked.user.id);
      return { content: `Ticket #${ticket.number} is open again.` };
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
  "ticket-claim": onTicket(async ({ ctx }, ticket, staffId) => {
    await claimTicket(ctx, ticket, staffId);
    return `Ticket #${ticket.number} is yours.`;
  }),
  "ticket-unclaim": onTicket(async ({ ctx }, ticket, staffId) => {
    await unclaimTicket(ctx, ticket, staffId);
    return `Ticket #${ticket.number} is free again.`;
  }),
  "ticket-escalate": onTicket(async ({ ctx }, ticket, staffId) => {
    await escalateTicket(ctx, ticket, staffId);
    return `Ticket #${ticket.number} is escalated.`;
  }),
  "ticket-close": {
    staff: true,
    form: ([id = ""]) => textForm(`ticket-closing:${id}`, "Close the ticket", "Reason"),
  },
  "ticket-closing": {
    staff: true,
    async submitted({ ctx }, form, [id = ""]) {
      const ticket = await expectTicket(ctx, id);
      await closeTicket(ctx, ticket, { by: "staff", actor: form.user.id, reason: typed(form) });
      return { content: `Ticket #${ticket.number} is closed.` };
    },
  },
  "ticket-note": {
    staff: true,
    form: ([id = ""]) => textForm(`ticket-noting:${id}`, "A note for staff", "Note"),
  },
  "ticket-noting": {
    staff: true,
    async submitted({ ctx }, form, [id = ""]) {
      const ticket = await expectTicket(ctx, id);
      await addNote(ctx, ticket, { staffId: form.user.id, name: form.user.displayName, text: typed(form) });
      return { content: `Noted on ticket #${ticket.number}; the member doesn't see it.` };
    },
  },
  "ticket-device": onAccount(async ({ ctx }, account, by) => {
    await unbindDevice(ctx, account.id, by);
    return "The device is unbound.";
  }),
  "ticket-key": onAccount(async ({ ctx }, account, by) => {
    const count = await resendKeys(ctx, account.id, by);
    return count === 1 ? "The key is on its way by mail." : `${count} keys are on their way by mail.`;
  }),
  "ticket-role": {
    staff: true,
    async pressed({ ctx, duties }, _asked, [id = ""]) {
      const { discordUserId } = await expectTicket(ctx, id);
      await commit(ctx.store, await reconcile(ctx, duties.guild, discordUserId));
      const standing = await standingOf(ctx, discordUserId);
      const { sentence } = await roleOf(ctx, {
        id: standing?.link.accountId ?? "",
        entitled: standing?.entitled ?? false,
      });
      return { content: sentence };
    },
  },
};

const gone: Reply = { content: "That topic is no longer there." };
const notForYou: Reply = { content: notYours };

const openAlready = ({ number, threadId }: Ticket): Reply => ({
  content: threadId
    ? `You have a ticket about that open already: <#${threadId}>. Write there, and you'll be answered.`
    : `Your ticket #${number} about that is being opened right now.`,
});

async function ask(
  desk: Desk,
  form: ModalSubmitInteraction,
  [topic = "", memberId = ""]: string[],
): Promise<Reply> {
  const { ctx } = desk;
  if (memberId !== form.user.id) return notForYou;
  if (!isTopic(topic)) return gone;
  const member = { id: form.user.id, name: form.user.displayName };
  const open = await openTicketOf(ctx, member.id, topic);
  if (open) return openAlready(open);
  await spend(ctx, desk.limits.ticket, member.id);
  const id = await openTicket(ctx, { topic, member, question: typed(form) });
  const deadline = performance.now() + patienceMilliseconds;
  for (;;) {
    const ticket = await ticketById(ctx, id);
    if (ticket?.greetingId && ticket.threadId)
      return { content: `Your ticket is open: <#${ticket.threadId}>` };
    if (performance.now() > deadline) {
      return { content: "Your ticket is noted. A thread for it appears here in a moment." };
    }
    await Bun.sleep(50);
  }
}

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

async function expectTicket(ctx: Desk["ctx"], id: string): Promise<Ticket> {
  const ticket = await ticketById(ctx, id);
  if (!ticket) throw new Refusal("ticket_unknown");
  return ticket;
}

function onTicket(act: (desk: Desk, ticket: Ticket, staffId: string) => Promise<string>): Press {
  return {
    staff: true,
    pressed: async (desk, asked, [id = ""]) => ({
      content: await act(desk, await expectTicket(desk.ctx, id), asked.user.id),
    }),
  };
}

function onAccount(
  act: (desk: Desk, account: Account, by: { actor: string; reason: string }) => Promise<string>,
): Press {
  return onTicket(async (desk, ticket, staffId) => {
    const account = await accountOfDiscordUser(desk.ctx, ticket.discordUserId);
    if (!account) return "No account is connected to that member.";
    return act(desk, account, { actor: `discord:${staffId}`, reason: `ticket #${ticket.number}` });
  });
}

function questionForm(topic: string, memberId: string): ModalBuilder {
  const { name, ask: question } = topicOf(topic);
  return form(`ticket-question:${topic}:${memberId}`, name, { label: question, most: 1_000 });
}

const textForm = (customId: string, title: string, label: string) =>
  form(customId, title, { label, most: 300 });

function form(
  customId: string,
  title: string,
  { label, most }: { label: string; most: number },
): ModalBuilder {
  const input = new TextInputBuilder()
    .setCustomId("text")
    .setStyle(TextInputStyle.Paragraph)
    .setMinLength(3)
    .setMaxLength(most);
  return new ModalBuilder()
    .setCustomId(customId)
    .setTitle(title)
    .addLabelComponents(new LabelBuilder().setLabel(label.slice(0, 45)).setTextInputComponent(input));
}

const typed = (form: ModalSubmitInteraction): string => form.fields.getTextInputValue("text");
