import { isoDay } from "@/contract/vocabulary/dates";
import { Command } from "commander";
import { changelogOperations } from "@/domain/operations/products";
import { changelog } from "@/domain/releases/changelog";
import { withShop, print, withJson } from "../terminal/command-line";
import { addOperation } from "../terminal/operation-command";

/** `shop changelog …` */
export function changelogCommand(): Command {
  const noun = new Command("changelog").description("the changelog shown in the dashboard");
  withJson(noun.command("list"), "changelog list")
    .description("every entry with its id, newest first")
    .action(({ json }: { json?: boolean }) =>
      withShop(async ({ ctx }) => {
        const entries = await changelog(ctx);
        const lines = entries.map(({ id, date, title }) => `${id}  ${isoDay(date)}  ${title}`);
        print(json, entries, lines.join("\n") || "The changelog is empty.");
      }),
    );
  addOperation(noun, changelogOperations.addNews, {
    description: "add an entry that doesn't belong to a release",
    examples: ['changelog add --title "We moved" --content "A faster server." --reason "the new host"'],
    fields: { title: "its heading", content: "its text; line breaks are kept" },
    output: ({ result: id }) => ({ data: { id }, sentence: `Added as ${id}.` }),
  });
  addOperation(noun, changelogOperations.editNews, {
    description: "edit an entry: a release's by its version, any other by its id",
    examples: ['changelog edit 1.2.0 --title "Faster" --reason "a typing mistake"'],
    subject: { about: "its id or version in the list" },
    fields: { title: "another heading", content: "another text" },
    output: ({ subject: id }) => `${id} was changed.`,
  });
  addOperation(noun, changelogOperations.removeNews, {
    description: "remove an entry that doesn't belong to a release",
    examples: ['changelog remove 0198c1f2-7a31-7c55-9d0e-3f6a52b1c4d8 --reason "posted twice"'],
    output: ({ subject: id }) => `${id} was removed.`,
  });
  return noun;
}
