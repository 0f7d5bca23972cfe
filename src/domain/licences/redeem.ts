import { and, eq, isNull, sql } from "drizzle-orm";
import { audit } from "@/core/audit";
import { commit, mustHaveChanged, type Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { isConflict, Refusal } from "@/core/refusal";
import type { RefusalCode } from "@/contract/refusals";
import { accounts } from "../schema/accounts";
import { entitles, isUnhindered, statusOf } from "./entitlement";
import { licenceOfKey } from "./find";
import { readForeignKey, readKey } from "./keys";
import { memberChanged } from "./member-changed";
import { type Licence, licences } from "../schema/licences";

const dayMilliseconds = 86_400_000;

/**
 * Redeems a key for an account. Resolves to the new expiry, null for a lifetime.
 * Refuses with one of the `license_*` codes; the key then stays as it was.
 */
export async function redeem(ctx: Ctx, accountId: string, typed: string): Promise<Date | null> {
  for (;;) {
    const licence = await redeemableLicence(ctx, typed, accountId);
    const [account] = await ctx.store.db
      .select({ redemptions: accounts.redemptions })
      .from(accounts)
      .where(eq(accounts.id, accountId));
    if (!account) throw new Refusal("unauthenticated");
    const expires = expiryFor(licence, await currentExpiry(ctx, accountId), ctx.now());
    try {
      await commit(ctx.store, [
        // first, because it fails if the account was erased meanwhile
        countRedemption(ctx, accountId, account.redemptions),
        mustHaveChanged("conflict"),
        ...claim(ctx, licence, { accountId, expires }),
      ]);
      ctx.wake();
      return expires;
    } catch (error) {
      // the licence or what the account holds changed in between: read again
      if (!isConflict(error)) throw error;
    }
  }
}

/** The licence of a typed key, if it may be redeemed; refuses with the reason otherwise. `by` is the asking account, if any. */
export async function redeemableLicence(ctx: Ctx, typed: string, by?: string): Promise<Licence> {
  const own = readKey(typed);
  const key = own ?? readForeignKey(typed);
  if (!key) throw new Refusal("license_malformed", { field: "key" });
  const licence = await licenceOfKey(ctx, key);
  if (!licence) throw new Refusal(own ? "license_unknown" : "license_malformed", { field: "key" });
  const obstacle = obstacleTo(ctx, licence, by);
  if (obstacle) throw new Refusal(obstacle, { field: "key" });
  return licence;
}

/** Why a licence can't be redeemed, or null if it can. */
function obstacleTo(ctx: Ctx, licence: Licence, by: string | undefined): RefusalCode | null {
  const status = statusOf(ctx, licence);
  // a request repeated because its answer was lost learns that it had succeeded
  const spent = licence.accountId === by ? "license_yours" : "license_taken";
  return status === "active" || status === "expired" ? spent : obstacles[status];
}

const obstacles = {
  unredeemed: null,
  revoked: "license_revoked",
  disputed: "license_disputed",
  refunded: "license_refunded",
  suspended: "license_suspended",
  "other mode": "license_other_mode",
} as const;

/**
 * When a licence redeemed now expires: a timed one extends from the later of now and the expiry held. Refuses a
 * licence that would add nothing. `held` is undefined if the account holds nothing, null if it holds a lifetime.
 */
export function expiryFor(licence: Pick<Licence, "days">, held: Date | null | undefined, now: Date) {
  if (held === null) throw new Refusal("license_pointless", { field: "key" });
  if (licence.days === null) return null;
  const from = Math.max(now.getTime(), held?.getTime() ?? 0);
  return new Date(from + licence.days * dayMilliseconds);
}

/**
 * The writes that redeem a licence for one account. They fail with `conflict` if the licence has changed since it
 * was read; reading it again tells why.
 */
export function claim(
  ctx: Ctx,
  licence: Pick<Licence, "id" | "keyHash">,
  to: { accountId: string; expires: Date | null },
): Write[] {
  return [
    ctx.store.db
      .update(licences)
      .set({ accountId: to.accountId, redeemedAt: ctx.now(), expiresAt: to.expires })
      .where(
        and(
          eq(licences.id, licence.id),
          // the key may have been replaced since it was looked up
          eq(licences.keyHash, licence.keyHash),
          isNull(licences.redeemedAt),
          isUnhindered(ctx),
        ),
      ),
    mustHaveChanged("conflict"),
    memberChanged(ctx, { accountId: to.accountId }),
    audit(ctx, {
      actor: to.accountId,
      action: "licence.redeemed",
      subject: licence.id,
      accountId: to.accountId,
    }),
  ];
}

/**
 * The writes that add a licence to the account of the buyer it is sold to in the same commit. Its time runs from when
 * it was paid. They fail with `conflict` if the account was erased, or has redeemed something since it was read.
 */
export const addSold = (
  ctx: Ctx,
  licence: Pick<Licence, "id" | "days">,
  to: { id: string; redemptions: number; held: Date | undefined; paidAt: Date },
): Write[] => [
  countRedemption(ctx, to.id, to.redemptions),
  mustHaveChanged("conflict"),
  ctx.store.db
    .update(licences)
    .set({ accountId: to.id, redeemedAt: to.paidAt, expiresAt: expiryFor(licence, to.held, to.paidAt) })
    .where(and(eq(licences.id, licence.id), isNull(licences.redeemedAt))),
  memberChanged(ctx, { accountId: to.id }),
  audit(ctx, { actor: "shop", action: "licence.added", subject: licence.id, accountId: to.id }),
];

const countRedemption = (ctx: Ctx, accountId: string, seen: number): Write =>
  ctx.store.db
    .update(accounts)
    .set({ redemptions: sql`${accounts.redemptions} + 1` })
    .where(and(eq(accounts.id, accountId), eq(accounts.redemptions, seen)));

/** The latest expiry of the account's entitling licences; null for a lifetime, undefined if it has none. */
export async function currentExpiry(ctx: Ctx, accountId: string): Promise<Date | null | undefined> {
  const held = await ctx.store.db
    .select({ expiresAt: licences.expiresAt })
    .from(licences)
    .where(and(eq(licences.accountId, accountId), entitles(ctx, ctx.now())));
  if (held.length === 0) return undefined;
  if (held.some((licence) => licence.expiresAt === null)) return null;
  return new Date(Math.max(...held.map((licence) => licence.expiresAt?.getTime() ?? 0)));
}
