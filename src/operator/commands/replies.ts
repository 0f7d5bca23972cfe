import { Command } from "commander";
import { mostTyped } from "@/contract/vocabulary/bounds";
import { cleaned } from "@/contract/vocabulary/plain-words";
import { typedId } from "@/core/database/context";
import { operator } from "@/core/base/actor";
import { Refusal } from "@/core/base/refusal";
import { addReply, changeReply, removeReply, repliesForStaff } from "@/domain/tickets/reading/replies";
import { byOperator, example, print, withJson, withReason, withShop } from "../terminal/command-line";
import { table } from "../terminal/table";

type Changing = { reason: string; json?: boolean };

const aReply = (command: Command) => command.argument("<reply>", "its id in the list", typedId);

/** `shop replies …` */
export function replyCommand(): Command {
  const noun = new Command("replies").description("texts that staff answer tickets with often");
  withJson(noun.command("list"))
    .description("all of them with their ids, by name")
    .addHelpText("after", example("replies list"))
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
  withReason(noun.command("add <name> <text>"))
    .description("save a reply; - reads its text from standard input")
    .addHelpText("after", example('replies add "Refund rules" - --reason "asked daily" < refunds.txt'))
    .action((name: string, text: string, { reason, json }: Changing) =>
      withShop(async ({ ctx }) => {
        const reply = await addReply(ctx, await texts(name, text), byOperator(reason));
        print(json, reply, `The reply ${reply.name} is saved as ${reply.id}.`);
      }),
    );
  withReason(aReply(noun.command("change")))
    .argument("<name>", "its new name")
    .argument("<text>", "its new text; - reads it from standard input")
    .description("give a saved reply another name and text")
    .addHelpText(
      "after",
      example('replies change 0199a1b2-… "Refund rules" - --reason "new rules" < refunds.txt'),
    )
    .action((id: string, name: string, text: string, { reason, json }: Changing) =>
      withShop(async ({ ctx }) => {
        const reply = await changeReply(ctx, { id, ...(await texts(name, text)) }, byOperator(reason));
        print(json, reply, `The reply ${reply.name} is changed.`);
      }),
    );
  withReason(aReply(noun.command("remove")))
    .description("forget a saved reply")
    .addHelpText("after", example('replies remove 0199a1b2-… --reason "no longer true"'))
    .action((id: string, { reason, json }: Changing) =>
      withShop(async ({ ctx }) => {
        await removeReply(ctx, id, byOperator(reason));
        print(json, { id }, "The reply is forgotten.");
      }),
    );
  return noun;
}

const mostOfName = 60;

async function texts(typedName: string, typed: string): Promise<{ name: string; text: string }> {
  const name = cleaned(typedName).replaceAll("\n", " ");
  const text = cleaned(typed === "-" ? await Bun.stdin.text() : typed);
  if (name === "" || name.length > mostOfName || text === "" || text.length > mostTyped) {
    const sentence = `A reply has a name of 1 to ${mostOfName} characters and a text of 1 to ${mostTyped}.`;
    throw new Refusal("invalid_field", { sentence });
  }
  return { name, text };
}
