import {
  type APIApplicationCommandIntegerOption,
  ApplicationCommandOptionType as Option,
  AttachmentBuilder,
  type ChatInputCommandInteraction,
} from "discord.js";
import { support } from "@/brand/tickets";
import { commit } from "@/core/commit";
import { newId } from "@/core/context";
import { Refusal } from "@/core/refusal";
import { addGuest, transferTicket } from "@/domain/tickets/change";
import { openTickets, type Ticket, ticketByNumber, ticketsOf } from "@/domain/tickets/find";
import { say } from "@/domain/tickets/say";
import { statsOf } from "@/domain/tickets/stats";
import { transcriptOf } from "@/domain/tickets/view";
import type { Command, Desk, Reply } from "../asked";
import { forStaff } from "../commands/staff";
import { tagText, ticketLine, topicNames, topicOf } from "./words";
import { written } from "./written";

const number: APIApplicationCommandIntegerOption = {
  type: Option.Integer,
  name: "number",
  description: "The ticket's number",
  required: true,
  min_value: 1,
};
const choices = <T extends string>(values: readonly T[], nameOf: (value: T) => string) =>
  values.map((value) => ({ name: nameOf(value), value }));
const tagNames = Object.keys(support.tags) as (keyof typeof support.tags)[];

const verbs = {
  list: {
    description: "Tickets that are open, longest waiting first",
    options: [],
    answer: list,
  },
  find: {
    description: "A member's tickets",
    options: [{ type: Option.User as const, name: "member", description: "Whose", required: true }],
    answer: find,
  },
  stats: { description: "How support is doing", options: [], answer: stats },
  transcript: {
    description: "All that was said in a ticket, notes included",
    options: [number],
    answer: transcript,
  },
  transfer: {
    description: "Move a ticket to another topic",
    options: [
      number,
      {
        type: Option.String as const,
        name: "topic",
        description: "Where to",
        required: true,
        choices: choices(topicNames, (name) => topicOf(name).name),
      },
    ],
    answer: transfer,
  },
  add: {
    description: "Let another member into a ticket",
    options: [number, { type: Option.User as const, name: "member", description: "Whom", required: true }],
    answer: add,
  },
  tag: {
    description: "Post a canned answer in a ticket",
    options: [
      number,
      {
        type: Option.String as const,
        name: "name",
        description: "Which",
        required: true,
        choices: choices(tagNames, (name) => name),
      },
    ],
    answer: tag,
  },
};

/** Staff look at tickets and tend them. */
export const ticket: Command = {
  staff: true,
  data: forStaff({
    name: "ticket",
    description: "Support tickets",
    options: Object.entries(verbs).map(([name, { description, options }]) => ({
      type: Option.Subcommand as const,
      name,
      description,
      options,
    })),
  }),
  answer: (desk, asked) => verbs[asked.options.getSubcommand() as keyof typeof verbs].answer(desk, asked),
};

/** Discord's own limit on a message. */
const mostCharacters = 2_000;

async function list({ ctx }: Desk): Promise<Reply> {
  const open = (await openTickets(ctx)).toSorted(
    (one, other) =>
      one.waitingFor.localeCompare(other.waitingFor) * -1 ||
      one.waitingSince.getTime() - other.waitingSince.getTime(),
  );
  return { content: lines(open, "No ticket is open.") };
}

async function find({ ctx }: Desk, { options }: ChatInputCommandInteraction): Promise<Reply> {
  return {
    content: lines(await ticketsOf(ctx, options.getUser("member", true).id), "They have had no ticket."),
  };
}

async function stats({ ctx }: Desk): Promise<Reply> {
  const { open, waiting, opened, firstAnswerMilliseconds: wait, stars } = await statsOf(ctx);
  const average = stars.average === null ? "none yet" : `${stars.average.toFixed(1)} of 5 (${stars.count})`;
  return {
    content: [
      `Open: ${open}, of which ${waiting} wait for us.`,
      `In the last 30 days: ${opened} opened.`,
      `First answer, half of them within: ${wait === null ? "none yet" : minutes(wait)}.`,
      `Stars: ${average}.`,
    ].join("\n"),
  };
}

async function transcript({ ctx }: Desk, asked: ChatInputCommandInteraction): Promise<Reply> {
  const found = await expectTicket(ctx, asked);
  const text = written(await transcriptOf(ctx, found));
  const file = new AttachmentBuilder(Buffer.from(text), { name: `ticket-${found.number}.txt` });
  return { content: `Ticket #${found.number}, notes included. It is for staff only.`, files: [file] };
}

async function transfer({ ctx }: Desk, asked: ChatInputCommandInteraction): Promise<Reply> {
  const found = await expectTicket(ctx, asked);
  const topic = asked.options.getString("topic", true);
  await transferTicket(ctx, found, { topic, staffId: asked.user.id });
  return { content: `Ticket #${found.number} is about ${topicOf(topic).name} now.` };
}

async function add({ ctx }: Desk, asked: ChatInputCommandInteraction): Promise<Reply> {
  const found = await expectTicket(ctx, asked);
  const { id } = asked.options.getUser("member", true);
  await addGuest(ctx, found, { id, staffId: asked.user.id });
  return { content: `<@${id}> can read ticket #${found.number} now.` };
}

async function tag({ ctx }: Desk, asked: ChatInputCommandInteraction): Promise<Reply> {
  const found = await expectTicket(ctx, asked);
  if (found.state === "closed") throw new Refusal("ticket_closed");
  const name = tagNames.find((one) => one === asked.options.getString("name", true));
  if (!name) return { content: "There is no such answer." };
  const text = tagText(name, found);
  await commit(ctx.store, [say(ctx, found.id, { what: newId(), text })]);
  ctx.wake();
  return { content: `Said in ticket #${found.number}.` };
}

async function expectTicket(ctx: Desk["ctx"], { options }: ChatInputCommandInteraction): Promise<Ticket> {
  const found = await ticketByNumber(ctx, options.getInteger("number", true));
  if (!found) throw new Refusal("ticket_unknown");
  return found;
}

function lines(some: Ticket[], none: string): string {
  if (some.length === 0) return none;
  const all = some.map(ticketLine);
  const shown: string[] = [];
  for (const line of all) {
    if ([...shown, line].join("\n").length > mostCharacters - 40) break;
    shown.push(line);
  }
  const left = all.length - shown.length;
  return [...shown, ...(left > 0 ? [`… and ${left} more`] : [])].join("\n");
}

const minutes = (milliseconds: number) => {
  const whole = Math.round(milliseconds / 60_000);
  return whole < 120 ? `${whole} minutes` : `${Math.round(whole / 60)} hours`;
};
