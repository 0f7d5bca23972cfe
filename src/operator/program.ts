import { Command } from "commander";
import { accountVerbs } from "./accounts";
import { backupsVerb, backupVerb } from "./backup";
import { auditVerbs, outboxVerbs } from "./books";
import { buildVerbs } from "./builds";
import { changelogVerbs } from "./changelog";
import { doctorVerb } from "./doctor";
import { exportVerb } from "./export";
import { importVerbs } from "./import";
import { licenceVerbs } from "./licences";
import { linkVerbs } from "./links";
import { paymentVerbs } from "./payments";
import { releaseVerbs } from "./releases";
import { restoreVerb } from "./restore";
import { settingsVerb } from "./settings";
import { statsVerb } from "./stats";

/** How a command ends, for scripts. */
export const exits = { refused: 1, mistyped: 2 } as const;

const ends =
  "\nEnds with 0 when done, 1 when refused (nothing was changed), 2 when mistyped, 3 when something was found wrong.";

/** `bun run shop <noun> <verb>`: what the operator does by hand, beside a running shop or without one. */
export function shopProgram(): Command {
  const program = new Command("shop")
    .description("Runs the shop's affairs from the command line. Every change needs a --reason.")
    .addHelpText("afterAll", ends);
  const verbs = [
    licenceVerbs(),
    accountVerbs(),
    paymentVerbs(),
    linkVerbs(),
    releaseVerbs(),
    changelogVerbs(),
    buildVerbs(),
    outboxVerbs(),
    auditVerbs(),
    statsVerb(),
    importVerbs(),
    exportVerb(),
    backupVerb(),
    backupsVerb(),
    restoreVerb(),
    doctorVerb(),
    settingsVerb(),
  ];
  for (const verb of verbs) program.addCommand(verb);
  settle(program);
  return program;
}

/** Every verb tells what it takes when it is mistyped, and leaves ending the process to its caller. */
function settle(command: Command): void {
  command.exitOverride().showHelpAfterError("(add --help for what it takes)");
  command.commands.forEach(settle);
}
