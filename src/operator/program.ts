import { Command } from "commander";
import { otherBun } from "@/core/settings/bun-version";
import { ConfigError } from "@/core/settings/config";
import { accountCommand } from "./commands/accounts";
import { backupsVerb, backupVerb } from "./commands/backup";
import { announceCommand } from "./commands/announce";
import { auditCommand, mailCommand, outboxCommand } from "./commands/outbox-and-audit";
import { brandCommand } from "./commands/brand";
import { blockCommand } from "./commands/blocks";
import { buildCommand } from "./commands/builds";
import { changelogCommand } from "./commands/changelog";
import { deviceCommand } from "./commands/devices";
import { doctorVerb } from "./doctor/doctor";
import { exportVerb } from "./commands/export";
import { importCommand } from "./commands/import";
import { jobCommand } from "./commands/jobs";
import { keyCommand } from "./commands/keys";
import { licenceCommand } from "./commands/licences";
import { levelCommand } from "./commands/levels";
import { linkCommand } from "./commands/links";
import { codeCommand } from "./commands/codes";
import { moveVerb } from "./commands/move";
import { offerCommand } from "./commands/offers";
import { paymentCommand } from "./commands/payments";
import { releaseCommand } from "./commands/releases";
import { replyCommand } from "./commands/replies";
import { restoreVerb } from "./commands/restore";
import { secretCommand } from "./commands/secrets";
import { settingsCommand } from "./commands/settings";
import { setupVerb } from "./commands/setup";
import { subscriptionCommand } from "./commands/subscriptions";
import { staffCommand } from "./commands/staff";
import { stripeCommand } from "./commands/stripe";
import { statsCommand } from "./commands/stats";
import { testAccountsVerb } from "./commands/test-accounts";
import { ticketCommand } from "./commands/tickets";
import { webhookCommand } from "./commands/webhooks";
import { takeOverVerb } from "./commands/take-over";

/** Exit codes, for scripts. */
export const exitCodes = { refused: 1, mistyped: 2 } as const;

const ends = "\nExit codes: 0 done, 1 refused (nothing was changed), 2 wrong usage, 3 a problem was found.";

/** `bun run shop <noun> <verb>`: the operator's command line. Works whether or not the shop is running. */
export function shopProgram(): Command {
  const program = new Command("shop")
    .description("Manages the shop from the command line. Most changes need a --reason.")
    .addHelpText("afterAll", ends);
  const commands = [
    licenceCommand(),
    jobCommand(),
    accountCommand(),
    deviceCommand(),
    testAccountsVerb(),
    paymentCommand(),
    subscriptionCommand(),
    levelCommand(),
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
    brandCommand(),
    secretCommand(),
    settingsCommand(),
    setupVerb(),
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
  "brand",
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
