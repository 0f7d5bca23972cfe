import { brand } from "@/brand/brand";
import type { By } from "@/core/actor";
import { record } from "@/core/audit";
import { commit, type Write } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import { authorize } from "../permissions";
import { issue } from "./issue";
import { maskKey, randomKey } from "./keys";

/** Issues a licence without a payment, for `days` or, with null, for life. Resolves to its key. */
export async function handOut(ctx: Ctx, days: number | null, by: By): Promise<string> {
  authorize(by, "licence.issue");
  const key = randomKey();
  await commit(ctx.store, issueWrites(ctx, { key, type: brand.premium.type, days }, by));
  return key;
}

type Made = {
  id?: string;
  key: string;
  type: string;
  days: number | null;
  devices?: number;
  offer?: string | null;
};

/** The writes that issue a licence without a payment, and its audit entry. */
export function issueWrites(
  ctx: Ctx,
  made: Made,
  by: By,
  action: "licence.issued" | "licence.imported" = "licence.issued",
): Write[] {
  const id = made.id ?? newId();
  const detail = { key: maskKey(made.key), days: made.days };
  return [issue(ctx, { ...made, id }), record(ctx, { ...by, action, subject: id, detail })];
}

/** Keys per commit. A running shop waits while a commit is written. */
const atOnce = 100;

/**
 * Issues many licences without payments. Yields the keys of each commit as soon as it is on disk, so that an
 * interrupted caller has every key that exists.
 */
export async function* handOutMany(
  ctx: Ctx,
  wanted: { count: number; days: number | null },
  by: By,
): AsyncGenerator<string[]> {
  authorize(by, "licence.issue");
  for (let left = wanted.count; left > 0; left -= atOnce) {
    const keys = Array.from({ length: Math.min(left, atOnce) }, randomKey);
    await commit(
      ctx.store,
      keys.flatMap((key) => issueWrites(ctx, { key, type: brand.premium.type, days: wanted.days }, by)),
    );
    yield keys;
  }
}
