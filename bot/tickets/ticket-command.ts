import {
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandUserOption,
  ApplicationCommandOptionType as Option,
  type ChatInputCommandInteraction,
  PermissionFlagsBits,
} from "discord.js";
import { support } from "@/brand/tickets";
import { minute } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import type { Permission } from "@/domain/permissions";
import { answerTicket } from "@/domain/tickets/writing/write";
import { addGuest, closeTicket, reopenTicket, transferTicket } from "@/domain/tickets/writing/change";
import {
  memberPage,
  openPage,
  statisticsForStaff,
  type TicketPage,
  transcriptForStaff,
} from "@/domain/tickets/reading/for-staff";
import { type Statistics, type Ticket, ticketById } from "@/domain/tickets/reading/queries";
import { queuedMessageStatus } from "@/domain/tickets/reading/thread";
import { topicOf } from "@/domain/tickets/reading/topics";
import type { Command, CommandContext, Reply } from "../interactions/command-types";
import { staffOf } from "../interactions/actor";
import { forStaff, reason } from "../interactions/staff-options";
import { closedText, reopenedText, tagText, transcriptFile } from "./messages";
import { note, number, page, ticketMeant, topic } from "./options";
import { ticketLine } from "./staff-card";

type Answer = (context: CommandContext, interaction: ChatInputCommandInteraction) => Promise<Reply>;
type Subcommand = {
  operation: Permission;
  description: string;
  /** Discord wants required options first. */
  options: APIApplicationCommandBasicOption[];
  answer: Answer;
};

const member = (description: string): APIApplicationCommandUserOption => ({
  type: Option.User,
  name: "member",
  description,
  required: true,
});
const tags = new Map(Object.entries(support.tags));

const subcommands: Record<string, Subcommand> = {
  list: {
    operation: "ticket.read",
    description: "Tickets that are open, longest waiting first",
    options: [page],
    async answer({ ctx, config }, interaction) {
      const at = interaction.options.getInteger("page") ?? 1;
      return {
        content: lines(
          await openPage(ctx, await staffOf({ ctx, config }, interaction), at),
          "No ticket is open.",
        ),
      };
    },
  },
  find: {
    operation: "ticket.read",
    description: "A member's tickets",
    options: [member("Whose tickets"), page],
    async answer({ ctx, config }, interaction) {
      const { options } = interaction;
      const { id } = options.getUser("member", true);
      const found = await memberPage(
        ctx,
        await staffOf({ ctx, config }, interaction),
        options.getInteger("page") ?? 1,
        id,
      );
      return { content: lines(found, "They don't have any tickets.") };
    },
  },
  stats: {
    operation: "ticket.read",
    description: "How support is doing",
    options: [],
    answer: async ({ ctx, config }, interaction) => ({
      content: statisticsInWords(await statisticsForStaff(ctx, await staffOf({ ctx, config }, interaction))),
    }),
  },
  transcript: {
    operation: "ticket.read",
    description: "The whole conversation of a ticket, notes included",
    options: [number],
    answer: onTicket(async ({ ctx, config }, found, interaction) => ({
      content: `Ticket #${found.number}, notes included. For staff only.`,
      files: [
        await transcriptFile(
          found,
          transcriptForStaff(ctx, await staffOf({ ctx, config }, interaction), found),
        ),
      ],
    })),
  },
  close: {
    operation: "ticket.close",
    description: "Close a ticket",
    options: [{ ...reason, description: "Why; the customer reads it" }, number, note],
    answer: onTicket(async ({ ctx, config }, found, interaction) => {
      const { options, user } = interaction;
      const staff = await staffOf({ ctx, config }, interaction);
      const text = options.getString("note")?.trim();
      await closeTicket(ctx, found, {
        actor: staff,
        reason: options.getString("reason", true),
        ...(text ? { note: { staff, name: user.displayName, text } } : {}),
      });
      return { content: closedText(found) };
    }),
  },
  reopen: {
    operation: "ticket.reopen",
    description: "Reopen a ticket within a week of closing",
    options: [number],
    answer: onTicket(async ({ ctx, config }, found, interaction) => {
      await reopenTicket(ctx, found, await staffOf({ ctx, config }, interaction));
      return { content: reopenedText(found) };
    }),
  },
  transfer: {
    operation: "ticket.transfer",
    description: "Move a ticket to another topic",
    options: [topic, number],
    answer: onTicket(async ({ ctx, config }, found, interaction) => {
      const wanted = interaction.options.getString("topic", true);
      const { name } = topicOf(wanted);
      const notice = `This ticket is now about ${name}.`;
      await transferTicket(ctx, found, {
        topic: wanted,
        staff: await staffOf({ ctx, config }, interaction),
        notice,
      });
      return { content: `Ticket #${found.number} is now about ${name}.` };
    }),
  },
  add: {
    operation: "ticket.add_guest",
    description: "Add another member to a ticket",
    options: [member("Who to add"), number],
    answer: onTicket(add),
  },
  tag: {
    operation: "ticket.answer",
    description: "Post a canned answer in a ticket",
    options: [
      {
        type: Option.String,
        name: "name",
        description: "Which answer",
        required: true,
        choices: [...tags.keys()].map((name) => ({ name, value: name })),
      },
      number,
    ],
    answer: onTicket(tag),
  },
};

