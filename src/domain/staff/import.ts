import { inArray } from "drizzle-orm";
import { brand } from "@/brand/brand";
import { audit } from "@/core/audit";
import { commit } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { issue } from "../licences/issue";
import { keyHash, maskKey, readKey, readForeignKey } from "../licences/keys";
import { licences } from "../licences/tables";
import type { ByHand } from "./by-hand";

export type ImportedKey = { key: string; type: string; days: number | null };
/** What became of a line: those that are known already stay as they are. */
export type Imported = { made: number; known: number };

/** Keys of one commit. */
const atOnce = 100;

/** A line's key as it is kept, or null when it can be none. */
export const importableKey = (typed: string) => readKey(typed) ?? readForeignKey(typed);

/** Brings in keys that another shop sold. Safe to repeat: a key that is known is passed over. */
export async function importKeys(ctx: Ctx, keys: ImportedKey[], by: ByHand): Promise<Imported> {
  const told = { made: 0, known: 0 };
  for (let from = 0; from < keys.length; from += atOnce) {
    const page = keys.slice(from, from + atOnce);
    const known = await knownAmong(ctx, page);
    const fresh = page.filter(({ key }) => !known.has(keyHash(ctx, key)));
    told.made += fresh.length;
    told.known += page.length - fresh.length;
    await commit(
      ctx.store,
      fresh.flatMap(({ key, type, days }) => [
        issue(ctx, { key, type: type || brand.premium.type, days }),
        audit(ctx, { ...by, action: "licence.imported", subject: maskKey(key), detail: { days } }),
      ]),
    );
  }
  return told;
}

async function knownAmong(ctx: Ctx, page: ImportedKey[]): Promise<Set<string>> {
  const hashes = page.map(({ key }) => keyHash(ctx, key));
  const rows = await ctx.store.db
    .select({ hash: licences.keyHash })
    .from(licences)
    .where(inArray(licences.keyHash, hashes));
  return new Set(rows.map(({ hash }) => hash));
}
