import type { Ctx } from "@/core/context";
import type { Licence } from "../schema/licences";
import { isOfMode } from "./entitlement";

export type LicenceStatus =
  "active" | "unredeemed" | "expired" | "suspended" | "disputed" | "refunded" | "revoked" | "other mode";

/** The one word for a licence's state. */
export function statusOf(ctx: Ctx, licence: Licence): LicenceStatus {
  if (licence.revokedAt || licence.paymentStanding === "revoked") return "revoked";
  if (licence.paymentStanding !== "good") return licence.paymentStanding;
  if (licence.suspendedAt) return "suspended";
  if (!isOfMode(ctx, licence)) return "other mode";
  if (!licence.redeemedAt) return "unredeemed";
  return licence.expiresAt && licence.expiresAt <= ctx.now() ? "expired" : "active";
}
