import { type ModalSubmitInteraction, PermissionFlagsBits, type RepliableInteraction } from "discord.js";
import { brand } from "@/brand/brand";
import { type Actor, member } from "@/core/base/actor";
import { spend, spendUnlessRefused } from "@/core/limits/limits";
import { takeTurn } from "@/core/limits/turns";
import { may } from "@/domain/permissions";
import { maxOpenTickets } from "@/contract/vocabulary/bounds";
import { ratingBody } from "@/contract/wire/tickets";
import { closeTicket, rateTicket, reopenTicket } from "@/domain/tickets/writing/change";
import { openTicket } from "@/domain/tickets/writing/open";
import { openTicketsOf, type Ticket, ticketById } from "@/domain/tickets/reading/queries";
import { isSyncFailing } from "@/domain/tickets/reading/thread";
import { isTopic, topicOf } from "@/domain/tickets/reading/topics";
import { transcript } from "@/domain/tickets/reading/transcript";
import { staffOf } from "../interactions/actor";
import { textForm, typedText } from "../interactions/components";
import type { CommandContext, ComponentHandler, Reply } from "../interactions/command-types";
import { notYours } from "../interactions/refusals";
import { closedText, commonAnswers, ratingReply, reopenedText, transcriptFile } from "./messages";

const longestQuestion = 1_000;
const longestComment = 1_000;

/** Buttons and forms for members. Staff may use some of them on a member's behalf. */
export const memberComponents: Record<string, ComponentHandler> = {
  "ticket-topic": {
    pressed: (context, interaction, [topic = ""]) => ticketOfferReply(context, interaction, topic),
  },
  "ticket-ask": {
    form([topic = "", memberId = ""]) {
      const { name, ask: question } = topicOf(topic);
      return textForm(`ticket-question:${topic}:${memberId}`, name, question, longestQuestion);
    },
  },
  "ticket-question": { submitted: (context, form, parts) => ask(context, form, parts) },
  "ticket-leave": {
    async pressed(context, interaction, [id = ""]) {
      const ticket = await ticketById(context.ctx, id);
      const actor = ticket && (await actorOn(context, ticket, interaction));
      if (!ticket || !actor || !may(actor, "ticket.close")) return notForYou;
      await closeTicket(context.ctx, ticket, { actor, reason: null });
      return { content: closedText(ticket) };
    },
  },
  "ticket-reopen": {
    async pressed(context, interaction, [id = ""]) {
      const ticket = await ticketById(context.ctx, id);
      const actor = ticket && (await actorOn(context, ticket, interaction));
      if (!ticket || !actor || !may(actor, "ticket.reopen")) return notForYou;
      await spendUnlessRefused(context.ctx, context.limits.ticket, interaction.user.id, () =>
        reopenTicket(context.ctx, ticket, actor),
      );
      return { content: reopenedText(ticket) };
    },
  },
  "ticket-transcript": {
    async pressed(context, { user }, [id = ""]) {
      const ticket = await ticketById(context.ctx, id);
      return ticket?.discordUserId === user.id ? ownTranscript(context, ticket, user.id) : notForYou;
    },
  },
  "ticket-stars": {
    async pressed({ ctx, limits }, { user }, [id = "", given = ""]) {
      const [ticket, stars] = [await ticketById(ctx, id), Number(given)];
      if (!ticket || ticket.discordUserId !== user.id || !/^[1-5]$/.test(given)) return notForYou;
      if (ticket.state === "open") return { content: "You can rate this ticket once it's closed." };
      await spendUnlessRefused(ctx, limits.ticket, user.id, () =>
        rateTicket(ctx, ticket, { stars }, member(user.id)),
      );
      return ratingReply(id, stars);
    },
  },
  "ticket-comment": {
    form: ([id = ""]) =>
      textForm(`ticket-commented:${id}`, "Your rating", "What could be better?", longestComment),
  },
  "ticket-commented": {
    async submitted({ ctx, limits }, form, [id = ""]) {
      const { user } = form;
      const ticket = await ticketById(ctx, id);
      if (!ticket || ticket.discordUserId !== user.id || ticket.stars === null) return notForYou;
      const rating = ratingBody.safeParse({ stars: ticket.stars, comment: typedText(form) });
      if (!rating.success) return { content: "Your message was empty." };
      await spendUnlessRefused(ctx, limits.ticket, user.id, () =>
        rateTicket(ctx, ticket, rating.data, member(user.id)),
      );
      return { content: "Thank you. Our team reads every comment." };
    },
  },
};

