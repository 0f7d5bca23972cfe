import type { ChatInputCommandInteraction } from "discord.js";
import { memberPage, openPage, type TicketPage, ticketStatistics } from "@/domain/tickets/queries";
import { transcriptOf } from "@/domain/tickets/transcript";
import type { CommandContext, Reply } from "../interactions/command-types";
import { transcriptFile } from "./messages";
import { expectTicketMeant } from "./options";
import { ticketLine } from "./staff-card";

/** `/ticket list` */
export async function list(
  { ctx }: CommandContext,
  { options }: ChatInputCommandInteraction,
): Promise<Reply> {
  return { content: lines(await openPage(ctx, options.getInteger("page") ?? 1), "No ticket is open.") };
}

/** `/ticket find` */
export async function find(
  { ctx }: CommandContext,
  { options }: ChatInputCommandInteraction,
): Promise<Reply> {
  const { id } = options.getUser("member", true);
  const found = await memberPage(ctx, options.getInteger("page") ?? 1, id);
  return { content: lines(found, "They have had no tickets.") };
}

/** `/ticket stats` */
export async function stats({ ctx }: CommandContext): Promise<Reply> {
  const { open, waiting, opened, firstAnswerMilliseconds: wait, stars } = await ticketStatistics(ctx);
  const average = stars.average === null ? "none yet" : `${stars.average.toFixed(1)} of 5 (${stars.count})`;
  return {
    content: [
      `Open: ${open}, of which ${waiting} are waiting for us.`,
      `In the last 30 days: ${opened} opened.`,
      `Median time to the first answer: ${wait === null ? "none yet" : minutes(wait)}.`,
      `Average rating: ${average}.`,
    ].join("\n"),
  };
}

/** `/ticket transcript` */
export async function transcript(
  { ctx }: CommandContext,
  interaction: ChatInputCommandInteraction,
): Promise<Reply> {
  const found = await expectTicketMeant(ctx, interaction);
  const file = transcriptFile(await transcriptOf(ctx, found), "staff");
  return { content: `Ticket #${found.number}, notes included. For staff only.`, files: [file] };
}

/** Ten lines fit into one message, however long the names are. */
function lines({ tickets, page, pages }: TicketPage, none: string): string {
  if (tickets.length === 0) return none;
  const more = pages > 1 ? [`Page ${page} of ${pages}`] : [];
  return [...tickets.map(ticketLine), ...more].join("\n");
}

const minutes = (milliseconds: number) => {
  const whole = Math.round(milliseconds / 60_000);
  return whole < 120 ? `${whole} minutes` : `${Math.round(whole / 60)} hours`;
};
