import { ButtonStyle, TimestampStyles, time } from "discord.js";
import { lowerWord, ticketWords, turnWords } from "@/contract/vocabulary/state-words";
import type { By, DiscordStaff } from "@/core/base/actor";
import type { Account } from "@/domain/accounts/sessions/account";
import { syncRole } from "@/domain/discord/sync-role";
import { accountOfTicket } from "@/domain/customers/find";
import type { TicketSurroundings } from "@/domain/customers/for-staff";
import { unbindDevice } from "@/domain/devices/remove";
import { resendKeys } from "@/domain/licences/keys/resend-key";
import type { Permission } from "@/domain/permissions";
import { closeTicket } from "@/domain/tickets/writing/change";
import { claimTicket, escalateTicket, unclaimTicket } from "@/domain/tickets/writing/claims";
import { addNote } from "@/domain/tickets/writing/notes";
import { isUnread } from "@/domain/tickets/writing/answered";
import { expectTicket, type Ticket } from "@/domain/tickets/reading/queries";
import { topicOf } from "@/domain/tickets/reading/topics";
import type { Message } from "../discord/posts";
import type { CommandContext, ComponentHandler } from "../interactions/command-types";
import { staffOf } from "../interactions/actor";
import {
  button,
  closingForm,
  newEmbed,
  type Row,
  row,
  textForm,
  typedText,
  typedNote,
} from "../interactions/components";
import { customerCard, refundableLines } from "../interactions/customer-card";
import { inert, quoted } from "../interactions/markdown";
import { closedText } from "./messages";
import { decisionButtons, refundButton, refundLine } from "./refund-components";

export function staffCard(ticket: Ticket, { customer, earlier, refunds }: TicketSurroundings): Message {
  const embed = customer
    ? customerCard(customer, refunds ? refundableLines(customer) : undefined)
    : newEmbed().setTitle("No account connected");
  embed.setAuthor({ name: `#${ticket.number} · ${topicOf(ticket.topic).name} · ${ticketState(ticket)}` });
  embed.setDescription(quoted(shorten(ticket.question)));
  embed.addFields(
    customerField(ticket),
    { name: "Thread", value: ticket.threadId ? `<#${ticket.threadId}>` : "None", inline: true },
    { name: "Claimed by", value: claimedLine(ticket), inline: true },
    { name: "Earlier tickets", value: earlierLines(earlier) },
  );
  if (ticket.answeredAt)
    embed.addFields({ name: "Answer read on the website", value: readLine(ticket), inline: true });
  if (ticket.stars !== null && ticket.ratingComment !== null)
    embed.addFields({ name: "★".repeat(ticket.stars), value: quoted(ticket.ratingComment.slice(0, 900)) });
  if (ticket.closeReason)
    embed.addFields({ name: "Closed because", value: quoted(ticket.closeReason.slice(0, 900)) });
  const newest = refunds?.newest ?? null;
  if (newest) embed.addFields({ name: "Refund", value: refundLine(newest) });
  const refund = refunds && customer?.payment ? [refundButton(ticket.id, customer.refundable)] : [];
  return {
    embeds: [embed],
    components: [...cardButtons(ticket, { known: customer !== null, refund }), ...decisionButtons(newest)],
  };
}

/** A whole embed has at most 6,000 characters. */
const mostOfAQuestion = 1_000;
const shorten = (text: string) =>
  text.length > mostOfAQuestion ? `${text.slice(0, mostOfAQuestion).toWellFormed()} …` : text;

function customerField({ via, discordUserId, memberName }: Ticket) {
  const member = discordUserId === null ? "" : `<@${discordUserId}> `;
  const [name, where] = via === "site" ? ["Customer", " (website)"] : ["Member", ""];
  return { name, value: `${member}${inert(memberName)}${where}`, inline: true };
}

/** Staff claim a ticket here, or on the desk. */
function claimedLine({ claimedBy }: Ticket): string {
  if (claimedBy === null) return "Nobody";
  return /^\d+$/.test(claimedBy) ? `<@${claimedBy}>` : "A colleague on the desk";
}

const readLine = ({ answeredAt, viewedAt }: Ticket): string =>
  isUnread({ answeredAt, viewedAt }) || !viewedAt
    ? "Not yet"
    : `Yes, ${time(viewedAt, TimestampStyles.RelativeTime)}`;

type Buttons = ReturnType<typeof button>[];

function cardButtons(ticket: Ticket, { known, refund }: { known: boolean; refund: Buttons }): Row[] {
  const actionButton = (action: string, label: string, style?: Parameters<typeof button>[2]) =>
    button(`ticket-${action}:${ticket.id}`, label, style);
  if (ticket.state === "closed") return [];
  const own = ticket.claimedBy
    ? actionButton("unclaim", "Unclaim")
    : actionButton("claim", "Claim", ButtonStyle.Primary);
  const tools = [
    actionButton("device", "Reset device"),
    actionButton("key", "Resend key"),
    actionButton("role", "Resync role"),
    ...refund,
  ];
  return [
    row([
      own,
      actionButton("close", "Close", ButtonStyle.Danger),
      actionButton("escalate", "Escalate"),
      actionButton("note", "Note"),
    ]),
    ...(known ? [row(tools)] : []),
  ];
}

