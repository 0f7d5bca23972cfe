import { inArray } from "drizzle-orm";
import { brand } from "@/brand/brand";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import type { By } from "@/core/base/actor";
import { authorize } from "../../permissions";
import { licences } from "../../schema/licences";
import { keyHashes, readForeignKey, readKey } from "./keys";
import { issueWrites } from "./hand-out";

/** What is said of a line of a file; never quotes it, since it may hold a key. */
export type LineNote = { line: number; sentence: string };

/** A key in a file, before it is validated. `days`, which may be a fraction, count from redemption; null is a lifetime. */
export type TypedKey = {
  line: number;
  typed: string;
  type: string;
  days: number | null;
  devices: number;
};

type ImportedKey = Omit<TypedKey, "typed"> & { key: string };

type ValidatedKeys = {
  keys: ImportedKey[];
  /** Imported, but not as written in the file. */
  changed: LineNote[];
  /** The same line again. */
  merged: LineNote[];
  refused: LineNote[];
};

/**
 * What becomes of each key in a file. Two that differ by case alone, or by what else nobody has to type, would be one
 * key: the second is refused, because its owner could find it redeemed.
 */
export function validateKeys(typed: TypedKey[]): ValidatedKeys {
  const result: ValidatedKeys = { keys: [], changed: [], merged: [], refused: [] };
  const seen = new Map<string, TypedKey>();
  for (const one of typed) {
    const { line } = one;
    const key = importableKey(one.typed);
    if (key === null) {
      result.refused.push({ line, sentence: `the key ${keyRule}` });
      continue;
    }
    const first = seen.get(key);
    if (first) {
      const sentence = collision(first, one);
      if (sentence) result.refused.push({ line, sentence });
      else result.merged.push({ line, sentence: `it is the same as line ${first.line}` });
      continue;
    }
    seen.set(key, one);
    const days = wholeDays(one.days);
    result.keys.push({ line, key, type: one.type, days, devices: one.devices });
    const changes = [changeOfKey(one.typed, key), changeOfDays(one.days)].filter((change) => change !== null);
    if (changes.length > 0) result.changed.push({ line, sentence: changes.join(", and ") });
  }
  return result;
}

export const keyRule = "must be 12 to 64 letters, digits or dashes";

/** A line's key in its stored form, or null if it can't be a key. */
export const importableKey = (typed: string) => readKey(typed) ?? readForeignKey(typed);

function collision(first: TypedKey, second: TypedKey): string | null {
  const [one, other] = [first.typed.trim(), second.typed.trim()];
  if (one !== other) {
    const how = one.toLowerCase() === other.toLowerCase() ? "differs by case alone" : "reads the same";
    return `its key ${how === "reads the same" ? `${how} as` : `${how} from`} that on line ${first.line}`;
  }
  const isSame = first.days === second.days && first.type === second.type && first.devices === second.devices;
  return isSame ? null : `its key is on line ${first.line} as well, with other terms`;
}

/** A part of a day is given whole. */
export const wholeDays = (days: number | null) => days && Math.ceil(days);

export const changeOfDays = (days: number | null): string | null =>
  days === wholeDays(days) ? null : `its ${days} days become ${wholeDays(days)}`;

/** How a key will be shown unlike it is typed: another shop's of sixteen symbols can pass for one of ours. */
export function changeOfKey(typed: string, key: string): string | null {
  if (symbols(typed) === symbols(key)) return null;
  return `its key is read as one of this shop's and will be shown with ${key.slice(0, key.indexOf("-"))}- in front`;
}

const symbols = (text: string) => text.toUpperCase().replace(/[\s\p{Pd}]/gu, "");

/** How many keys were new, and how many the shop had already; the import leaves those as they are. */
type ImportCounts = { made: number; known: number };

/** Keys per commit. */
const atOnce = 100;

type ImportOptions = By & { dryRun: boolean; onProgress?: (done: number, total: number) => void };

/** Imports keys that another shop sold, or with `dryRun` only counts them. Safe to repeat: known keys are skipped. */
export async function importKeys(
  ctx: Ctx,
  keys: ImportedKey[],
  { dryRun, onProgress, ...by }: ImportOptions,
): Promise<ImportCounts> {
  authorize(by, "licence.import");
  const counts = { made: 0, known: 0 };
  for (let from = 0; from < keys.length; from += atOnce) {
    const page = keys.slice(from, from + atOnce);
    const known = await knownAmong(ctx, page);
    const fresh = page.filter(({ key }) => !keyHashes(ctx, key).some((hash) => known.has(hash)));
    counts.made += fresh.length;
    counts.known += page.length - fresh.length;
    onProgress?.(from + page.length, keys.length);
    if (dryRun) continue;
    await commit(
      ctx.store,
      fresh.flatMap(({ key, type, days, devices }) =>
        issueWrites(ctx, { key, type: type || brand.premium.type, days, devices }, by, "licence.imported"),
      ),
    );
  }
  return counts;
}

async function knownAmong(ctx: Ctx, page: ImportedKey[]): Promise<Set<string>> {
  const hashes = page.flatMap(({ key }) => keyHashes(ctx, key));
  const rows = await ctx.store.db
    .select({ hash: licences.keyHash })
    .from(licences)
    .where(inArray(licences.keyHash, hashes));
  return new Set(rows.map(({ hash }) => hash));
}
