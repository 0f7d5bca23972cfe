import {
  type AnyColumn,
  and,
  eq,
  exists,
  gt,
  isNotNull,
  isNull,
  or,
  type Placeholder,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import type { deskLicenceStatuses, licenseStates } from "@/contract/vocabulary/statuses";
import type { Ctx } from "@/core/database/context";
import { type Licence, licences } from "../../schema/licences";

/*
 * Entitlement decides about downloads, application tokens, the premium role and the dashboard. It has two forms: a
 * function of a row, and a condition on `licences`. tests/units/entitlement.test.ts compares the two.
 */

export type LicenceStatus = (typeof licenseStates)[number] | "other mode";

type LicenceInput = Pick<
  Licence,
  "paymentStatus" | "suspendedAt" | "revokedAt" | "livemode" | "redeemedAt" | "expiresAt"
>;
type Moment = Pick<Ctx, "livemode" | "now">;

/** The state of a licence in one word. The gravest reason wins. */
export function statusOf(ctx: Moment, licence: LicenceInput): LicenceStatus {
  if (licence.revokedAt || licence.paymentStatus === "revoked") return "revoked";
  if (licence.paymentStatus !== "good") return licence.paymentStatus;
  if (licence.suspendedAt) return "suspended";
  // bought in another Stripe mode than the shop's
  if (licence.livemode !== null && licence.livemode !== ctx.livemode) return "other mode";
  if (!licence.redeemedAt) return "unredeemed";
  return licence.expiresAt && licence.expiresAt <= ctx.now() ? "expired" : "active";
}

/** As it is sent. */
export const wireStatus = (status: LicenceStatus): (typeof deskLicenceStatuses)[number] =>
  status === "other mode" ? "other_mode" : status;

/** Whether this licence entitles its owner now. */
export const isEntitling = (ctx: Moment, licence: LicenceInput) => statusOf(ctx, licence) === "active";

/** {@link isEntitling} as a condition on `licences`. */
export const entitles = (mode: Pick<Ctx, "livemode">, now: Date | Placeholder): SQL | undefined =>
  and(
    isNotNull(licences.redeemedAt),
    isUnhindered(mode),
    or(isNull(licences.expiresAt), gt(licences.expiresAt, now)),
  );

/** As a condition: neither the operator nor the payment ended it, and it was not bought in the other Stripe mode. */
export const isUnhindered = (
  mode: Pick<Ctx, "livemode">,
  /** An alias of the table, where the query has one. */
  of: Record<"paymentStatus" | "suspendedAt" | "revokedAt" | "livemode", AnyColumn> = licences,
): SQL | undefined =>
  and(
    eq(of.paymentStatus, "good"),
    isNull(of.suspendedAt),
    isNull(of.revokedAt),
    or(isNull(of.livemode), eq(of.livemode, mode.livemode)),
  );

/** Whether the account in a column of the surrounding query has an entitling licence. */
export const isEntitled = (ctx: Ctx, accountId: SQLWrapper, now: Date | Placeholder) =>
  exists(
    ctx.store.db
      .select({ one: sql`1` })
      .from(licences)
      .where(and(eq(licences.accountId, accountId), entitles(ctx, now))),
  ).mapWith(Boolean);

/** The levels of which the account in a column of the surrounding query has an entitling licence. */
export const activeLevels = (ctx: Ctx, accountId: SQLWrapper, now: Date | Placeholder) =>
  sql`${ctx.store.db
    .select({ levels: sql`json_group_array(DISTINCT ${licences.level})` })
    .from(licences)
    .where(and(eq(licences.accountId, accountId), entitles(ctx, now)))}`.mapWith(
    (levels: string) => JSON.parse(levels) as string[],
  );

/** How many licences give nothing for the sole reason that they were bought in the other mode. */
export const countOfOtherMode = ({ store, livemode, now }: Ctx): Promise<number> =>
  store.db.$count(
    licences,
    and(
      eq(licences.livemode, !livemode),
      isUnhindered({ livemode: !livemode }),
      or(isNull(licences.expiresAt), gt(licences.expiresAt, now())),
    ),
  );
