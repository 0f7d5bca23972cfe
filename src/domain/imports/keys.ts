import { inArray } from "drizzle-orm";
import { mustHaveChanged, retryOnConflict } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { yieldToEventLoop } from "@/core/base/yield";
import { issueWrites } from "../licences/keys/hand-out";
import { keyHashes, maskKey, readForeignKey, readKey } from "../licences/keys/keys";
import { licences } from "../schema/licences";
import {
  type Done,
  finishRow,
  type Importing,
  inPieces,
  passedOver,
  type Planned,
  sentenceIn,
} from "./planned";

/** A key in a file, before it is validated. `days`, which may be a fraction, count from redemption; null is a lifetime. */
export type TypedKey = {
  line: number;
  typed: string;
  level: string;
  days: number | null;
  devices: number;
};

export type KeyRow = {
  key: string;
  level: string;
  days: number | null;
  devices: number;
  note: string | null;
};

/** Keys per query. */
const atOnce = 100;

/** What would become of each key in a file; the shop leaves those that it has as they are. */
export async function planKeys(
  ctx: Ctx,
  typed: TypedKey[],
  onProgress?: (done: number, total: number) => void,
): Promise<Planned<KeyRow>[]> {
  const planned = await planWithinFile(typed);
  for (let from = 0; from < planned.length; from += atOnce) {
    const page = planned.slice(from, from + atOnce);
    const known = await knownAmong(
      ctx,
      page.flatMap(({ row }) => (row ? [row] : [])),
    );
    for (const one of page)
      if (one.row && keyHashes(ctx, one.row.key).some((hash) => known.has(hash)))
        Object.assign(one, { ...passedOver(one.line, "left_out", keyIsHere), name: one.name });
    onProgress?.(from + page.length, planned.length);
    await yieldToEventLoop();
  }
  return planned;
}

/**
 * Two keys that differ by case alone, or by what else nobody has to type, would be one key: the second is refused,
 * because its owner could find it redeemed.
 */
function planWithinFile(typed: TypedKey[]): Promise<Planned<KeyRow>[]> {
  const seen = new Map<string, TypedKey>();
  return inPieces(typed, (one): Planned<KeyRow> => {
    const { line, level, devices } = one;
    const key = importableKey(one.typed);
    if (key === null) return passedOver(line, "refused", `the key ${keyRule}`);
    const name = maskKey(key);
    const first = seen.get(key);
    if (first) {
      const sentence = collision(first, one);
      const again = sentence
        ? passedOver(line, "refused", sentence)
        : passedOver(line, "merged", `it is the same as line ${first.line}`);
      return { ...again, name };
    }
    seen.set(key, one);
    const changes = [changeOfKey(one.typed, key), changeOfDays(one.days)].filter((change) => change !== null);
    const notes = changes.map((sentence) => ({ kind: "changed" as const, sentence }));
    const row = { key, level, days: wholeDays(one.days), devices, note: sentenceIn(notes) };
    return { line, outcome: notes.length > 0 ? "changed" : "new", notes, name, row };
  });
}

/** Imports a key that another shop sold, unless the shop has it by now. */
export const importKey = (ctx: Ctx, row: KeyRow, importing: Importing): Promise<Done> =>
  retryOnConflict(async () => {
    const known = await knownAmong(ctx, [row]);
    if (known.size > 0) return finishRow(ctx, alreadyHere, [], importing);
    const { note, ...terms } = row;
    const id = newId();
    const made = { ...terms, id };
    const [issue, ...others] = issueWrites(ctx, made, importing.by, "licence.imported");
    if (!issue) return alreadyHere;
    const writes = [issue, mustHaveChanged("conflict"), ...others];
    return finishRow(ctx, { outcome: note === null ? "new" : "changed", note, id }, writes, importing);
  });

const keyIsHere = "the shop has this key already";
const alreadyHere: Done = { outcome: "left_out", note: keyIsHere, id: "" };

export const keyRule = "must be 12 to 64 letters, digits or dashes";

/** A line's key in its stored form, or null if it can't be a key. */
export const importableKey = (typed: string) => readKey(typed) ?? readForeignKey(typed);

function collision(first: TypedKey, second: TypedKey): string | null {
  const [one, other] = [first.typed.trim(), second.typed.trim()];
  if (one !== other) {
    const how = one.toLowerCase() === other.toLowerCase() ? "differs by case alone" : "reads the same";
    return `its key ${how === "reads the same" ? `${how} as` : `${how} from`} that on line ${first.line}`;
  }
  const isSame =
    first.days === second.days && first.level === second.level && first.devices === second.devices;
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

async function knownAmong(ctx: Ctx, page: { key: string }[]): Promise<Set<string>> {
  const hashes = page.flatMap(({ key }) => keyHashes(ctx, key));
  const rows = await ctx.store.db
    .select({ hash: licences.keyHash })
    .from(licences)
    .where(inArray(licences.keyHash, hashes));
  return new Set(rows.map(({ hash }) => hash));
}
