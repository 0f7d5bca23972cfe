import { isUtf8 } from "node:buffer";
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { ConfigError } from "./config-error";
import { codeOf, inOwnersWords, ownerHint } from "./in-owners-words";

/** The file of settings in a data folder. */
export const settingsFile = (dataDir: string) => join(dataDir, "settings.env");

/** The file as it was at the last good start, while a newer one has not started yet. */
export const formerSettingsFile = (dataDir: string) => `${settingsFile(dataDir)}.former`;

/**
 * The settings of `DATA_DIR/settings.env`, none if there is no such file. Makes the file private if others may read it.
 * Refuses a file that is not its folder's owner's, a link, and a line that is not a setting ({@link ConfigError}).
 */
export const readSettingsFile = (dataDir: string): Record<string, string> =>
  Object.fromEntries([...settingLines(dataDir)].map(([name, { value }]) => [name, value]));

/** The same with the line of each. */
export function settingLines(dataDir: string): Map<string, { value: string; line: number }> {
  const file = settingsFile(dataDir);
  const found = new Map<string, { value: string; line: number }>();
  for (const { name, value, line } of linesIn(file, textIn(file, readPrivate(dataDir) ?? new Uint8Array()))) {
    const where = `${file}, line ${line}`;
    if (neverInFile.has(name)) throw new ConfigError(`${where}: ${belongsOutside(name)}`);
    if (found.has(name)) throw new ConfigError(`${where}: ${name} is set twice, so delete one of the lines.`);
    found.set(name, { value, line });
  }
  return found;
}

/**
 * What a file says with a `NAME=value` a line. Refuses ({@link ConfigError}) other lines, but for comments, and what
 * shells, systemd and Compose read in different ways.
 */
export function* linesIn(file: string, text: string) {
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#.*)?$/.test(line)) continue;
    const where = `${file}, line ${at + 1}`;
    const [, name, value] = /^\s*(\w+)=(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new ConfigError(`${where}: write NAME=value.`);
    yield { name, value: valueIn(where, value), line: at + 1 };
  }
}

/** The text of a file. Refuses ({@link ConfigError}) another encoding than UTF-8. */
export function textIn(file: string, bytes: Uint8Array): string {
  // UTF-16 has a zero in each character of a name
  if (isUtf8(bytes) && !bytes.includes(0)) return new TextDecoder().decode(bytes);
  throw new ConfigError(`${file} is not a text in UTF-8: save it as UTF-8.`);
}

