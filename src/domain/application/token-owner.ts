import { and, desc, eq, gt, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { type Application, application } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { tokenHash } from "@/core/secrets/secrets";
import { isEntitling, isUnhindered } from "../licences/entitlement/entitlement";
import { accounts } from "../schema/accounts";
import { type Device, devices, deviceTokens } from "../schema/devices";
import { licences } from "../schema/licences";
import { codeHashes, isDeviceToken } from "./codes";

type Row = {
  accountId: string;
  licence: { [K in keyof typeof columns]: (typeof licences.$inferSelect)[K] } | null;
  device?: Device;
};

/** The account that a call of the application is for, with its deciding licences. */
export type TokenOwner = {
  accountId: string;
  seats: number;
  /** The one redeemed last comes first. */
  licences: NonNullable<Row["licence"]>[];
  /** The only computer that the token is for; null of the account's own token, which is for all. */
  device: Device | null;
};

/** Who acts in a call with such a token. */
export const actorOf = ({ accountId, device }: TokenOwner): Application =>
  application(accountId, device?.id ?? null);

const columns = {
  level: licences.level,
  paymentStatus: licences.paymentStatus,
  paymentFellAt: licences.paymentFellAt,
  suspendedAt: licences.suspendedAt,
  revokedAt: licences.revokedAt,
  livemode: licences.livemode,
  redeemedAt: licences.redeemedAt,
  expiresAt: licences.expiresAt,
  devices: licences.devices,
};
const selected = { accountId: accounts.id, licence: columns };
const newestFirst = [desc(licences.redeemedAt), desc(licences.id)];

/**
 * Prepares the query that begins every call of the application: the token's account with its deciding licences. The
 * reader resolves to null for an unknown token.
 */
export function tokenOwnerReader(ctx: Ctx) {
  const { db } = ctx.store;
  const byKey = db
    .select(selected)
    .from(accounts)
    .leftJoin(licences, isDeciding(ctx))
    .where(eq(accounts.apiKeyHash, sql.placeholder("hash")))
    .orderBy(...newestFirst)
    .prepare();
  const ofDevice = db
    .select({ ...selected, device: devices })
    .from(deviceTokens)
    .innerJoin(devices, eq(devices.id, deviceTokens.deviceId))
    .innerJoin(accounts, eq(accounts.id, devices.accountId))
    .leftJoin(licences, isDeciding(ctx))
    .where(sql`${deviceTokens.tokenHash} IN (SELECT value FROM json_each(${sql.placeholder("hashes")}))`)
    .orderBy(...newestFirst)
    .prepare();
  return async (token: string): Promise<TokenOwner | null> => {
    const now = ctx.now().getTime();
    const hashes = isDeviceToken(token) ? JSON.stringify(codeHashes(ctx, "token", token)) : null;
    return ownerIn(
      ctx,
      hashes === null
        ? await byKey.all({ hash: tokenHash(token), now })
        : await ofDevice.all({ hashes, now }),
    );
  };
}

/** The {@link TokenOwner} of an account, for calls of its owner or staff. */
export async function ownerOf(ctx: Ctx, accountId: string): Promise<TokenOwner | null> {
  const query = ctx.store.db
    .select(selected)
    .from(accounts)
    .leftJoin(licences, isDeciding(ctx))
    .where(eq(accounts.id, accountId))
    .orderBy(...newestFirst)
    .prepare();
  return ownerIn(ctx, await query.all({ now: ctx.now().getTime() }));
}

function ownerIn(ctx: Ctx, rows: Row[]): TokenOwner | null {
  const [first] = rows;
  if (!first) return null;
  const held = rows.flatMap(({ licence }) => licence ?? []);
  const seats = held.filter((licence) => isEntitling(ctx, licence)).map((licence) => licence.devices);
  return {
    accountId: first.accountId,
    seats: Math.max(0, ...seats),
    licences: held,
    device: first.device ?? null,
  };
}

/**
 * The licences of an account that decide: a lifetime one, the valid timed one that lasts longest, the valid one with the
 * most seats, and the one redeemed last.
 */
function isDeciding(ctx: Ctx): SQL {
  const one = (which: SQL | undefined, ...order: SQL[]) =>
    ctx.store.db
      .select({ id: other.id })
      .from(other)
      .where(and(eq(other.accountId, accounts.id), which))
      .orderBy(...order)
      .limit(1);
  const counts = and(isNotNull(other.redeemedAt), isUnhindered(ctx, other));
  const lasts = gt(other.expiresAt, sql.placeholder("now"));
  const deciding = [
    one(and(counts, isNull(other.expiresAt))),
    one(and(counts, lasts), desc(other.expiresAt)),
    one(and(counts, or(isNull(other.expiresAt), lasts)), desc(other.devices)),
    one(undefined, desc(other.redeemedAt), desc(other.id)),
  ];
  return sql`${licences.id} IN (${sql.join(
    deciding.map((found) => sql`(${found})`),
    sql`, `,
  )})`;
}

const other = alias(licences, "other");
