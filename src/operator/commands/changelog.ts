import { isoDay } from "@/contract/vocabulary/dates";
import { Command } from "commander";
import { typedId } from "@/core/database/context";
import { addNews, changelog, editEntry, removeNews } from "@/domain/releases/changelog";
import { withShop, byOperator, example, print, withJson, withReason } from "../terminal/command-line";

type Changing = { reason: string; json?: boolean };
type Words = { title?: string; content?: string };

/** `shop changelog …` */
export function changelogCommand(): Command {
  const noun = new Command("changelog").description("the changelog shown in the dashboard");
  withJson(noun.command("list"))
    .description("every entry with its id, newest first")
    .addHelpText("after", example("changelog list"))
    .action(({ json }: { json?: boolean }) =>
      withShop(async ({ ctx }) => {
        const entries = await changelog(ctx);
        const lines = entries.map(({ id, date, title }) => `${id}  ${isoDay(date)}  ${title}`);
        print(json, entries, lines.join("\n") || "The changelog is empty.");
      }),
    );
  withReason(noun.command("add"))
    .description("add an entry that doesn't belong to a release")
    .requiredOption("--title <text>", "its heading")
    .requiredOption("--content <text>", "its text; line breaks are kept")
    .addHelpText(
      "after",
      example('changelog add --title "We moved" --content "A faster server." --reason "the new host"'),
    )
    .action(({ title, content, reason, json }: Changing & Required<Words>) =>
      withShop(async ({ ctx }) => {
        const id = await addNews(ctx, { title, content }, byOperator(reason));
        print(json, { id }, `Added as ${id}.`);
      }),
    );
  withReason(noun.command("edit").argument("<id>", "its id or version in the list", typedId))
    .description("edit an entry: a release's by its version, any other by its id")
    .option("--title <text>", "another heading")
    .option("--content <text>", "another text")
    .addHelpText("after", example('changelog edit 1.2.0 --title "Faster" --reason "a typing mistake"'))
    .action((id: string, { reason, json, title, content }: Changing & Words) =>
      withShop(async ({ ctx }) => {
        const words = {
          ...(title === undefined ? {} : { title }),
          ...(content === undefined ? {} : { content }),
        };
        await editEntry(ctx, id, words, byOperator(reason));
        print(json, { id }, `${id} was changed.`);
      }),
    );
  withReason(noun.command("remove").argument("<id>", "its id in the list", typedId))
    .description("remove an entry that doesn't belong to a release")
    .addHelpText(
      "after",
      example('changelog remove 0198c1f2-7a31-7c55-9d0e-3f6a52b1c4d8 --reason "posted twice"'),
    )
    .action((id: string, { reason, json }: Changing) =>
      withShop(async ({ ctx }) => {
        await removeNews(ctx, id, byOperator(reason));
        print(json, { id }, `${id} was removed.`);
      }),
    );
  return noun;
}
