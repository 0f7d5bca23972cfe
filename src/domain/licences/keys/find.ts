import { eq, inArray } from "drizzle-orm";
import { bareKey, plainTyped } from "@/contract/vocabulary/typed-codes";
import { type Ctx, readId } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { type Licence, licences } from "../../schema/licences";
import { keyForms, keyHashes, keyTails } from "./keys";

/** A licence by its id, or its key whole or masked. Refuses with `not_found`. */
export async function licenceNamed(ctx: Ctx, typed: string): Promise<Licence> {
  const id = readId(typed);
  const licence = await (id === null ? findLicence(ctx, typed) : licenceById(ctx, id));
  if (!licence) throw new Refusal("not_found", { sentence: "There is no such licence, or more than one." });
  return licence;
}

/** A licence by its id alone, since a path never has a key. Refuses with `not_found`. */
export async function expectLicence(ctx: Ctx, id: string): Promise<Licence> {
  const licence = await licenceById(ctx, id);
  if (!licence) throw new Refusal("not_found", { sentence: "There is no such licence." });
  return licence;
}

async function licenceById({ store: { db } }: Ctx, id: string): Promise<Licence | null> {
  const [licence] = await db.select().from(licences).where(eq(licences.id, id));
  return licence ?? null;
}

/** The licence of a whole key, as people type or paste it. */
export async function licenceOfKey(ctx: Ctx, typed: string): Promise<Licence | null> {
  const hashes = keyForms(typed).map((form) => keyHashes(ctx, form));
  const found = await ctx.store.db.select().from(licences).where(inArray(licences.keyHash, hashes.flat()));
  const ofForms = hashes.map((those) => found.find(({ keyHash }) => those.includes(keyHash)));
  return ofForms.find((licence) => licence !== undefined) ?? null;
}

/** A licence by its key, whole or masked; null unless exactly one matches. */
export async function findLicence(ctx: Ctx, typed: string): Promise<Licence | null> {
  const licence = await licenceOfKey(ctx, typed);
  if (licence) return licence;
  const tail = maskedTail(typed);
  if (tail === undefined) return null;
  const fitting = await ctx.store.db
    .select()
    .from(licences)
    .where(inArray(licences.keyTail, keyTails(ctx, tail)))
    .limit(2);
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

const maskedTail = (typed: string): string | undefined =>
  /[•*]\s{0,4}-?\s{0,4}([0-9a-z]{4})[\p{P}\p{S}]{0,4}$/iu.exec(plainTyped(typed))?.[1]?.toUpperCase();

/** The last group of a key, of a typed masked one or alone. */
export const typedTail = (typed: string): string | undefined =>
  maskedTail(typed) ?? /^[0-9A-Z]{4}$/.exec(bareKey(typed).toUpperCase())?.[0];