/** The ticket's transcript for its member, who needs no account on the site. */
export async function ownTranscript(
  { ctx, limits }: CommandContext,
  ticket: Ticket,
  memberId: string,
): Promise<Reply> {
  await spend(ctx, limits.transcript, memberId);
  const end = takeTurn(ctx, `discord:${memberId}`);
  try {
    return {
      content: `The whole conversation of ticket #${ticket.number}, for you to keep.`,
      files: [await transcriptFile(ticket, transcript(ctx, ticket, "member"))],
    };
  } finally {
    end();
  }
}

const notForYou: Reply = { content: notYours };

/** Who closes or reopens a ticket: its member, or staff on their behalf. */
const actorOn = async (
  context: CommandContext,
  ticket: Ticket,
  interaction: RepliableInteraction,
): Promise<Actor> =>
  ticket.discordUserId === interaction.user.id ? member(interaction.user.id) : staffOf(context, interaction);

/** The longest that a member waits for the link to their thread. */
const timeoutMilliseconds = 5_000;

/** Shows the answers to common questions and a button to open a ticket, or the open tickets if no more are allowed. */
export async function ticketOfferReply(
  context: CommandContext,
  interaction: RepliableInteraction,
  topic: string,
): Promise<Reply> {
  if (!isTopic(topic)) return gone;
  if (cantSeeThreads(context, interaction)) return hidden;
  const open = await openTicketsOf(context.ctx, interaction.user.id);
  return open.length < maxOpenTickets ? commonAnswers(topic, interaction.user.id) : openAlready(open);
}

/** Opens a ticket with the typed question and links to its thread. */
async function ask(
  context: CommandContext,
  form: ModalSubmitInteraction,
  [topic = "", memberId = ""]: string[],
): Promise<Reply> {
  const { ctx } = context;
  if (memberId !== form.user.id) return { content: notYours };
  if (!isTopic(topic)) return gone;
  if (cantSeeThreads(context, form)) return hidden;
  const asker = { id: form.user.id, name: form.user.displayName };
  const open = await openTicketsOf(ctx, asker.id);
  if (open.length >= maxOpenTickets) return openAlready(open);
  const id = await spendUnlessRefused(ctx, context.limits.ticket, asker.id, () =>
    openTicket(ctx, { topic, member: asker, question: typedText(form) }),
  );
  const deadline = performance.now() + timeoutMilliseconds;
  for (;;) {
    const ticket = await ticketById(ctx, id);
    if (ticket?.greetingId && ticket.threadId)
      return { content: `Your ticket is open: <#${ticket.threadId}>` };
    if (performance.now() > deadline || (await isSyncFailing(ctx, id))) return notedReply(ticket);
    await Bun.sleep(50);
  }
}

/** Members see threads only in channels that they see. */
function cantSeeThreads({ config }: CommandContext, interaction: RepliableInteraction): boolean {
  if (!interaction.inCachedGuild()) return false;
  const channel = interaction.guild.channels.cache.get(config.supportChannelId);
  return channel?.permissionsFor(interaction.member).has(PermissionFlagsBits.ViewChannel) === false;
}

const gone: Reply = { content: "That topic no longer exists." };

const hidden: Reply = {
  content: `Tickets are threads in the support channel, which you can't see in this server. Please write to ${brand.supportEmail}.`,
};

const openAlready = (open: Ticket[]): Reply => ({
  content: `You already have ${open.length} open tickets: ${open.map(whereOf).join(", ")}. Please continue in one of them, and we'll answer you there.`,
});
const whereOf = ({ number, threadId }: Ticket) => (threadId ? `<#${threadId}>` : `#${number}`);

const notedReply = (ticket: Ticket | null): Reply => ({
  content: `Your ticket${ticket ? ` #${ticket.number}` : ""} is noted and our team sees it. Its thread can't be opened right now and will appear as soon as it can. If it's urgent, write to ${brand.supportEmail}.`,
});
