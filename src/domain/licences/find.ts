import { eq, inArray } from "drizzle-orm";
import { type Ctx, isId } from "@/core/context";
import { Refusal } from "@/core/refusal";
import { type Licence, licences } from "../schema/licences";
import { keyHashes, keyTails, readForeignKey, readKey } from "./keys";

/** A licence by its id, or its key whole or masked. Refuses with `not_found`. */
export async function licenceNamed(ctx: Ctx, typed: string): Promise<Licence> {
  const [byId] = isId(typed)
    ? await ctx.store.db.select().from(licences).where(eq(licences.id, typed.trim()))
    : [];
  const licence = byId ?? (isId(typed) ? null : await findLicence(ctx, typed));
  if (!licence) throw new Refusal("not_found", { sentence: "There is no such licence, or more than one." });
  return licence;
}

/** A licence by its id alone, since no key stands in a path. Refuses with `not_found`. */
export async function expectLicence({ store: { db } }: Ctx, id: string): Promise<Licence> {
  const [licence] = await db.select().from(licences).where(eq(licences.id, id));
  if (!licence) throw new Refusal("not_found", { sentence: "There is no such licence." });
  return licence;
}

export async function licenceOfKey(ctx: Ctx, key: string): Promise<Licence | null> {
  const [licence] = await ctx.store.db
    .select()
    .from(licences)
    .where(inArray(licences.keyHash, keyHashes(ctx, key)));
  return licence ?? null;
}

/** A licence by its key, whole or masked; null unless exactly one matches. */
export async function findLicence(ctx: Ctx, typed: string): Promise<Licence | null> {
  const key = readKey(typed) ?? readForeignKey(typed);
  if (key) return licenceOfKey(ctx, key);
  const tail = /[•*]\s{0,4}-?\s{0,4}([0-9a-z]{4})$/i.exec(typed.trim())?.[1]?.toUpperCase();
  if (!tail) return null;
  const fitting = await ctx.store.db
    .select()
    .from(licences)
    .where(inArray(licences.keyTail, keyTails(ctx, tail)))
    .limit(2);
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}
