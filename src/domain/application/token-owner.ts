import { desc, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { type Application, application } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { tokenHash } from "@/core/secrets/secrets";
import { seatsIn } from "../devices/read";
import type { Ladder } from "../levels/ladder";
import { ladderIn } from "../levels/list";
import { activeLicences, type ActiveLicence } from "../licences/entitlement/active";
import { accounts } from "../schema/accounts";
import { type Device, devices, deviceTokens } from "../schema/devices";
import { licences } from "../schema/licences";
import { codeHashes, isDeviceToken } from "./codes";

type Row = {
  accountId: string;
  active: ActiveLicence[];
  ladder: Ladder;
  newest: { [K in keyof typeof newest]: (typeof licences.$inferSelect)[K] } | null;
  device?: Device;
};

/** The account that a call of the application is for, with the licences that decide. */
export type TokenOwner = Omit<Row, "device"> & {
  seats: number;
  /** The only computer that the token is for; null of the account's own token, which is for all. */
  device: Device | null;
};

/** Who acts in a call with such a token. */
export const actorOf = ({ accountId, device }: TokenOwner): Application =>
  application(accountId, device?.id ?? null);

/** What tells why an account without an active licence has none. */
const newest = {
  paymentStatus: licences.paymentStatus,
  paymentFellAt: licences.paymentFellAt,
  suspendedAt: licences.suspendedAt,
  revokedAt: licences.revokedAt,
  expiresAt: licences.expiresAt,
};

/**
 * Prepares the query that begins every call of the application: the token's account with the licences that decide. The
 * reader resolves to null for an unknown token.
 */
export function tokenOwnerReader(ctx: Ctx) {
  const { db } = ctx.store;
  const selected = selectedFor(ctx);
  const byKey = db
    .select(selected)
    .from(accounts)
    .leftJoin(licences, isNewest(ctx))
    .where(eq(accounts.apiKeyHash, sql.placeholder("hash")))
    .prepare();
  const ofDevice = db
    .select({ ...selected, device: devices })
    .from(deviceTokens)
    .innerJoin(devices, eq(devices.id, deviceTokens.deviceId))
    .innerJoin(accounts, eq(accounts.id, devices.accountId))
    .leftJoin(licences, isNewest(ctx))
    .where(sql`${deviceTokens.tokenHash} IN (SELECT value FROM json_each(${sql.placeholder("hashes")}))`)
    .prepare();
  return async (token: string): Promise<TokenOwner | null> => {
    const now = ctx.now().getTime();
    const hashes = isDeviceToken(token) ? JSON.stringify(codeHashes(ctx, "token", token)) : null;
    return ownerIn(
      hashes === null
        ? await byKey.all({ hash: tokenHash(token), now })
        : await ofDevice.all({ hashes, now }),
    );
  };
}

/** The {@link TokenOwner} of an account, for calls of its owner or staff. */
export async function ownerOf(ctx: Ctx, accountId: string): Promise<TokenOwner | null> {
  const query = ctx.store.db
    .select(selectedFor(ctx))
    .from(accounts)
    .leftJoin(licences, isNewest(ctx))
    .where(eq(accounts.id, accountId))
    .prepare();
  return ownerIn(await query.all({ now: ctx.now().getTime() }));
}

const selectedFor = (ctx: Ctx) => ({
  accountId: accounts.id,
  active: activeLicences(ctx, accounts.id, sql.placeholder("now")),
  ladder: ladderIn(),
  newest,
});

function ownerIn([first]: Row[]): TokenOwner | null {
  return first ? { device: null, ...first, seats: seatsIn(first.active) } : null;
}

/** As a condition: the licence that the account redeemed last. */
function isNewest({ store: { db } }: Ctx): SQL {
  const last = db
    .select({ id: other.id })
    .from(other)
    .where(eq(other.accountId, accounts.id))
    .orderBy(desc(other.redeemedAt), desc(other.id))
    .limit(1);
  return eq(licences.id, last);
}

const other = alias(licences, "other");
