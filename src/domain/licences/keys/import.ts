import { inArray } from "drizzle-orm";
import { brand } from "@/brand/brand";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { authorize } from "../../permissions";
import type { ImportedKey } from "./judge-keys";
import { keyHashes } from "./keys";
import { licences } from "../../schema/licences";
import type { By } from "@/core/base/actor";
import { issueWrites } from "./hand-out";

/** How many keys were new, and how many the shop had already; the import leaves those as they are. */
export type Imported = { made: number; known: number };

/** Keys per commit. */
const atOnce = 100;

type Asked = By & { dryRun: boolean; onProgress?: (done: number, total: number) => void };

/** Imports keys that another shop sold, or with `dryRun` only counts them. Safe to repeat: known keys are skipped. */
export async function importKeys(
  ctx: Ctx,
  keys: ImportedKey[],
  { dryRun, onProgress, ...by }: Asked,
): Promise<Imported> {
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
