import { Command } from "commander";
import { otherBun } from "@/core/settings/bun-version";
import { ConfigError } from "@/core/settings/config";
import { accountCommand } from "./accounts";
import { backupsVerb, backupVerb } from "./backup";
import { announceCommand } from "./announce";
import { auditCommand, mailCommand, outboxCommand } from "./outbox-and-audit";
import { blockCommand } from "./blocks";
import { buildCommand } from "./builds";
import { changelogCommand } from "./changelog";
import { deviceCommand } from "./devices";
import { doctorVerb } from "./doctor";
import { exportVerb } from "./export";
import { importCommand } from "./import";
import { jobCommand } from "./jobs";
import { keyCommand } from "./keys";
import { licenceCommand } from "./licences";
import { linkCommand } from "./links";
import { codeCommand } from "./codes";
import { moveVerb } from "./move";
import { offerCommand } from "./offers";
import { paymentCommand } from "./payments";
import { releaseCommand } from "./releases";
import { replyCommand } from "./replies";
import { restoreVerb } from "./restore";
import { secretCommand } from "./secrets";
import { settingsVerb } from "./settings";
import { subscriptionCommand } from "./subscriptions";
import { staffCommand } from "./staff";
import { stripeCommand } from "./stripe";
import { statsCommand } from "./stats";
import { testAccountsVerb } from "./test-accounts";
import { ticketCommand } from "./tickets";
import { webhookCommand } from "./webhooks";
import { takeOverVerb } from "./take-over";

/** Exit codes, for scripts. */
export const exits = { refused: 1, mistyped: 2 } as const;

const ends = "\nExit codes: 0 done, 1 refused (nothing was changed), 2 wrong usage, 3 a problem was found.";

/** `bun run shop <noun> <verb>`: the operator's command line. Works whether or not the shop is running. */
export function shopProgram(): Command {
  const program = new Command("shop")
    .description("Manages the shop from the command line. Every change needs a --reason.")
    .addHelpText("afterAll", ends);
  const commands = [
    licenceCommand(),
    jobCommand(),
    accountCommand(),
    deviceCommand(),
    testAccountsVerb(),
    paymentCommand(),
    subscriptionCommand(),
    offerCommand(),
    codeCommand(),
    linkCommand(),
    blockCommand(),
    keyCommand(),
    staffCommand(),
    ticketCommand(),
    replyCommand(),
    announceCommand(),
    releaseCommand(),
    changelogCommand(),
    buildCommand(),
    webhookCommand(),
    stripeCommand(),
    outboxCommand(),
    mailCommand(),
    auditCommand(),
    statsCommand(),
    importCommand(),
    exportVerb(),
    backupVerb(),
    backupsVerb(),
    restoreVerb(),
    moveVerb(),
    takeOverVerb(),
    doctorVerb(),
    secretCommand(),
    settingsVerb(),
  ];
  for (const command of commands) program.addCommand(command);
  program.hook("preAction", (_, command) => expectBun(command));
  settle(program);
  return program;
}

/** Commands that save and repair a shop must run on any Bun that can run them. */
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
function expectBun(command: Command): void {
  const other = otherBun();
  if (!other) return;
  const isRepair = onAnyBun.includes((command.parent?.parent ? command.parent : command).name());
  if (!other.fits && !isRepair) throw new ConfigError(other.sentence);
  console.error(other.sentence);
}

/** Wrong usage prints a hint; the caller exits. */
function settle(command: Command): void {
  command.exitOverride().showHelpAfterError("(add --help for usage)");
  command.commands.forEach(settle);
}
