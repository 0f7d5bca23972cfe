import { and, eq, getTableColumns, inArray, isNull, or, type SQL } from "drizzle-orm";
import type { z } from "zod";
import type { licenseResource as shape } from "@/contract/webhooks";
import type { Ctx } from "@/core/context";
import { statusOf } from "../licences/entitlement";
import { accounts } from "../schema/accounts";
import { type Licence, licences } from "../schema/licences";
import { payments } from "../schema/payments";

/** A licence as other systems are told of it, in webhooks and look-ups. Never its key. */
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
  const rows = await licencesWithOwners(ctx).where(and(inArray(licences.id, licenceIds), isOfMode(ctx)));
  return new Map(rows.map((row) => [row.id, licenceOf(ctx, row)]));
}

/** As a condition on `licences`. */
const isOfMode = ({ livemode }: Pick<Ctx, "livemode">): SQL | undefined =>
  or(isNull(licences.livemode), eq(licences.livemode, livemode));

/** Licences with what their resource tells of their orders and owners. */
const licencesWithOwners = ({ store: { db } }: Ctx) =>
  db
    .select({
      ...getTableColumns(licences),
      intentId: payments.intentId,
      buyer: payments.email,
      receiver: payments.giftEmail,
      owner: accounts.email,
    })
    .from(licences)
    .leftJoin(payments, eq(payments.id, licences.paymentId))
    .leftJoin(accounts, eq(accounts.id, licences.accountId));

type Row = Licence & Record<"intentId" | "buyer" | "receiver" | "owner", string | null>;

function licenceOf(ctx: Ctx, row: Row): LicenseResource {
  const status = statusOf(ctx, row);
  if (status === "other mode") throw new Error(`the licence ${row.id} is of the other Stripe mode`);
  return {
    license: row.id,
    order: row.intentId ?? row.paymentId,
    account: row.accountId,
    // an erased receiver's address is empty, so that the order stays a gift
    email: row.redeemedAt ? row.owner : (row.receiver ?? row.buyer) || null,
    state: status,
    expires_at: row.expiresAt?.toISOString() ?? null,
    devices: 1,
  };
}
