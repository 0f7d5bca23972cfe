import { Command, CommanderError } from "commander";
import { ConfigError } from "@/core/config";
import { refusalIn } from "@/core/refusal";
import { CheckoutRefused, CheckoutUnreachable } from "@/domain/payments/checkout";
import { accountVerbs } from "./accounts";
import { auditVerbs, outboxVerbs, statsVerb } from "./books";
import { backupVerb, restoreVerb } from "./backup";
import { buildVerbs } from "./builds";
import { changelogVerbs } from "./changelog";
import { doctorVerb } from "./doctor";
import { exportVerb } from "./export";
import { importVerb } from "./keys-csv";
import { licenceVerbs } from "./licences";
import { paymentVerbs } from "./payments";
import { releaseVerbs } from "./releases";
import { sentenceOf } from "./sentences";
import { settingsVerb } from "./settings";

/** How a command ends, for scripts. */
const exits = { refused: 1, mistyped: 2 } as const;

/** `bun run shop <noun> <verb>`: what the operator does by hand, beside a running shop or without one. */
const program = new Command("shop")
  .description("Runs the shop's affairs from the command line. Every change needs a --reason.")
  .addHelpText(
    "after",
    "\nEnds with 0 when done, 1 when refused (nothing was changed), 2 when mistyped, 3 when something was found wrong.",
  );
for (const verbs of [
  licenceVerbs(),
  accountVerbs(),
  paymentVerbs(),
  releaseVerbs(),
  changelogVerbs(),
  buildVerbs(),
  outboxVerbs(),
  auditVerbs(),
  statsVerb(),
  importVerb(),
  exportVerb(),
  backupVerb(),
  restoreVerb(),
  doctorVerb(),
  settingsVerb(),
]) {
  program.addCommand(verbs);
}
settle(program);

try {
  await program.parseAsync();
} catch (error) {
  end(error);
}

/** Every verb tells what it takes when it is mistyped, and leaves ending the process to this file. */
function settle(command: Command): void {
  command.exitOverride().showHelpAfterError("(add --help for what it takes)");
  command.commands.forEach(settle);
}

function end(error: unknown): void {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : exits.mistyped;
    return;
  }
  const { code, sentence } = told(error);
  console.error(process.argv.includes("--json") ? JSON.stringify({ error: { code, sentence } }) : sentence);
  process.exitCode = exits.refused;
}

/** What is refused is told in a sentence; anything else is a fault of this program, and told whole. */
function told(error: unknown): { code: string; sentence: string } {
  const refusal = refusalIn(error);
  if (refusal) return { code: refusal.code, sentence: sentenceOf(refusal) };
  if (error instanceof ConfigError) return { code: "configuration", sentence: error.message };
  if (error instanceof CheckoutRefused) return { code: "checkout_refused", sentence: error.message };
  if (error instanceof CheckoutUnreachable) {
    return { code: "checkout_unreachable", sentence: "Stripe can't be reached right now. Try again later." };
  }
  throw error;
}
