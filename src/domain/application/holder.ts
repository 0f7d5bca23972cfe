import { eq, sql } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import { tokenHash } from "@/core/secrets";
import { accounts } from "../schema/accounts";
import { devices } from "../schema/devices";

export type Holder = NonNullable<Awaited<ReturnType<ReturnType<typeof holderReader>>>>;

/**
 * Prepares the query by which every call of the application begins: the account that a token belongs to,
 * with its device. The reader resolves to null when the token is nobody's.
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
