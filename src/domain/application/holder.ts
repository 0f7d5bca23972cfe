import { eq, sql } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import { tokenHash } from "@/core/secrets";
import { accounts } from "../schema/accounts";
import { devices } from "../schema/devices";

export type Holder = NonNullable<Awaited<ReturnType<ReturnType<typeof holderReader>>>>;

/**
 * Prepares the query that every call of the application begins with: the token's account and its device. The
 * reader resolves to null for an unknown token.
 */
export function holderReader(ctx: Ctx) {
  const query = ctx.store.db
    .select({ accountId: accounts.id, deviceResetAt: accounts.deviceResetAt, device: devices })
    .from(accounts)
    .leftJoin(devices, eq(devices.accountId, accounts.id))
    .where(eq(accounts.apiKeyHash, sql.placeholder("hash")))
    .prepare();
  return async (token: string) => (await query.all({ hash: tokenHash(token) }))[0] ?? null;
}
