import { statSync } from "node:fs";
import { resolve } from "node:path";
import { Command } from "commander";
import { ConfigError, readConfig } from "@/core/settings/config";
import { neededBy, type SettingName, settings, settingsOf } from "@/core/settings/settings";
import { readSettingsFile } from "@/core/settings/settings-file";
import { dataDirOf, environmentHere } from "@/core/settings/settings-here";
import { type Answers, answersUi, readAnswers } from "../setup/ui/answers";
import { terminalUi } from "../setup/ui/terminal";
import { Left, type Ui } from "../setup/ui/ui";
import { backupsStep, hasBackups } from "../setup/steps/backups";
import { discordStep, hasDiscord } from "../setup/steps/discord";
import { hasMail, mailStep } from "../setup/steps/mail";
import { isCopy } from "../setup/steps/open";
import { hasOwner, ownerStep } from "../setup/steps/owner";
import { hasSecret, secretsStep } from "../setup/steps/secrets";
import { hasShop, shopStep } from "../setup/steps/shop";
import { hasStripe, stripeStep } from "../setup/steps/stripe";
import { doctor, startStep, userOf, writeStartFiles } from "../setup/steps/start";
import { save, setElsewhere, settingFault, type Setup } from "../setup/steps/state";
import { withJson } from "../terminal/command-line";

type Step = {
  name: string;
  isDone: (setup: Setup) => boolean | Promise<boolean>;
  run: (setup: Setup) => Promise<void>;
  /** Of these, the environment must set none. */
  names?: readonly SettingName[];
  /** Changes something outside the settings, as no restored copy may. */
  isOutside?: true;
};

const steps: Step[] = [
  { name: "Shop", isDone: hasShop, run: shopStep },
  { name: "Secrets", isDone: hasSecret, run: secretsStep },
  { name: "Mail", isDone: hasMail, run: mailStep, names: settingsOf("mail") },
  // before Stripe, which creates the database: backups tell of an earlier shop
  { name: "Backups", isDone: hasBackups, run: backupsStep },
  { name: "Stripe", isDone: hasStripe, run: stripeStep, names: settingsOf("stripe"), isOutside: true },
  { name: "Discord", isDone: hasDiscord, run: discordStep, names: settingsOf("discord"), isOutside: true },
  { name: "Owner", isDone: hasOwner, run: ownerStep, isOutside: true },
];

/** The settings that a step asks for. */
const asked: readonly string[] = [
  "PUBLIC_URL",
  "OWNER_EMAIL",
  "CURRENCY",
  "SELLER",
  "TIME_ZONE",
  "BACKUP_TO",
  "BACKUP_EVERY",
  ...neededBy("stripe"),
  ...neededBy("mail"),
  ...neededBy("discord"),
  ...settingsOf("buckets"),
];

/** What is answered and is no setting. */
const otherAnswers =
  /^(OWNER_NAME|PRODUCT|SHORT_NAME|KEY_PREFIX|PRICE|OTHER_ADDRESS|SMTP_LOGIN|SMTP_PASSWORD|TAKE_KEY|GO_LIVE|BEGIN_ANOTHER|REPLACE_ENDPOINT|ROLE_MEMBERS)$/;

type Options = { answers?: string; keep?: string; check?: boolean; write?: string | true; json?: boolean };

/** `shop setup` */
export const setupVerb = (): Command =>
  withJson(new Command("setup"), "setup", "setup --answers answers.env --keep keys.env", "setup --check")
    .description("set up the shop: asks what it needs, tries each answer, and writes settings.env")
    .option("--answers <file>", "take the answers from a file that only you can read, a NAME=value a line")
    .option("--keep <file>", "without a terminal: the new file for the keys to keep")
    .option("--check", "ask and write nothing: what is missing, and what doctor says")
    .option("--write [folder]", "write systemd's unit and Caddy's file, below this folder (default: /)")
    .action(run);

async function run(options: Options): Promise<void> {
  const environment = environmentHere();
  const dataDir = dataDirOf(environment);
  const writeBelow = options.write === true ? "/" : (options.write ?? null);
  const keep = options.keep === undefined ? null : resolve(options.keep);
  const lines: string[] = [];
  const print = (line: string) => void (options.json ? lines.push(line) : console.log(line));
  const isOwn = isOwnFolder(dataDir, { writes: writeBelow !== null });
  const setup: Setup = {
    environment,
    dataDir,
    keep,
    file: readSettingsFile(dataDir),
    keeps: false,
    ui: answersUi({}, print),
  };
  const done = () => void (options.json && console.log(JSON.stringify({ lines })));
  if (options.check) return check(setup, print).then(done);
  if (!isOwn) {
    writeStartFiles(setup, writeBelow ?? "/");
    return done();
  }
  const answers = options.answers === undefined ? null : readAnswers(options.answers);
  setup.ui = answers ? answersUi(answers, print) : uiOfTerminal();
  try {
    if (answers) saveUnasked(setup, answers);
    await runSteps(setup, { writeBelow });
    done();
  } catch (error) {
    if (!(error instanceof Left)) throw error;
    console.error(`What was written stays in ${dataDir}. Run shop setup again to continue.`);
    process.exitCode = exitLeft;
  }
}

