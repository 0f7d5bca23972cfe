import { statSync } from "node:fs";
import { resolve } from "node:path";
import { Command, Option } from "commander";
import { ConfigError } from "@/core/settings/config";
import { type SettingName, settingsOf } from "@/core/settings/settings";
import { readSettingsFile } from "@/core/settings/settings-file";
import { dataDirOf, environmentHere } from "@/core/settings/settings-here";
import { startFault } from "../files/change-settings";
import { keepDescriptor, main, setUpAs } from "../setup/machine/run-as";
import { codeFolder } from "../setup/machine/start-files";
import { expectAccess, shopUser, userOf } from "../setup/machine/user";
import { answersText, answersUi, readAnswers } from "../setup/ui/answers";
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
import { doctor, startStep } from "../setup/steps/start";
import { startShop, writeCommand } from "../setup/steps/start-shop";
import { setElsewhere, type Setup } from "../setup/steps/state";
import { saveUnasked } from "../setup/steps/unasked";
import { withJson } from "../terminal/command-line";

type Step = {
  name: string;
  isDone: (setup: Setup) => boolean | Promise<boolean>;
  run: (setup: Setup) => Promise<void>;
  /** Of these, the environment must set none. */
  names?: readonly SettingName[];
  /** Changes something outside the settings, as no restored copy may. */
  changesElsewhere?: true;
};

const steps: Step[] = [
  { name: "Shop", isDone: hasShop, run: shopStep },
  { name: "Secrets", isDone: hasSecret, run: secretsStep },
  { name: "Mail", isDone: hasMail, run: mailStep, names: settingsOf("mail") },
  // before Stripe, which creates the database: backups tell of an earlier shop
  { name: "Backups", isDone: hasBackups, run: backupsStep },
  { name: "Stripe", isDone: hasStripe, run: stripeStep, names: settingsOf("stripe"), changesElsewhere: true },
  {
    name: "Discord",
    isDone: hasDiscord,
    run: discordStep,
    names: settingsOf("discord"),
    changesElsewhere: true,
  },
  { name: "Owner", isDone: hasOwner, run: ownerStep, changesElsewhere: true },
];

type Options = {
  answers?: string;
  keep?: string;
  check?: boolean;
  json?: boolean;
  /** Root asked for this, and starts the shop afterwards. */
  forRoot?: boolean;
  below: string;
};

/** `shop setup` */
export const setupVerb = (): Command =>
  withJson(new Command("setup"), "setup", "setup --answers answers.env --keep keys.env", "setup --check")
    .description("set up the shop: asks what it needs, tries each answer, and writes settings.env")
    .option("--answers <file>", "take the answers from a file that only you can read, a NAME=value a line")
    .option("--keep <file>", "without a terminal: the new file for the keys to keep")
    .option("--check", "ask and write nothing: what is missing, and what doctor says")
    .addOption(new Option("--for-root", "root asked for this, and starts the shop afterwards").hideHelp())
    .addOption(new Option("--below <folder>", "where the machine's files go").default("/").hideHelp())
    .action(run);

async function run(options: Options): Promise<void> {
  const environment = environmentHere();
  const keep = options.keep === undefined ? null : resolve(options.keep);
  const lines: string[] = [];
  const print = (line: string) => void (options.json ? lines.push(line) : console.log(line));
  const text = options.answers === undefined ? null : await answersText(options.answers);
  const answers = text === null ? null : readAnswers(text, options.answers ?? "");
  if (!options.check && !answers) expectTerminal();
  const uiOf = (title: string) => (answers ? answersUi(answers, print) : terminalUi(title));
  const { below, check: isCheck = false, forRoot = false } = options;
  const { name, dataDir } = forRoot
    ? { name: null, dataDir: dataDirOf(environment) }
    : await shopUser({ environment, below, tell: print, makes: !isCheck });
  if (name === null && !forRoot) expectOwnFolder(dataDir);
  const setupNow = (ui: Ui): Setup => ({
    ui,
    environment: { ...environment, DATA_DIR: dataDir },
    dataDir,
    file: readSettingsFile(dataDir),
    keep: forRoot && keep !== null ? keepDescriptor : keep,
    keeps: false,
  });
  try {
    if (name !== null) {
      const wanted = { environment, answers: text, keep, check: isCheck, json: options.json ?? false };
      const user = { name, dataDir };
      await expectAccess(user, [codeFolder, main, process.execPath]);
      if (!isCheck) writeCommand(user, below);
      const { code, printed } = await setUpAs(user, wanted);
      process.exitCode = code;
      if (code !== 0 || isCheck) return void process.stdout.write(printed);
      if (options.json) lines.push(...(JSON.parse(printed) as { lines: string[] }).lines);
      await finishAsRoot(setupNow(uiOf("Starting the shop.")), { user: name, below });
    } else if (isCheck) await check(setupNow(answersUi({}, print)), print);
    else {
      const setup = setupNow(uiOf("Setting up the shop. Enter takes what is proposed, and Ctrl+C leaves."));
      if (answers) saveUnasked(setup, answers);
      await runSteps(setup, { forRoot });
    }
    if (options.json) console.log(JSON.stringify({ lines }));
  } catch (error) {
    if (!(error instanceof Left)) throw error;
    console.error(`What was written stays in ${dataDir}. Run shop setup again to continue.`);
    process.exitCode = exitLeft;
  }
}

/** As shells tell an end by Ctrl+C. */
const exitLeft = 130;

function expectTerminal(): void {
  if (process.stdin.isTTY && process.stdout.isTTY) return;
  throw new ConfigError("There is no terminal to ask at: give a file with --answers.");
}

/** Refuses another user's data folder ({@link ConfigError}). */
function expectOwnFolder(dataDir: string): void {
  const folder = statSync(dataDir, { throwIfNoEntry: false });
  const me = process.getuid?.();
  if (!folder || me === undefined || folder.uid === me) return;
  const owner = userOf(folder.uid);
  throw new ConfigError(
    `${dataDir} belongs to ${owner}: run this as ${me === 0 ? owner : `root, or as ${owner}`}.`,
  );
}

/** Starts what was set up, unless a start would stop. */
async function finishAsRoot(setup: Setup, place: { user: string; below: string }): Promise<void> {
  const fault = startFault(setup.environment);
  if (fault) setup.ui.note(`The shop isn't started, because a start would stop: ${fault.message}`);
  if (fault || !(await startShop(setup, place))) process.exitCode = exitFound;
}

async function runSteps(setup: Setup, { forRoot }: { forRoot: boolean }): Promise<void> {
  for (const step of await chosen(setup)) await runStep(setup, step);
  setup.ui.step("Start");
  await startStep(setup, { forRoot });
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

async function runStep(
  setup: Setup,
  { name, run, isDone, names = [], changesElsewhere }: Step,
): Promise<void> {
  const { ui } = setup;
  ui.step(name);
  if (changesElsewhere && (await isCopy(setup))) return ui.refuse(copySentence);
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
  const fault = startFault(setup.environment);
  if (fault) print(`A start would stop: ${fault.message}`);
  const isWell = fault === null && (await doctor(setup));
  if (missing.length > 0 || !isWell) process.exitCode = exitFound;
}

const exitFound = 3;
