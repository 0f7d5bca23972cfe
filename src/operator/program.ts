import { Command } from "commander";
import { otherBun } from "@/core/bun-version";
import { ConfigError } from "@/core/config";
import { accountVerbs } from "./accounts";
import { backupsVerb, backupVerb } from "./backup";
import { announceVerbs } from "./announce";
import { auditVerbs, outboxVerbs } from "./outbox-and-audit";
import { blockVerbs } from "./blocks";
import { buildVerbs } from "./builds";
import { changelogVerbs } from "./changelog";
import { doctorVerb } from "./doctor";
import { exportVerb } from "./export";
import { importVerbs } from "./import";
import { licenceVerbs } from "./licences";
import { linkVerbs } from "./links";
import { codeVerbs } from "./codes";
import { moveVerb } from "./move";
import { offerVerbs } from "./offers";
import { paymentVerbs } from "./payments";
import { releaseVerbs } from "./releases";
import { restoreVerb } from "./restore";
import { secretVerbs } from "./secrets";
import { settingsVerb } from "./settings";
import { statsVerb } from "./stats";
import { takeOverVerb } from "./take-over";

/** Exit codes, for scripts. */
export const exits = { refused: 1, mistyped: 2 } as const;

const ends = "\nExit codes: 0 done, 1 refused (nothing was changed), 2 wrong usage, 3 a problem was found.";

/** `bun run shop <noun> <verb>`: the operator's command line. Works whether or not the shop is running. */
export function shopProgram(): Command {
  const program = new Command("shop")
    .description("Manages the shop from the command line. Every change needs a --reason.")
    .addHelpText("afterAll", ends);
  const verbs = [
    licenceVerbs(),
    accountVerbs(),
    paymentVerbs(),
    offerVerbs(),
    codeVerbs(),
    linkVerbs(),
    blockVerbs(),
    announceVerbs(),
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
    moveVerb(),
    takeOverVerb(),
    doctorVerb(),
    secretVerbs(),
    settingsVerb(),
  ];
  for (const verb of verbs) program.addCommand(verb);
  program.hook("preAction", (_, verb) => expectBun(verb));
  settle(program);
  return program;
}

/** What saves and repairs a shop must not depend on the version, and runs on any Bun that can run it. */
const onAnyBun = [
  "backup",
  "backups",
  "restore",
  "move",
  "take-over",
  "doctor",
  "secrets",
  "settings",
  "export",
];

/** Warns on another Bun than the tested one, or refuses ({@link ConfigError}). */
function expectBun(verb: Command): void {
  const other = otherBun();
  if (!other) return;
  const isRepair = onAnyBun.includes((verb.parent?.parent ? verb.parent : verb).name());
  if (!other.fits && !isRepair) throw new ConfigError(other.sentence);
  console.error(other.sentence);
}

/** Wrong usage prints a hint; exiting is left to the caller. */
function settle(command: Command): void {
  command.exitOverride().showHelpAfterError("(add --help for usage)");
  command.commands.forEach(settle);
}
