import { and, eq, gt, isNotNull, isNull, or, type Placeholder, type SQL } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import { licences } from "../schema/licences";

type LicenceState = Pick<
  typeof licences.$inferSelect,
  "paymentStanding" | "suspendedAt" | "revokedAt" | "livemode"
>;
type Mode = Pick<Ctx, "livemode">;

/** Active: neither the operator nor the payment behind it has taken the licence away. */
export const isActive = (mode: Mode, licence: LicenceState) =>
  licence.paymentStanding === "good" &&
  licence.suspendedAt === null &&
  licence.revokedAt === null &&
  isOfMode(mode, licence);

/** Bought with the kind of money that the shop takes now, or not bought at all. */
export const isOfMode = ({ livemode }: Mode, licence: Pick<LicenceState, "livemode">) =>
  licence.livemode === null || licence.livemode === livemode;

/** How many licences were bought in the other mode, and so give nothing. */
export const countOfOtherMode = ({ store, livemode }: Ctx): Promise<number> =>
  store.db.$count(licences, eq(licences.livemode, !livemode));

/**
 * Entitlement, the one fact that downloads, application tokens, the premium role and the dashboard
 * read: some redeemed licence that is active, not disputed, not expired, and not bought in another mode
 * than the shop runs in. As a condition on `licences`.
 */
export const entitles = (mode: Mode, now: Date | Placeholder): SQL | undefined =>
  and(
    isNotNull(licences.redeemedAt),
    eq(licences.paymentStanding, "good"),
    isNull(licences.suspendedAt),
    isNull(licences.revokedAt),
    or(isNull(licences.livemode), eq(licences.livemode, mode.livemode)),
    or(isNull(licences.expiresAt), gt(licences.expiresAt, now)),
  );
