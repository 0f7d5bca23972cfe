import { and, eq, getTableColumns, inArray, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { addressKey } from "@/contract/vocabulary/addresses";
import type { licenseResource as shape } from "@/contract/wire/webhooks";
import type { Ctx } from "@/core/database/context";
import { accountOfEmail } from "../accounts/sessions/account";
import { statusOf } from "../licences/entitlement/entitlement";
import { levelNameIn } from "../levels/list";
import { accounts } from "../schema/accounts";
import { type Licence, licences } from "../schema/licences";
import { payments } from "../schema/payments";
import { type ChangesQuery, changedAfter, mergeRows, oldestChangeFirst, type Row, rowOf } from "./changes";

/** A licence in webhooks and look-ups. Never has its key. */
export type LicenseResource = z.infer<typeof shape>;

/** One licence by its id; null where {@link licenseResources} has none. */
export const licenseResource = async (ctx: Ctx, licenceId: string): Promise<LicenseResource | null> =>
  (await licenseResources(ctx, [licenceId])).get(licenceId) ?? null;

/** Licences by their ids, in one query. One that was bought in the other Stripe mode is missing: it gives nothing. */
export async function licenseResources(
  ctx: Ctx,
  licenceIds: string[],
): Promise<Map<string, LicenseResource>> {
  if (licenceIds.length === 0) return new Map();
  const rows = await withOwners(ctx, and(inArray(licences.id, licenceIds), isOfMode(ctx)));
  return new Map(rows.map((row) => [row.id, licenceOf(ctx, row)]));
}

export async function licenseRow(ctx: Ctx, id: string): Promise<Row<LicenseResource> | null> {
  const [row] = await withOwners(ctx, and(eq(licences.id, id), isOfMode(ctx)));
  return row ? toRow(ctx, row) : null;
}

/**
 * All licences or those of an address, the oldest change first. In the list of all, a licence whose end has just passed
 * is left out until that is counted as its last change, which takes seconds: it would be in the wrong place.
 */
export async function licenseRows(
  ctx: Ctx,
  { email, ...asked }: ChangesQuery,
): Promise<Row<LicenseResource>[]> {
  const lists = await Promise.all(
    (email === null ? everyMode(ctx) : ofAddress(ctx, email)).map((which) =>
      withOwners(ctx, and(which, changedAfter(licences, asked.after)))
        .orderBy(...oldestChangeFirst(licences))
        .limit(asked.limit),
    ),
  );
  return mergeRows(lists, asked.limit).map((row) => toRow(ctx, row));
}

/** As conditions on `licences`, each of which an index answers in order: those that nobody bought, and the mode's own. */
const everyMode = (ctx: Ctx): (SQL | undefined)[] => {
  const { expiresAt, updated } = licences;
  const counted = sql`(${expiresAt} IS NULL OR ${expiresAt} > ${ctx.now().getTime()} OR ${expiresAt} * 1000 <= ${updated})`;
  const mode = sql`(${licences.livemode} + 0)`;
  return [isNull(mode), eq(mode, Number(ctx.livemode))].map((of) => and(of, counted));
};

/** The same: of the account with the address, or mailed to it and not redeemed yet. */
function ofAddress(ctx: Ctx, email: string): (SQL | undefined)[] {
  const key = addressKey(email);
  const mailed = [
    and(eq(payments.emailKey, key), isNull(payments.giftEmail)),
    and(isNotNull(payments.giftKey), eq(payments.giftKey, key)),
  ].map((sold) => ctx.store.db.select({ id: payments.id }).from(payments).where(sold));
  return [
    eq(licences.accountId, accountOfEmail(ctx, email)),
    ...mailed.map((bought) => and(isNull(licences.redeemedAt), inArray(licences.paymentId, bought))),
  ].map((which) => and(which, isOfMode(ctx)));
}

const isOfMode = ({ livemode }: Pick<Ctx, "livemode">): SQL | undefined =>
  // with a plus, or SQLite would go through all licences of a mode (https://sqlite.org/optoverview.html)
  or(sql`+${licences.livemode} IS NULL`, sql`+${licences.livemode} = ${Number(livemode)}`);

/** Licences with the fields of their orders and owners that a resource shows. */
const withOwners = ({ store: { db } }: Ctx, which: SQL | undefined) =>
  db
    .select({
      ...getTableColumns(licences),
      levelName: levelNameIn(licences.level),
      intentId: payments.intentId,
      buyer: payments.email,
      receiver: payments.giftEmail,
      owner: accounts.email,
      ownerConfirmedAt: accounts.emailConfirmedAt,
    })
    .from(licences)
    .leftJoin(payments, eq(payments.id, licences.paymentId))
    .leftJoin(accounts, eq(accounts.id, licences.accountId))
    .where(which)
    .$dynamic();

type WithOwner = Licence &
  Record<"intentId" | "buyer" | "receiver" | "owner", string | null> & {
    levelName: string;
    ownerConfirmedAt: Date | null;
  };

/** The end changes the state without a write. */
function toRow(ctx: Ctx, row: WithOwner): Row<LicenseResource> {
  const end = row.expiresAt && row.expiresAt <= ctx.now() ? row.expiresAt.getTime() * 1000 : 0;
  return rowOf(row, licenceOf(ctx, row), Math.max(row.updated ?? 0, end));
}

function licenceOf(ctx: Ctx, row: WithOwner): LicenseResource {
  const status = statusOf(ctx, row);
  if (status === "other mode") throw new Error(`the licence ${row.id} is of the other Stripe mode`);
  return {
    license: row.id,
    order: row.intentId ?? row.paymentId,
    account: row.accountId,
    // an erased receiver's address is empty, so that the order stays a gift
    email: row.redeemedAt ? row.owner : (row.receiver ?? row.buyer) || null,
    email_confirmed: row.redeemedAt !== null && row.ownerConfirmedAt !== null,
    level: { id: row.level, name: row.levelName },
    state: status,
    expires_at: row.expiresAt?.toISOString() ?? null,
    devices: row.devices,
  };
}
