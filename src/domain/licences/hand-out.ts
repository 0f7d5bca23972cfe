import { brand } from "@/brand/brand";
import { audit, type ByHand } from "@/core/audit";
import { commit, type Write } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import { issue } from "./issue";
import { maskKey, randomKey } from "./keys";

/** A new licence without a payment; for so many days, or null for a lifetime. Resolves to its key. */
export async function handOut(ctx: Ctx, days: number | null, by: ByHand): Promise<string> {
  const key = randomKey();
  await commit(ctx.store, issuedByHand(ctx, { key, type: brand.premium.type, days }, by));
  return key;
}

type Made = { key: string; type: string; days: number | null };

/** The writes of a licence without a payment, and of how it came to be. */
export function issuedByHand(
  ctx: Ctx,
  made: Made,
  by: ByHand,
  action: "licence.issued" | "licence.imported" = "licence.issued",
): Write[] {
  const id = newId();
  const detail = { key: maskKey(made.key), days: made.days };
  return [issue(ctx, { ...made, id }), audit(ctx, { ...by, action, subject: id, detail })];
}

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
