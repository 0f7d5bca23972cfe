import { and, desc, eq, gt, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Ctx } from "@/core/context";
import { tokenHash } from "@/core/secrets";
import { accounts } from "../schema/accounts";
import { isEntitling, isUnhindered } from "../licences/entitlement";
import { licences } from "../schema/licences";

export type TokenOwner = NonNullable<Awaited<ReturnType<ReturnType<typeof tokenOwnerReader>>>>;

/**
 * Prepares the query that begins every call of the application: the token's account with its deciding licences: a
 * lifetime one, the valid timed one that lasts longest, the valid one with the most places, and the one redeemed last,
 * which comes first.
 * The reader resolves to null for an unknown token.
 */
export function tokenOwnerReader(ctx: Ctx) {
  const { db } = ctx.store;
  const one = (which: SQL | undefined, ...order: SQL[]) =>
    db
      .select({ id: other.id })
      .from(other)
      .where(and(eq(other.accountId, accounts.id), which))
      .orderBy(...order)
      .limit(1);
  const counts = and(isNotNull(other.redeemedAt), isUnhindered(ctx, other));
  const deciding = [
    one(and(counts, isNull(other.expiresAt))),
    one(and(counts, gt(other.expiresAt, sql.placeholder("now"))), desc(other.expiresAt)),
    one(
      and(counts, or(isNull(other.expiresAt), gt(other.expiresAt, sql.placeholder("now")))),
      desc(other.devices),
    ),
    one(undefined, desc(other.redeemedAt), desc(other.id)),
  ];
  const query = db
    .select({
      accountId: accounts.id,
      licence: {
        type: licences.type,
        paymentStatus: licences.paymentStatus,
        paymentFellAt: licences.paymentFellAt,
        suspendedAt: licences.suspendedAt,
        revokedAt: licences.revokedAt,
        livemode: licences.livemode,
        redeemedAt: licences.redeemedAt,
        expiresAt: licences.expiresAt,
        devices: licences.devices,
      },
    })
    .from(accounts)
    .leftJoin(
      licences,
      sql`${licences.id} IN (${sql.join(
        deciding.map((found) => sql`(${found})`),
        sql`, `,
      )})`,
    )
    .where(eq(accounts.apiKeyHash, sql.placeholder("hash")))
    .orderBy(desc(licences.redeemedAt), desc(licences.id))
    .prepare();
  return async (token: string) => {
    const rows = await query.all({ hash: tokenHash(token), now: ctx.now().getTime() });
    const [first] = rows;
    if (!first) return null;
    const held = rows.flatMap(({ licence }) => licence ?? []);
    const places = held.filter((licence) => isEntitling(ctx, licence)).map(({ devices }) => devices);
    return { accountId: first.accountId, places: Math.max(0, ...places), licences: held };
  };
}

const other = alias(licences, "other");
