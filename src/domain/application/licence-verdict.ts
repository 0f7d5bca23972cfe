import { desc, eq } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import { isActive } from "../licences/entitlement";
import { licences } from "../schema/licences";

export type Entitlement = { type: string; expiresAt: Date | null };
export type LicenceVerdict =
  { code: "VALID"; entitlement: Entitlement } | { code: "NO_LICENSE" | "EXPIRED" | "DISPUTED" | "REVOKED" };

type Licence = Pick<
  typeof licences.$inferSelect,
  "type" | "paymentStanding" | "suspendedAt" | "revokedAt" | "expiresAt" | "livemode"
>;

/** What an account's licences allow the application now. */
export async function licenceVerdict(ctx: Ctx, accountId: string): Promise<LicenceVerdict> {
  const own = await ctx.store.db
    .select()
    .from(licences)
    .where(eq(licences.accountId, accountId))
    .orderBy(desc(licences.redeemedAt), desc(licences.id));
  return judgeLicences(own, ctx.now(), ctx);
}

/**
 * The licence that lasts longest entitles. Where none does, the one redeemed last says why not, in the
 * order in which the dashboard shows it: expired, disputed, taken away.
 */
export function judgeLicences(
  newestFirst: Licence[],
  now: Date,
  mode: Pick<Ctx, "livemode">,
): LicenceVerdict {
  const entitling = newestFirst.filter(
    (licence) => isActive(mode, licence) && (licence.expiresAt === null || licence.expiresAt > now),
  );
  const [longest] = entitling.toSorted((a, b) => lasts(b) - lasts(a));
  if (longest) {
    return { code: "VALID", entitlement: { type: longest.type, expiresAt: longest.expiresAt } };
  }
  const [last] = newestFirst;
  if (!last) return { code: "NO_LICENSE" };
  if (last.expiresAt && last.expiresAt <= now) return { code: "EXPIRED" };
  return { code: last.paymentStanding === "disputed" ? "DISPUTED" : "REVOKED" };
}

const lasts = ({ expiresAt }: Licence) => expiresAt?.getTime() ?? Number.MAX_SAFE_INTEGER;
