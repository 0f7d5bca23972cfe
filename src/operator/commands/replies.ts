import { Command } from "commander";
import { operator } from "@/core/base/actor";
import { ticketOperations } from "@/domain/operations/tickets";
import { repliesForStaff } from "@/domain/tickets/reading/replies";
import { print, withJson, withShop } from "../terminal/command-line";
import { addOperation } from "../terminal/operation-command";
import { table } from "../terminal/table";

/** `shop replies …` */
export function replyCommand(): Command {
  const noun = new Command("replies").description("texts that staff answer tickets with often");
  withJson(noun.command("list"), "replies list")
    .description("all of them with their ids, by name")
    .action(({ json }: { json?: boolean }) =>
      withShop(async ({ ctx }) => {
        const replies = await repliesForStaff(ctx, operator);
        const rows = replies.map(({ id, name, text }) => [id, name, text.replaceAll("\n", " ").slice(0, 60)]);
        print(
          json,
          replies,
          rows.length > 0 ? table(["id", "name", "text"], rows) : "There is no saved reply.",
        );
      }),
    );
  addOperation(noun, ticketOperations.saveReply, {
    description: "save a reply; - reads its text from standard input",
    examples: ['replies add "Refund rules" - --reason "asked daily" < refunds.txt'],
    fields: { name: "its name", text: "its text; - reads it from standard input" },
    output: ({ result: reply }) => ({
      data: reply,
      sentence: `The reply ${reply.name} is saved as ${reply.id}.`,
    }),
  });
  addOperation(noun, ticketOperations.changeReply, {
    description: "give a saved reply another name and text",
    examples: ['replies change 0199a1b2-… "Refund rules" - --reason "new rules" < refunds.txt'],
    fields: { name: "its new name", text: "its new text; - reads it from standard input" },
    output: ({ result: reply }) => ({ data: reply, sentence: `The reply ${reply.name} is changed.` }),
  });
  addOperation(noun, ticketOperations.removeReply, {
    description: "forget a saved reply",
    examples: ['replies remove 0199a1b2-… --reason "no longer true"'],
    output: () => "The reply is forgotten.",
  });
  return noun;
}
