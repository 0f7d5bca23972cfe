import { and, eq, isNull, sql } from "drizzle-orm";
import { brand } from "@/brand/brand";
import { audit, type ByHand } from "@/core/audit";
import { commit, mustHaveChanged } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { Refusal } from "@/core/refusal";
import { sealedKey } from "../licences/issue";
import { maskKey, randomKey } from "../licences/keys";
import { memberChanged } from "../licences/member-changed";
import { licences } from "../schema/licences";
import { issuedByHand } from "./by-hand";

type Licence = typeof licences.$inferSelect;

const dayMilliseconds = 86_400_000;
/** Keys of one commit: a running shop waits for no more than these. */
const atOnce = 100;

/**
 * New licences without payments, for so many days each, or null for a lifetime. Yields the keys of each
 * commit as soon as it is on disk, so that whoever is interrupted has every key that exists.
 */
export async function* handOutMany(
  ctx: Ctx,
  wanted: { count: number; days: number | null },
  by: ByHand,
): AsyncGenerator<string[]> {
  for (let left = wanted.count; left > 0; left -= atOnce) {
    const keys = Array.from({ length: Math.min(left, atOnce) }, randomKey);
    await commit(
      ctx.store,
      keys.flatMap((key) => issuedByHand(ctx, { key, type: brand.premium.type, days: wanted.days }, by)),
    );
    yield keys;
  }
}

/** Adds days to a timed licence, from the later of now and its end. Refuses a lifetime with `license_pointless`. */
export async function extendLicence(ctx: Ctx, licence: Licence, days: number, by: ByHand) {
  if (licence.days === null && licence.expiresAt === null) {
    throw new Refusal("license_pointless", { sentence: "A lifetime can't be made longer." });
  }
  const { expiresAt } = licence;
  const from = Math.max(ctx.now().getTime(), expiresAt?.getTime() ?? 0);
  const until = expiresAt && new Date(from + days * dayMilliseconds);
  const asRead = expiresAt
    ? eq(licences.expiresAt, expiresAt)
    : and(isNull(licences.expiresAt), isNull(licences.redeemedAt));
  await commit(ctx.store, [
    ctx.store.db
      .update(licences)
      .set(until ? { expiresAt: until } : { days: sql`${licences.days} + ${days}` })
      .where(and(eq(licences.id, licence.id), asRead)),
    mustHaveChanged("conflict"),
    memberChanged(ctx, { licenceId: licence.id }),
    audit(ctx, {
      ...by,
      action: "licence.extended",
      subject: licence.id,
      accountId: licence.accountId,
      detail: { days },
    }),
  ]);
  ctx.wake();
  return until;
}

/**
 * Gives a licence another key: the leaked one is dead in the same commit, and all else about the licence
 * stays. Resolves to the new key.
 */
export async function rotateKey(ctx: Ctx, licence: Licence, by: ByHand): Promise<string> {
  const key = randomKey();
  await commit(ctx.store, [
    ctx.store.db
      .update(licences)
      .set(sealedKey(ctx, licence.id, key))
      .where(and(eq(licences.id, licence.id), eq(licences.keyHash, licence.keyHash))),
    mustHaveChanged("conflict"),
    audit(ctx, {
      ...by,
      action: "licence.key_rotated",
      subject: licence.id,
      accountId: licence.accountId,
      detail: { key: maskKey(key) },
    }),
  ]);
  return key;
}
