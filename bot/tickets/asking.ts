import { type ModalSubmitInteraction, PermissionFlagsBits, type RepliableInteraction } from "discord.js";
import { brand } from "@/brand/brand";
import { spend } from "@/core/limits";
import { openTicketOf, type Ticket, ticketById } from "@/domain/tickets/queries";
import { isHeldUp, openTicket } from "@/domain/tickets/open";
import type { Desk, Reply } from "../interactions/command-types";
import { notYours } from "../interactions/refusals";
import { typed } from "./forms";
import { commonAnswers, isTopic } from "./messages";

/** How long somebody who asked is kept waiting for their thread's address. */
const patienceMilliseconds = 5_000;

/** The answers to common questions about a topic and the way to a person; or the ticket that is open about it. */
export async function offer(desk: Desk, asked: RepliableInteraction, topic: string): Promise<Reply> {
  if (!isTopic(topic)) return gone;
  if (cantSeeThreads(desk, asked)) return hidden;
  const open = await openTicketOf(desk.ctx, asked.user.id, topic);
  return open ? openAlready(open) : commonAnswers(topic, asked.user.id);
}

/** Opens a ticket with what was typed, and tells where it goes on. */
export async function ask(
  desk: Desk,
  form: ModalSubmitInteraction,
  [topic = "", memberId = ""]: string[],
): Promise<Reply> {
  const { ctx } = desk;
  if (memberId !== form.user.id) return { content: notYours };
  if (!isTopic(topic)) return gone;
  if (cantSeeThreads(desk, form)) return hidden;
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
    if (performance.now() > deadline || (await isHeldUp(ctx, id))) return noted(ticket);
    await Bun.sleep(50);
  }
}

/** A thread is seen by who sees the channel that it is in. */
function cantSeeThreads({ config }: Desk, asked: RepliableInteraction): boolean {
  if (!asked.inCachedGuild()) return false;
  const channel = asked.guild.channels.cache.get(config.supportChannelId);
  return channel?.permissionsFor(asked.member).has(PermissionFlagsBits.ViewChannel) === false;
}

const gone: Reply = { content: "That topic is no longer there." };

const hidden: Reply = {
  content: `A ticket is a thread of the support channel, which you can't see in this server. Please write to ${brand.supportEmail}.`,
};

const openAlready = ({ number, threadId }: Ticket): Reply => ({
  content: threadId
    ? `You have a ticket about that open already: <#${threadId}>. Write there, and you'll be answered.`
    : `Your ticket #${number} about that is noted and our team sees it; its thread is still to be opened.`,
});

const noted = (ticket: Ticket | null): Reply => ({
  content: `Your ticket${ticket ? ` #${ticket.number}` : ""} is noted and our team sees it. Its thread can't be opened right now and appears by itself as soon as it can. If it is urgent, write to ${brand.supportEmail}.`,
});
