import { randomBytes } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "@/core/settings/config";
import { knowsSecret } from "@/core/database/known-secret";
import { codeOf } from "@/core/settings/in-owners-words";
import { settingsFile } from "@/core/settings/settings-file";
import { configSoFar, given, save, type Setup } from "./state";

const made = ["SECRET_KEY", "BACKUP_KEY"] as const;
type Keys = Record<(typeof made)[number], string>;

/** Whether the shop has its secret, in the settings or in the file that an earlier start made. */
export const hasSecret = (setup: Setup): boolean =>
  given(setup, "SECRET_KEY") !== "" || existsSync(keyFile(setup));

const keyFile = ({ dataDir }: Setup) => join(dataDir, "secret.key");

/** Makes the shop's keys, unless it has some; refuses where a database was made with others. */
export async function secretsStep(setup: Setup): Promise<void> {
  const { ui } = setup;
  if (hasSecret(setup)) {
    const where = given(setup, "SECRET_KEY") === "" ? keyFile(setup) : "the settings";
    return ui.proved(`The shop has its secret, in ${where}.`);
  }
  if (await knowsSecret(configSoFar(setup))) {
    throw new ConfigError(
      `This database has another SECRET_KEY: copy settings.env from the first machine to ${settingsFile(setup.dataDir)}.`,
    );
  }
  const keys: Keys = { SECRET_KEY: newKey(), BACKUP_KEY: newKey() };
  if (ui.isTerminal) await showUntilKept(setup, keys);
  else keepInFile(setup, made.map((name) => `${name}=${keys[name]}\n`).join(""));
  save(setup, keys);
  ui.proved(`SECRET_KEY and BACKUP_KEY were made and stand in ${settingsFile(setup.dataDir)}.`);
}

const keyBytes = 32;
const newKey = () => randomBytes(keyBytes).toString("base64");

/** How many characters of each. */
const typedBack = 4;

async function showUntilKept({ ui }: Setup, keys: Keys): Promise<void> {
  const lines = [
    "These two keys are the shop's own. Without SECRET_KEY its database is worthless, and BACKUP_KEY opens its backups.",
    "Keep both where you keep passwords, not beside the backups. They are shown once.",
    "",
    ...made.map((name) => `${name.padEnd(10)}  ${keys[name]}`),
  ];
  await ui.reveal(lines, async () => {
    await ui.ask({
      name: "KEYS",
      asks: "The last four characters of each, from where you keep them",
      fault: (typed) => (areEndsOf(keys, typed) ? null : "They differ: look again. SECRET_KEY's come first."),
    });
  });
}

/** Whatever stands between them. */
function areEndsOf(keys: Keys, typed: string): boolean {
  const [first, second] = [keys.SECRET_KEY.slice(-typedBack), keys.BACKUP_KEY.slice(-typedBack)];
  return typed.length >= 2 * typedBack && typed.startsWith(first) && typed.endsWith(second);
}

/** Writes what only the owner may read into the file of `--keep`, which must be new at its first use. */
export function keepInFile(setup: Setup, text: string): void {
  const { keep } = setup;
  if (keep === null) {
    throw new ConfigError(
      "Without a terminal, keys and the owner's link go into a file: name a new one with --keep, and keep it apart from the backups.",
    );
  }
  try {
    writeFileSync(keep, text, { mode: 0o600, flag: setup.keeps ? "a" : "wx" });
    setup.keeps = true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") {
      throw new ConfigError(`There is a file ${keep} already: name a new one with --keep.`);
    }
    throw error;
  }
}