/** Refuses what follows the value, which elsewhere would be a comment and here a part of it. */
function valueIn(where: string, given: string): string {
  const value = given.trim();
  const quote = /^['"]/.exec(value)?.[0];
  if (quote === undefined) {
    if (!/\s#/.test(given)) return value;
    throw new ConfigError(
      `${where}: put the comment on a line of its own, or the value in single quotes if the # belongs to it.`,
    );
  }
  const inner = value.slice(1, -1);
  const isClosed = value.length > 1 && value.endsWith(quote);
  // a value with both kinds of quotes stands in double ones
  if (isClosed && quote === '"' && inner.includes("'")) return inner;
  if (value.indexOf(quote, 1) === -1) throw new ConfigError(`${where}: the quote isn't closed.`);
  if (/['"]\s+#/.test(value.slice(1)))
    throw new ConfigError(`${where}: put the comment on a line of its own.`);
  return isClosed ? inner : value;
}

/**
 * Replaces `DATA_DIR/settings.env` in one step: whenever this is interrupted, either the earlier settings or these
 * stand there. What stood there at the last good start is kept beside it. Refuses a demo's folder.
 */
export function writeSettingsFile(dataDir: string, values: Record<string, string>): void {
  const file = settingsFile(dataDir);
  const text = textOfSettings(values);
  if (existsSync(join(dataDir, "simulators", "stripe"))) {
    throw new ConfigError(
      `${dataDir} is a demo's, which reads no settings file: set DATA_DIR to another folder.`,
    );
  }
  inOwnersWords(file, () => {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const before = readPrivate(dataDir);
    if (before !== null && !existsSync(formerSettingsFile(dataDir))) {
      replaceFile(formerSettingsFile(dataDir), before, dataDir);
    }
    replaceFile(file, text, dataDir);
  });
}

/** Writes a copy of the settings, private, to a file that must not exist. */
export function exportSettings(dataDir: string, to: string): void {
  const content = readPrivate(dataDir);
  if (content === null) {
    throw new ConfigError(`There is no ${settingsFile(dataDir)}: nothing was written.`);
  }
  if (existsSync(to)) throw new ConfigError(`There is a file ${to} already: name another, or delete it.`);
  inOwnersWords(to, () => writeNew(to, content));
}

/** Called once the shop has started: the former settings are no longer needed. */
export const forgetFormerSettings = (dataDir: string): void =>
  rmSync(formerSettingsFile(dataDir), { force: true });

/** What such a file must not set, because it is needed to find the file or belongs to one process. */
const neverInFile = new Set([
  "DATA_DIR",
  "NODE_ENV",
  "IN_CONTAINER",
  "FAILPOINT",
  "NODE_EXTRA_CA_CERTS",
  "BRAND",
]);

const belongsOutside = (name: string) =>
  `${name} can't be set in this file: set it in the environment and delete it here.`;

const head =
  "# The shop's settings. They are secret, and in no backup: keep a copy in a safe place.\n# What the environment sets stands above them. `shop settings set` and `shop setup` write this file anew.\n";

/** As shells, systemd and Compose read it too, unless a value has both kinds of quotes. */
function textOfSettings(values: Record<string, string>): string {
  const lines = Object.entries(values).map(([name, given]) => {
    if (!/^\w+$/.test(name)) throw new ConfigError(`A setting can't be called ${JSON.stringify(name)}.`);
    if (neverInFile.has(name)) throw new ConfigError(`The setting ${belongsOutside(name)}`);
    const value = name === "SELLER" ? given.replaceAll(/\r?\n/g, "\\n") : given;
    if (/\p{Cc}/u.test(value)) {
      throw new ConfigError(`The setting ${name} must be one line without control characters.`);
    }
    if (/^[\w:/.@+-]*$/.test(value)) return `${name}=${value}\n`;
    const quote = value.includes("'") ? '"' : "'";
    return `${name}=${quote}${value}${quote}\n`;
  });
  return head + lines.join("");
}

/** What the file holds, read without following a link; null if there is none. */
function readPrivate(dataDir: string): Uint8Array | null {
  const file = settingsFile(dataDir);
  if (!existsSync(dataDir)) return null;
  return inOwnersWords(file, () => {
    const opened = openIfThere(file);
    if (opened === null) return null;
    try {
      const { mode, uid } = fstatSync(opened);
      const owner = statSync(dataDir).uid;
      if (uid !== owner) {
        const hint = ownerHint(`run \`chown ${owner} ${file}\``, owner);
        throw new ConfigError(`${file} must belong to the same user as its folder: ${hint}.`);
      }
      if ((mode & 0o077) !== 0) fchmodSync(opened, 0o600);
      return readFileSync(opened);
    } finally {
      closeSync(opened);
    }
  });
}

function openIfThere(file: string): number | null {
  try {
    // without waiting, should it be a pipe
    return openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    if (code === "ELOOP") throw new ConfigError(`${file} is a symbolic link: put the file itself there.`);
    throw error;
  }
}

function replaceFile(file: string, content: string | Uint8Array, dataDir: string): void {
  const next = `${file}.new`;
  rmSync(next, { force: true });
  try {
    writeNew(next, content, statSync(dataDir));
    renameSync(next, file);
  } finally {
    rmSync(next, { force: true });
  }
  const folder = openSync(dataDir, constants.O_RDONLY);
  fsyncSync(folder);
  closeSync(folder);
}

/** `owner`: whose it becomes, if root writes it. */
function writeNew(file: string, content: string | Uint8Array, owner?: { uid: number; gid: number }): void {
  const opened = openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    fchmodSync(opened, 0o600);
    if (owner && process.getuid?.() === 0) fchownSync(opened, owner.uid, owner.gid);
    writeFileSync(opened, content);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
