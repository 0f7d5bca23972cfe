import type { Ctx } from "@/core/database/context";
import { isEntitling } from "../licences/entitlement/entitlement";
import { hasRunOut } from "../licences/entitlement/time";
import type { Licence } from "../schema/licences";

export type Entitlement = { type: string; expiresAt: Date | null };
/** `lasting`: for how many computers at a time the licence is that lasts longest. */
export type LicenceResult =
  | { code: "VALID"; entitlement: Entitlement; lasting: number }
  | { code: "NO_LICENSE" | "EXPIRED" | "DISPUTED" | "REVOKED" };

type LicenceInput = Parameters<typeof isEntitling>[1] & Pick<Licence, "level" | "devices" | "paymentFellAt">;

/**
 * What an account's licences currently allow the application. The entitling licence that lasts longest counts. If
 * there is none, the one redeemed last gives the reason, in the order in which the dashboard shows it: expired,
 * disputed, revoked.
 */
export function evaluateLicences(
  ctx: Pick<Ctx, "livemode" | "now">,
  newestFirst: LicenceInput[],
): LicenceResult {
  const entitling = newestFirst.filter((licence) => isEntitling(ctx, licence));
  const [longest] = entitling.toSorted((a, b) => endOf(b) - endOf(a));
  if (longest) {
    const { level: type, expiresAt, devices: lasting } = longest;
    return { code: "VALID", entitlement: { type, expiresAt }, lasting };
  }
  const [last] = newestFirst;
  if (!last) return { code: "NO_LICENSE" };
  if (hasRunOut(last, ctx.now())) return { code: "EXPIRED" };
  return { code: last.paymentStatus === "disputed" ? "DISPUTED" : "REVOKED" };
}

const endOf = ({ expiresAt }: LicenceInput) => expiresAt?.getTime() ?? Number.MAX_SAFE_INTEGER;
