import type { Ctx } from "@/core/database/context";
import { hasRunOut } from "../licences/entitlement/time";
import type { TokenOwner } from "./token-owner";

export type LicenceResult = { code: "VALID" } | { code: "NO_LICENSE" | "EXPIRED" | "DISPUTED" | "REVOKED" };

/**
 * What an account's licences currently allow the application. If none is active, the one redeemed last gives the
 * reason, in the order in which the dashboard shows it: expired, disputed, revoked.
 */
export function evaluateLicences(
  ctx: Pick<Ctx, "now">,
  { active, newest }: Pick<TokenOwner, "active" | "newest">,
): LicenceResult {
  if (active.length > 0) return { code: "VALID" };
  if (!newest) return { code: "NO_LICENSE" };
  if (hasRunOut(newest, ctx.now())) return { code: "EXPIRED" };
  return { code: newest.paymentStatus === "disputed" ? "DISPUTED" : "REVOKED" };
}
