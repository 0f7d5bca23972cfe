import { Command } from "commander";
import { ConfigError } from "@/core/config";
import { Refusal } from "@/core/refusal";
import { buildVerbs } from "./builds";
import { changelogVerbs } from "./changelog";
import { releaseVerbs } from "./releases";
import { sentenceOf } from "./sentences";

/** `bun run shop <noun> <verb>`: what the operator does by hand, beside a running shop or without one. */
const program = new Command("shop")
  .description("Runs the shop's affairs from the command line. Every change needs a --reason.")
  .showHelpAfterError("(add --help for what it takes)");
for (const noun of [releaseVerbs(), changelogVerbs(), buildVerbs()]) program.addCommand(noun);

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof Refusal) && !(error instanceof ConfigError)) throw error;
  const sentence = error instanceof Refusal ? sentenceOf(error) : error.message;
  const code = error instanceof Refusal ? error.code : "configuration";
  console.error(process.argv.includes("--json") ? JSON.stringify({ error: { code, sentence } }) : sentence);
  process.exitCode = 1;
}