/** As shells tell an end by Ctrl+C. */
const exitLeft = 130;

/** Refuses ({@link ConfigError}) another user's data folder, but for root, who may write the start's files for it. */
function isOwnFolder(dataDir: string, { writes }: { writes: boolean }): boolean {
  const folder = statSync(dataDir, { throwIfNoEntry: false });
  const me = process.getuid?.();
  if (!folder || me === undefined || folder.uid === me) return true;
  if (me === 0 && writes) return false;
  const owner = userOf(folder.uid);
  throw new ConfigError(
    `${dataDir} belongs to ${owner}: run sudo -u ${owner} env NODE_ENV=production DATA_DIR=${dataDir} npm run shop setup.`,
  );
}

function uiOfTerminal(): Ui {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new ConfigError("There is no terminal to ask at: give a file with --answers.");
  }
  return terminalUi("Setting up the shop. Enter takes what is proposed, and Ctrl+C leaves.");
}

const isSetting = (name: string): name is SettingName => Object.hasOwn(settings, name);

/** Settings in a file of answers that no step asks for are written as they are. */
function saveUnasked(setup: Setup, answers: Answers): void {
  const unknown = Object.keys(answers).filter((name) => !isSetting(name) && !otherAnswers.test(name));
  if (unknown.length > 0) {
    throw new ConfigError(`No step asks for ${unknown.join(", ")}: take that out, or spell it right.`);
  }
  const unasked = Object.keys(answers)
    .filter(isSetting)
    .filter((name) => !asked.includes(name));
  for (const name of unasked) {
    const fault = settingFault(name, answers[name] ?? "");
    if (fault !== null) throw new ConfigError(`The answer ${name} can't be used. ${fault}`);
  }
  save(setup, Object.fromEntries(unasked.map((name) => [name, answers[name] ?? ""])));
}

async function runSteps(setup: Setup, { writeBelow }: { writeBelow: string | null }): Promise<void> {
  for (const step of await chosen(setup)) await runStep(setup, step);
  setup.ui.step("Start");
  await startStep(setup, { writeBelow });
}

/** Every step, or in a set-up that was begun, what the person wants of it. */
async function chosen(setup: Setup): Promise<Step[]> {
  const missing = await missingSteps(setup);
  const { ui } = setup;
  if (!ui.isTerminal || missing.length === steps.length) return steps;
  const named = missing.map(({ name }) => name).join(", ");
  const choice = await ui.choose({
    name: "STEP",
    asks: missing.length > 0 ? `Not set up yet: ${named}.` : "Everything is set up.",
    options: [
      ...(missing.length > 0 ? [{ value: "missing", label: `Continue: ${named}` }] : []),
      ...steps.map(({ name }) => ({ value: name, label: `${name} again` })),
      { value: "all", label: "Everything again" },
      { value: "none", label: "Nothing: only how it starts" },
    ],
    proposal: missing.length > 0 ? "missing" : "none",
  });
  if (choice === "missing") return missing;
  return choice === "all" ? steps : steps.filter(({ name }) => name === choice);
}

async function missingSteps(setup: Setup): Promise<Step[]> {
  const done = await Promise.all(steps.map(async ({ isDone }) => isDone(setup)));
  return steps.filter((_, at) => !done[at]);
}

async function runStep(setup: Setup, { name, run, isDone, names = [], isOutside }: Step): Promise<void> {
  const { ui } = setup;
  ui.step(name);
  if (isOutside && (await isCopy(setup))) return ui.refuse(copySentence);
  const elsewhere = setElsewhere(setup, names);
  if (elsewhere === null) return run(setup);
  if (await isDone(setup)) ui.proved(elsewhere);
  else ui.refuse(elsewhere);
}

const copySentence =
  "This is a restored copy, which changes nothing outside its database: stop the old shop for good, run shop take-over, and then this again. Settings that are missing until then are written by shop settings set.";

/** `--check`: what is missing, what stops a start, and what doctor says. */
async function check(setup: Setup, print: (line: string) => void): Promise<void> {
  const missing = await missingSteps(setup);
  for (const step of steps) {
    print(`${missing.includes(step) ? "missing" : "set up "}  ${step.name}`);
    const elsewhere = setElsewhere(setup, step.names ?? []);
    if (elsewhere !== null) print(`         ${elsewhere}`);
  }
  const fault = startFault(setup);
  if (fault !== null) print(`A start would stop: ${fault}`);
  const isWell = fault === null && (await doctor(setup));
  if (missing.length > 0 || !isWell) process.exitCode = exitFound;
}

const exitFound = 3;

function startFault({ environment }: Setup): string | null {
  try {
    readConfig({ ...environment, NODE_ENV: "production" });
    return null;
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}
