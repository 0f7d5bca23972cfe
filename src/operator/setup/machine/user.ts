import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { ConfigError } from "@/core/settings/config";
import { settingsFile } from "@/core/settings/settings-file";
import { dataDirOf, type Environment, isSet } from "@/core/settings/settings-here";
import { placeOf, program } from "./program";

/** Who runs the shop that root sets up, and where its data is. */
export type ShopUser = { name: string; dataDir: string };

type Wanted = {
  environment: Environment;
  below: string;
  tell: (sentence: string) => void;
  /** False if nothing is to be made. */
  makes: boolean;
};

const usual = { name: "latchkey", dataDir: "/var/lib/latchkey", backups: "/var/backups" };

/**
 * Where the shop's data is, and the user for whom root sets it up, made if there is none. No user where whoever typed
 * the command runs the shop: another user than root, or root with a folder of its own.
 */
export async function shopUser(wanted: Wanted): Promise<ShopUser | { name: null; dataDir: string }> {
  const { environment, below, tell, makes } = wanted;
  if (process.getuid?.() !== 0 || environment["IN_CONTAINER"] || placeOf("useradd") === "useradd")
    return { name: null, dataDir: dataDirOf(environment) };
  const dataDir = dataDirForRoot(environment, below);
  const owner = statSync(dataDir, { throwIfNoEntry: false })?.uid ?? 0;
  if (owner === 0) expectOutOfReach(dataDir);
  if (owner !== 0) return { name: namedOwner(dataDir, userOf(owner, below)), dataDir };
  if (!makes || !isReachable(dataDir)) return { name: null, dataDir };
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0) {
    tell(
      `${dataDir} belongs to root, who runs the shop. To have another user run it, give it to that user with chown -R, and start again.`,
    );
    return { name: null, dataDir };
  }
  const isNew = await makeUser(dataDir, below);
  const made = [...(isNew ? [`the user ${usual.name}`] : []), ...makeFolders(dataDir, wanted)];
  tell(`Made for the shop: ${made.join(", ")}.`);
  return { name: usual.name, dataDir };
}

function namedOwner(dataDir: string, name: string): string {
  if (!/^\d+$/.test(name)) return name;
  throw new ConfigError(
    `${dataDir} belongs to ${name}, who is no user of this machine: give it to one with chown -R.`,
  );
}

const othersWrite = 0o022;
const sticky = 0o1000;

/** Refuses ({@link ConfigError}) a folder of root's in whose place another user could put something else. */
function expectOutOfReach(dataDir: string): void {
  if (existsSync(dataDir) && realpathSync(dataDir) !== dataDir) {
    throw new ConfigError(`${dataDir} is behind a link: set DATA_DIR to ${realpathSync(dataDir)}.`);
  }
  for (let above = dirname(dataDir); ; above = dirname(above)) {
    const { uid = 0, mode = 0 } = statSync(above, { throwIfNoEntry: false }) ?? {};
    if (uid !== 0 || ((mode & othersWrite) !== 0 && (mode & sticky) === 0)) {
      throw new ConfigError(
        `${above}, above ${dataDir}, can be changed by others than root: set DATA_DIR to another folder, or make this one and give it to the user who runs the shop.`,
      );
    }
    if (above === dirname(above)) return;
  }
}

/** DATA_DIR, or where an earlier set-up by root wrote, or the usual place. */
function dataDirForRoot(environment: Environment, below: string): string {
  const here = dataDirOf(environment);
  const place = join(below, usual.dataDir);
  const isEarlier = existsSync(settingsFile(here)) && !existsSync(place);
  return isSet(environment, "DATA_DIR") || isEarlier ? here : place;
}

const othersEnter = 0o001;

/** Whether everybody may enter the folders above this one. */
function isReachable(path: string): boolean {
  const above = dirname(path);
  const mode = statSync(above, { throwIfNoEntry: false })?.mode ?? othersEnter;
  return (mode & othersEnter) !== 0 && (above === path || isReachable(above));
}

/** False if there is this user. */
async function makeUser(dataDir: string, below: string): Promise<boolean> {
  if (accounts(below).some(({ name }) => name === usual.name)) return false;
  const options = ["--system", "--home-dir", dataDir, "--shell", "/usr/sbin/nologin"];
  const { code, said } = await program("useradd", ...options, usual.name);
  if (code === 0) return true;
  throw new ConfigError(`The user ${usual.name} can't be made. useradd says: ${said}`);
}

/** The data folder, and one outside it for backups; returns what was made. */
function makeFolders(
  dataDir: string,
  { environment, below }: Pick<Wanted, "environment" | "below">,
): string[] {
  const backups = join(below, usual.backups, basename(dataDir));
  const wanted = isSet(environment, "BACKUP_TO") || existsSync(backups) ? [dataDir] : [dataDir, backups];
  const { uid, gid } = accounts(below).find(({ name }) => name === usual.name) ?? {};
  if (uid === undefined || gid === undefined) throw new ConfigError(`There is no user ${usual.name}.`);
  for (const folder of wanted) {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o700);
    chownSync(folder, uid, gid);
  }
  return wanted;
}

/**
 * Refuses ({@link ConfigError}) if this user can't run the shop's code or use its data, or could change the code, which
 * root runs too.
 */
export async function expectAccess({ name, dataDir }: ShopUser, code: string[]): Promise<void> {
  const may = async (how: string, path: string) =>
    (await program("runuser", "-u", name, "--", "test", how, path)).code === 0;
  for (const path of code) {
    if (await may("-w", path)) {
      throw new ConfigError(
        `${name}, who runs the shop, could change ${path}, which root runs too: give the shop's files to root with chown -R root, or run set-up as ${name}.`,
      );
    }
    if (await may("-r", path)) continue;
    throw new ConfigError(
      `${name}, who runs the shop, can't read ${path}: move the shop's files to a folder that every user can read, such as /opt/latchkey, type chmod -R o+rX on them, and type npm run shop setup there.`,
    );
  }
  if (await may("-w", dataDir)) return;
  throw new ConfigError(
    `${dataDir} belongs to ${name}, who can't write there: look at the folders above it.`,
  );
}

/** A user's name as in /etc/passwd; otherwise the number. */
export const userOf = (owner: number, below = "/"): string =>
  accounts(below).find(({ uid }) => uid === owner)?.name ?? String(owner);

function accounts(below: string): { name: string; uid: number; gid: number }[] {
  const file = join(below, "etc/passwd");
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
  return lines.map((line) => {
    const [name = "", , uid, gid] = line.split(":");
    return { name, uid: Number(uid), gid: Number(gid) };
  });
}