/** A ticket's state in a word or two. */
function ticketState(ticket: Ticket): string {
  if (ticket.state === "closed") return lowerWord(ticketWords.closed);
  const waiting = `waits for ${ticket.waitingFor === "staff" ? lowerWord(turnWords.staff) : "the member"}`;
  return ticket.escalatedAt ? `escalated, ${waiting}` : waiting;
}

export const ticketLine = (ticket: Ticket): string =>
  `**#${ticket.number}** ${topicOf(ticket.topic).name}, ${ticketState(ticket)}, ${time(ticket.openedAt, TimestampStyles.RelativeTime)}, ${inert(ticket.memberName.slice(0, 40).toWellFormed())}${ticket.threadId ? ` <#${ticket.threadId}>` : ""}`;

const earlierLines = (earlier: Ticket[]): string =>
  earlier.length === 0
    ? "None"
    : earlier
        .slice(0, 5)
        .map(
          ({ number, topic, state }) => `#${number} ${topicOf(topic).name}, ${lowerWord(ticketWords[state])}`,
        )
        .join("\n");

/** The card's buttons and their forms. */
export const staffComponents: Record<string, ComponentHandler> = {
  "ticket-claim": onTicket("ticket.claim", async ({ ctx }, ticket, staff) => {
    await claimTicket(ctx, ticket, staff);
    return `Ticket #${ticket.number} is yours.`;
  }),
  "ticket-unclaim": onTicket("ticket.unclaim", async ({ ctx }, ticket, staff) => {
    await unclaimTicket(ctx, ticket, staff);
    return `Ticket #${ticket.number} is unassigned.`;
  }),
  "ticket-escalate": onTicket("ticket.escalate", async ({ ctx }, ticket, staff) => {
    await escalateTicket(ctx, ticket, staff);
    return `Ticket #${ticket.number} is escalated.`;
  }),
  "ticket-close": {
    operation: "ticket.close",
    form: ([id = ""]) =>
      closingForm(`ticket-closing:${id}`, "Close the ticket", {
        text: "Reason",
        textSays: "The customer reads this.",
        note: "Note",
        noteSays: "For staff only. The customer can't see it.",
      }),
  },
  "ticket-closing": {
    operation: "ticket.close",
    async submitted({ ctx, config }, form, [id = ""]) {
      const ticket = await expectTicket(ctx, id);
      const staff = await staffOf({ ctx, config }, form);
      const note = typedNote(form);
      await closeTicket(ctx, ticket, {
        actor: staff,
        reason: typedText(form),
        ...(note === "" ? {} : { note: { staff, name: form.user.displayName, text: note } }),
      });
      return { content: closedText(ticket) };
    },
  },
  "ticket-note": {
    operation: "ticket.note",
    form: ([id = ""]) => textForm(`ticket-noting:${id}`, "A note for staff", "Note"),
  },
  "ticket-noting": {
    operation: "ticket.note",
    async submitted({ ctx, config }, form, [id = ""]) {
      const ticket = await expectTicket(ctx, id);
      await addNote(ctx, ticket, {
        staff: await staffOf({ ctx, config }, form),
        name: form.user.displayName,
        text: typedText(form),
      });
      return { content: `Added a note to ticket #${ticket.number}; the member can't see it.` };
    },
  },
  "ticket-device": onAccount("device.unbind", async ({ ctx }, account, by) => {
    await unbindDevice(ctx, account.id, by);
    return "The device was reset.";
  }),
  "ticket-key": onAccount("licence.resend_key", async ({ ctx }, account, by) => {
    const count = await resendKeys(ctx, account.id, by);
    return count === 1 ? "The key is on its way by email." : `${count} keys are on their way by email.`;
  }),
  "ticket-role": {
    operation: "discord.sync_role",
    async pressed({ ctx, config, reconcile }, interaction, [id = ""]) {
      const { discordUserId } = await expectTicket(ctx, id);
      if (discordUserId === null) return { content: "That customer hasn't connected a Discord account." };
      const actor = await staffOf({ ctx, config }, interaction);
      const { sentence } = await syncRole(ctx, reconcile, discordUserId, { actor, ticketId: id });
      return { content: sentence };
    },
  },
};

function onTicket(
  operation: Permission,
  act: (context: CommandContext, ticket: Ticket, staff: DiscordStaff) => Promise<string>,
): ComponentHandler {
  return {
    operation,
    pressed: async (context, interaction, [id = ""]) => ({
      content: await act(context, await expectTicket(context.ctx, id), await staffOf(context, interaction)),
    }),
  };
}

function onAccount(
  operation: Permission,
  act: (context: CommandContext, account: Account, by: By) => Promise<string>,
): ComponentHandler {
  return onTicket(operation, async (context, ticket, staff) => {
    const account = await accountOfTicket(context.ctx, ticket);
    if (!account) return "That member has no connected account.";
    return act(context, account, { actor: staff, reason: `ticket #${ticket.number}` });
  });
}
