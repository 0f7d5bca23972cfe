import { Command } from "commander";
import { brand } from "@/brand/brand";
import { cleaned } from "@/contract/vocabulary/typed-text";
import { lowerWord, turnWords } from "@/contract/vocabulary/state-words";
import { maxMessageLength } from "@/contract/vocabulary/bounds";
import { operator } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { ticketOperations } from "@/domain/operations/tickets";
import { openPage, transcriptForStaff } from "@/domain/tickets/reading/for-staff";
import { topicName } from "@/domain/tickets/reading/topics";
import { answerOnSite } from "@/domain/tickets/writing/write";
import { positiveNumber, ticketNumber } from "../terminal/arguments";
import { print, withJson, withShop } from "../terminal/command-line";
import { addOperation, subjects } from "../terminal/operation-command";
import { writeOut } from "../terminal/output";
import { stamp, table } from "../terminal/table";

/** `shop tickets …`, for a shop whose staff is not in Discord. */
export function ticketCommand(): Command {
  const noun = new Command("tickets").description("customers' questions to support");
  withJson(noun.command("list"), "tickets list")
    .description("open tickets, those that wait for an answer first")
    .option("--page <number>", "which page", positiveNumber, 1)
    .action(({ page, json }: { page: number; json?: boolean }) =>
      withShop(({ ctx }) => list(ctx, page, json)),
    );
  withJson(noun.command("show"), "tickets show 12")
    .argument("<number>", "the ticket's number", ticketNumber)
    .description("the whole conversation, with staff's notes")
    .action((number: number, { json }: { json?: boolean }) => withShop(({ ctx }) => show(ctx, number, json)));
  withJson(
    noun.command("answer"),
    'tickets answer 12 "Please try the new release."',
    "tickets answer 12 - < answer.txt",
  )
    .argument("<number>", "the ticket's number", ticketNumber)
    .argument("<text>", "what the customer reads; - reads it from standard input")
    .description("answer a ticket; the customer reads it on its page and in its thread, if it has one")
    .action((number: number, text: string, { json }: { json?: boolean }) => answer(number, text, json));
  addOperation(noun, ticketOperations.closeTicket, {
    description: "close a ticket; the customer reads the reason",
    examples: ['tickets close 12 --reason "solved by the new release"'],
    output: ({ subject: { number } }) => ({
      data: { number, state: "closed" },
      sentence: `Ticket #${number} is closed.`,
    }),
  });
  return noun;
}

async function list(ctx: Ctx, wanted: number, json: boolean | undefined): Promise<void> {
  const { tickets, page, pages } = await openPage(ctx, operator, wanted);
  const output = tickets.map((ticket) => ({
    number: ticket.number,
    topic: topicName(ticket.topic),
    waiting_for: ticket.waitingFor,
    since: ticket.waitingSince,
    customer: ticket.memberName,
    via: ticket.via,
  }));
  const rows = output.map((one) => [
    one.number,
    one.topic,
    lowerWord(turnWords[one.waiting_for === "staff" ? "staff" : "customer"]),
    stamp(one.since),
    one.customer,
    one.via === "site" ? "website" : "Discord",
  ]);
  const headings = ["number", "topic", "waits for", "since (UTC)", "customer", "opened"];
  const more = pages > 1 ? `\nPage ${page} of ${pages}` : "";
  print(json, output, rows.length > 0 ? table(headings, rows) + more : "No ticket is open.");
}

async function show(ctx: Ctx, number: number, json: boolean | undefined): Promise<void> {
  const ticket = await subjects.ticket.find(ctx, number);
  if (json)
    return console.log(
      JSON.stringify({ number, text: await Array.fromAsync(transcriptForStaff(ctx, operator, ticket)) }),
    );
  for await (const piece of transcriptForStaff(ctx, operator, ticket)) await writeOut(`${cleaned(piece)}\n`);
}

async function answer(number: number, typed: string, json: boolean | undefined): Promise<void> {
  const text = cleaned(typed === "-" ? await Bun.stdin.text() : typed);
  if (text === "" || text.length > maxMessageLength)
    throw new Refusal("invalid_field", { sentence: `An answer has 1 to ${maxMessageLength} characters.` });
  await withShop(async ({ ctx }) => {
    const ticket = await subjects.ticket.find(ctx, number);
    await answerOnSite(ctx, ticket, { actor: operator, name: `${brand.product} support`, text });
    print(json, { number, answered: true }, `The answer stands in ticket #${number}.`);
  });
}
