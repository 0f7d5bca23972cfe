import { eq } from "drizzle-orm";
import type { By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, type Write } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { authorize, expectConfirmed } from "../../permissions";
import { levelToGive } from "../../levels/list";
import { type Licence, licences } from "../../schema/licences";
import { issueNewWrites, keyOf } from "./issue";
import { maskKey, randomKey } from "./keys";

/** The id of a level, by default the first; for how long, null being a lifetime; for how many computers at a time. */
type Terms = { level?: string | undefined; days: number | null; devices?: number | undefined };

/**
 * Issues a licence without a payment, for one computer unless the terms say more. Resolves to its key. Refuses as
 * {@link levelToGive}.
 */
export async function handOut(ctx: Ctx, terms: Terms, by: By): Promise<string> {
  authorize(by, "licence.issue");
  expectConfirmed(ctx, by, "licence.issue");
  const key = randomKey();
  const { id: level } = await levelToGive(ctx, terms.level);
  await commit(ctx.store, issueWrites(ctx, { ...terms, key, level }, by));
  return key;
}

type NewLicence = Terms & { id?: string; key: string; level: string; offer?: string | null };

/** The writes that issue a licence without a payment, and its audit entry. */
export function issueWrites(
  ctx: Ctx,
  made: NewLicence,
  by: By,
  action: "licence.issued" | "licence.imported" = "licence.issued",
): Write[] {
  const id = made.id ?? newId();
  const detail = { key: maskKey(made.key), days: made.days, devices: made.devices ?? 1 };
  return [...issueNewWrites(ctx, { ...made, id }), record(ctx, { ...by, action, subject: id, detail })];
}

/** Keys per commit. A running shop waits while a commit is written. */
const atOnce = 100;

/**
 * Issues many licences without payments. Yields the keys of each commit as soon as it is on disk, so that an
 * interrupted caller has every key that exists.
 */
export async function* handOutMany(
  ctx: Ctx,
  { count, ...terms }: Terms & { count: number },
  by: By,
): AsyncGenerator<string[]> {
  authorize(by, "licence.issue");
  const { id: level } = await levelToGive(ctx, terms.level);
  for (let left = count; left > 0; left -= atOnce) {
    const keys = Array.from({ length: Math.min(left, atOnce) }, randomKey);
    await commit(
      ctx.store,
      keys.flatMap((key) => issueWrites(ctx, { ...terms, key, level }, by)),
    );
    yield keys;
  }
}

/** A licence's whole key for staff; the log says who saw it, before they do. */
export async function revealKey(ctx: Ctx, licence: Licence, by: By): Promise<string> {
  authorize(by, "licence.reveal_key");
  expectConfirmed(ctx, by, "licence.reveal_key");
  const { id, accountId } = licence;
  await commit(ctx.store, [record(ctx, { ...by, action: "licence.key_revealed", subject: id, accountId })]);
  // the key may have been replaced meanwhile
  const [now] = await ctx.store.db.select().from(licences).where(eq(licences.id, id));
  return keyOf(ctx, now ?? licence);
}
