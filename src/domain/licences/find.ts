import { asc, eq, gt, inArray } from "drizzle-orm";
import { type Ctx, isId } from "@/core/context";
import { Refusal } from "@/core/refusal";
import { type Licence, licences } from "../schema/licences";
import { keyOf } from "./issue";
import { keyHashes, readForeignKey, readKey } from "./keys";

/** A licence by its id, or its key whole or masked. Refuses with `not_found`. */
export async function licenceNamed(ctx: Ctx, typed: string): Promise<Licence> {
  const [byId] = isId(typed)
    ? await ctx.store.db.select().from(licences).where(eq(licences.id, typed.trim()))
    : [];
  const licence = byId ?? (isId(typed) ? null : await findLicence(ctx, typed));
  if (!licence) throw new Refusal("not_found", { sentence: "There is no such licence, or more than one." });
  return licence;
}

/** A licence by its key, whole or masked; null unless exactly one matches. */
export async function findLicence(ctx: Ctx, typed: string): Promise<Licence | null> {
  const key = readKey(typed) ?? readForeignKey(typed);
  if (key) {
    const [licence] = await ctx.store.db
      .select()
      .from(licences)
      .where(inArray(licences.keyHash, keyHashes(ctx, key)));
    return licence ?? null;
  }
  const tail = /[•*]\s{0,4}-?\s{0,4}([0-9a-z]{4})$/i.exec(typed.trim())?.[1]?.toUpperCase();
  if (!tail) return null;
  const fitting = await licencesEndingIn(ctx, tail);
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

/** Keys are stored sealed, so every one must be opened; in pages, so that requests are served in between. */
async function licencesEndingIn(ctx: Ctx, tail: string): Promise<Licence[]> {
  const found: Licence[] = [];
  for (let after = ""; ;) {
    const page = await ctx.store.db
      .select()
      .from(licences)
      .where(gt(licences.id, after))
      .orderBy(asc(licences.id))
      .limit(500);
    found.push(...page.filter((licence) => keyOf(ctx, licence).endsWith(`-${tail}`)));
    const last = page.at(-1);
    if (!last || found.length > 1) return found;
    after = last.id;
    await Bun.sleep(0);
  }
}
