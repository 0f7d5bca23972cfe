import { desc, eq, sql } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import { tokenHash } from "@/core/secrets";
import { accounts } from "../schema/accounts";
import { devices } from "../schema/devices";
import { licences } from "../schema/licences";

export type Holder = NonNullable<Awaited<ReturnType<ReturnType<typeof holderReader>>>>;

/**
 * Prepares the query that every call of the application begins with: the token's account with its device and its
 * licences, the one redeemed last first. The reader resolves to null for an unknown token.
 */
export function holderReader(ctx: Ctx) {
  const query = ctx.store.db
    .select({
      accountId: accounts.id,
      deviceResetAt: accounts.deviceResetAt,
      device: devices,
      licence: {
        type: licences.type,
        paymentStanding: licences.paymentStanding,
        paymentFellAt: licences.paymentFellAt,
        suspendedAt: licences.suspendedAt,
        revokedAt: licences.revokedAt,
        livemode: licences.livemode,
        redeemedAt: licences.redeemedAt,
        expiresAt: licences.expiresAt,
      },
    })
    .from(accounts)
    .leftJoin(devices, eq(devices.accountId, accounts.id))
    .leftJoin(licences, eq(licences.accountId, accounts.id))
    .where(eq(accounts.apiKeyHash, sql.placeholder("hash")))
    .orderBy(desc(licences.redeemedAt), desc(licences.id))
    .prepare();
  return async (token: string) => {
    const rows = await query.all({ hash: tokenHash(token) });
    const [first] = rows;
    if (!first) return null;
    const { accountId, deviceResetAt, device } = first;
    return { accountId, deviceResetAt, device, licences: rows.flatMap(({ licence }) => licence ?? []) };
  };
}
