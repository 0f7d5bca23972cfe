import { and, eq, gt, isNotNull, isNull, or, type Placeholder, type SQL } from "drizzle-orm";
import { licences } from "./tables";

type Standing = Pick<typeof licences.$inferSelect, "paymentStanding" | "suspendedAt" | "revokedAt">;

/** Active: neither the operator nor the payment behind it has taken the licence away. */
export const isActive = (licence: Standing) =>
  licence.paymentStanding === "good" && licence.suspendedAt === null && licence.revokedAt === null;

/**
 * Entitlement, the one fact that downloads, application tokens, the premium role and the dashboard
 * read: some redeemed licence that is active, not disputed, not expired. As a condition on `licences`.
 */
export const entitles = (now: Date | Placeholder): SQL | undefined =>
  and(
    isNotNull(licences.redeemedAt),
    eq(licences.paymentStanding, "good"),
    isNull(licences.suspendedAt),
    isNull(licences.revokedAt),
    or(isNull(licences.expiresAt), gt(licences.expiresAt, now)),
  );