/** Staff look up and change tickets. */
export const ticket: Command = {
  operation: Object.fromEntries(
    Object.entries(subcommands).map(([name, { operation }]) => [name, operation]),
  ),
  data: forStaff({
    name: "ticket",
    description: "Support tickets",
    options: Object.entries(subcommands).map(([name, { description, options }]) => ({
      type: Option.Subcommand as const,
      name,
      description,
      options,
    })),
  }),
  answer: (context, interaction) =>
    subcommands[interaction.options.getSubcommand()]?.answer(context, interaction) ??
    Promise.resolve({ content: "There is no such command." }),
};

type OnTicket = (
  context: CommandContext,
  found: Ticket,
  interaction: ChatInputCommandInteraction,
) => Promise<Reply>;

/** Answers about the ticket that the command names, or whose thread it is used in; refuses with `ticket_unknown`. */
function onTicket(answer: OnTicket): Answer {
  return async (context, interaction) => {
    const found = await ticketMeant(context.ctx, interaction);
    if (!found) throw new Refusal("ticket_unknown");
    return answer(context, found, interaction);
  };
}

/** Ten lines fit into one message, however long the names are. */
function lines({ tickets, page: at, pages }: TicketPage, none: string): string {
  if (tickets.length === 0) return none;
  const more = pages > 1 ? [`Page ${at} of ${pages}`] : [];
  return [...tickets.map(ticketLine), ...more].join("\n");
}

function statisticsInWords(all: Statistics): string {
  const { open, waiting, opened, firstAnswerMilliseconds: wait, stars } = all;
  const average = stars.average === null ? "none yet" : `${stars.average.toFixed(1)} of 5 (${stars.count})`;
  return [
    `Open: ${open}, of which ${waiting} are waiting for us.`,
    `In the last 30 days: ${opened} opened.`,
    `Median time to the first answer: ${wait === null ? "none yet" : minutes(wait)}.`,
    `Average rating: ${average}.`,
  ].join("\n");
}

const minutes = (milliseconds: number) => {
  const whole = Math.round(milliseconds / minute);
  return whole < 120 ? `${whole} minutes` : `${Math.round(whole / 60)} hours`;
};

async function add(
  { ctx, config }: CommandContext,
  found: Ticket,
  interaction: ChatInputCommandInteraction,
): Promise<Reply> {
  if (found.state === "closed") throw new Refusal("ticket_closed");
  const { id } = interaction.options.getUser("member", true);
  if (!interaction.inCachedGuild()) return { content: "The server can't be reached right now." };
  const added = interaction.options.getMember("member");
  if (!added) return { content: "They aren't in this server." };
  // a guest's messages count as the member's
  if (added.roles.cache.has(config.supportRoleId))
    return { content: "They're on the support team, which can read every ticket." };
  const channel = interaction.guild.channels.cache.get(config.supportChannelId);
  if (channel?.permissionsFor(added).has(PermissionFlagsBits.ViewChannel) === false)
    return { content: "They can't see the support channel, so they can't see its threads." };
  await addGuest(ctx, found, { id, staff: await staffOf({ ctx, config }, interaction) });
  return { content: `<@${id}> can read ticket #${found.number} now.` };
}

async function tag(
  { ctx, config }: CommandContext,
  found: Ticket,
  interaction: ChatInputCommandInteraction,
): Promise<Reply> {
  if (found.state === "closed") throw new Refusal("ticket_closed");
  const text = tags.get(interaction.options.getString("name", true));
  if (text === undefined) return { content: "There is no such tag." };
  const staff = await staffOf({ ctx, config }, interaction);
  const what = await answerTicket(ctx, found, { staff, text: tagText(text, found) });
  return { content: await outcomeOfSaying(ctx, found, what) };
}

/** The longest that staff wait for the answer to be posted. */
const timeoutMilliseconds = 5_000;

/** Reports the answer as posted only once it has been. */
async function outcomeOfSaying(ctx: Ctx, { id, number: known }: Ticket, what: string): Promise<string> {
  const deadline = performance.now() + timeoutMilliseconds;
  for (;;) {
    const { waits, isFailing } = await queuedMessageStatus(ctx, id, what);
    if (!waits) break;
    if (isFailing || performance.now() > deadline)
      return `Not posted yet: the thread of ticket #${known} can't be written to right now. It will be posted as soon as it can.`;
    await Bun.sleep(50);
  }
  // a ticket closed meanwhile gets no post
  if ((await ticketById(ctx, id))?.state !== "open") throw new Refusal("ticket_closed");
  return `Posted in ticket #${known}.`;
}
