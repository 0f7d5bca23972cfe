import { eq, inArray } from "drizzle-orm";
import { addressKey } from "@/contract/vocabulary/addresses";
import type { Ctx } from "@/core/database/context";
import { unsubscribed } from "../schema/unsubscribed";

/** The hash under which an address's choice is stored: by the oldest retained key, so that it never changes. */
export const wishOf = (ctx: Ctx, email: string): string =>
  ctx.secrets.fingerprints("mailed-link", `address:${addressKey(email)}`).at(-1) ?? "";

/** Since when each of these addresses is unsubscribed; at most a few hundred at once. */
export async function unsubscribedAmong(ctx: Ctx, emails: string[]): Promise<Map<string, Date>> {
  if (emails.length === 0) return new Map();
  const hashes = new Map(emails.map((email) => [email, wishOf(ctx, email)]));
  const rows = await ctx.store.db
    .select()
    .from(unsubscribed)
    .where(inArray(unsubscribed.addressHash, [...new Set(hashes.values())]));
  const since = new Map(rows.map(({ addressHash, at }) => [addressHash, at]));
  return new Map(
    [...hashes].flatMap(([email, hash]) => {
      const at = since.get(hash);
      return at ? [[email, at] as const] : [];
    }),
  );
}

/** Since when an address is unsubscribed; null if it is not. */
export async function unsubscribedSince(ctx: Ctx, email: string | null): Promise<Date | null> {
  if (email === null) return null;
  const [row] = await ctx.store.db
    .select()
    .from(unsubscribed)
    .where(eq(unsubscribed.addressHash, wishOf(ctx, email)));
  return row?.at ?? null;
}
