import { and, eq, exists, inArray, isNull, sql } from "drizzle-orm";
import { type By, customer, type SiteCustomer, theShop } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, mustHaveChanged, retryOnConflict, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import type { RefusalCode } from "@/contract/vocabulary/refusals";
import { authorize } from "../../permissions";
import { lifetimeGainedWrites } from "./check-subscriptions";
import { endWrites, type AccountLicences } from "../entitlement/account-licences";
import { coveredText, readHoldings, useOf } from "../entitlement/holdings";
import { isUnhindered, statusOf } from "../entitlement/entitlement";
import { licenceOfKey } from "../keys/find";
import { readKey } from "../keys/keys";
import { queueRoleReconciliation } from "./entitlement-changed";
import { adoptSubscription } from "../entitlement/subscriptions";
import { type Licence, licenceExtensions, licences } from "../../schema/licences";
import { payments } from "../../schema/payments";
import { endsOf, type Extension, type HeldLicence } from "../entitlement/time";

type RedeemOptions = {
  /** Of the checkouts that the customer's browser began. */
  browserHashes?: string[];
  /** Further writes of the commit, computed again at each try. */
  alsoFor?: (licence: Licence) => Promise<Write[]>;
};

/**
 * Redeems a key for the customer's account. Resolves to the licence's end, null for a lifetime. Refuses with one of the
 * `license_*` codes; the key then stays as it was.
 */
export async function redeem(
  ctx: Ctx,
  actor: SiteCustomer,
  typed: string,
  { browserHashes = [], alsoFor }: RedeemOptions = {},
): Promise<Date | null> {
  authorize(actor, "licence.redeem");
  const { accountId } = actor;
  return retryOnConflict(async () => {
    const licence = await redeemableLicence(ctx, typed, accountId);
    const holdings = await readHoldings(ctx, accountId);
    if (!holdings) throw new Refusal("unauthenticated");
    const use = useOf(ctx, holdings, licence);
    if (use === "adds nothing") {
      const covered = coveredText(ctx, holdings, licence, "You already have");
      const sentence = `${covered}, so this key would add nothing. It stays unused.`;
      throw new Refusal("license_pointless", { field: "key", ...(covered && { sentence }) });
    }
    if (use === "waits") throw new Refusal("subscription_running", { field: "key" });
    const { owned } = holdings;
    const extensions = await extensionsOf(ctx, licence);
    const redeemable = { ...licence, extensions };
    const { expires, writes } = redemption(ctx, redeemable, { owned, browserHashes }, ctx.now());
    await commit(ctx.store, [...writes, ...((await alsoFor?.(licence)) ?? [])]);
    return expires;
  });
}

/** `extensions`: days that staff added before; only a subscription's licence can have some. */
type Redeemable = Pick<Licence, "id" | "chain" | "days" | "paidUntil" | "livemode"> &
  Partial<Pick<HeldLicence, "extensions">>;
type Claimable = Redeemable & Pick<Licence, "keyHash">;

/**
 * The writes that redeem a licence for an account from `at` on, and recompute all its ends; `expires` is the licence's.
 * They fail with `conflict` if the licence or the account's licences have changed since it was read.
 */
function redemption(
  ctx: Ctx,
  licence: Claimable,
  { owned, browserHashes }: { owned: AccountLicences; browserHashes: string[] },
  at: Date,
): { expires: Date | null; writes: Write[] } {
  const redeemed = asRedeemed(licence, { at, fixedEndsAt: null });
  const { ends, writes } = endWrites(ctx, owned, [...owned.licences, redeemed]);
  const expires = ends.get(licence.id) ?? null;
  return {
    expires,
    // the account first: the claim fails if the account was erased meanwhile
    writes: [
      ...writes,
      ...claim(ctx, licence, {
        accountId: owned.accountId,
        browserHashes,
        at,
        expires,
        fixedEndsAt: null,
      }),
      ...(expires === null ? lifetimeGainedWrites(ctx, owned.accountId) : []),
    ],
  };
}

/** For an account that the same commit creates. `fixedEndsAt` is the end of an imported licence. */
export function firstRedemption(
  ctx: Ctx,
  licence: Claimable,
  {
    accountId,
    fixedEndsAt,
    browserHashes = [],
  }: { accountId: string; fixedEndsAt: Date | null; browserHashes?: string[] },
): Write[] {
  const at = ctx.now();
  const expires = endsOf([asRedeemed(licence, { at, fixedEndsAt })], ctx).get(licence.id) ?? null;
  return claim(ctx, licence, {
    accountId,
    browserHashes,
    at,
    expires,
    fixedEndsAt: fixedEndsAt && expires,
  });
}

const asRedeemed = (
  { id, chain, days, paidUntil, livemode, extensions = [] }: Redeemable,
  { at, fixedEndsAt }: { at: Date; fixedEndsAt: Date | null },
): HeldLicence => ({
  id,
  chain,
  days,
  livemode,
  fixedEndsAt,
  paidUntil,
  redeemedAt: at,
  paymentStatus: "good",
  paymentFellAt: null,
  suspendedAt: null,
  revokedAt: null,
  extensions,
});

/** The days that staff added to a licence before it was redeemed; days of a timed one are in its own. */
export async function extensionsOf(
  { store }: Ctx,
  { id, paidUntil }: Pick<Licence, "id" | "paidUntil">,
): Promise<Extension[]> {
  if (paidUntil === null) return [];
  return store.db
    .select({
      id: licenceExtensions.id,
      days: licenceExtensions.days,
      addedAt: licenceExtensions.addedAt,
      beginsAt: licenceExtensions.beginsAt,
    })
    .from(licenceExtensions)
    .where(eq(licenceExtensions.licenceId, id));
}

/**
 * The licence of a typed key, if it may be redeemed; refuses with the reason otherwise. `by` is the asking account, if
 * any.
 */
export async function redeemableLicence(ctx: Ctx, typed: string, by?: string): Promise<Licence> {
  const licence = await licenceOfKey(ctx, typed);
  if (!licence) throw new Refusal(readKey(typed) ? "license_unknown" : "license_malformed", { field: "key" });
  const obstacle = obstacleTo(ctx, licence, by);
  if (obstacle) throw new Refusal(obstacle, { field: "key" });
  return licence;
}

/** Why a licence can't be redeemed, or null if it can. */
function obstacleTo(ctx: Ctx, licence: Licence, by: string | undefined): RefusalCode | null {
  const status = statusOf(ctx, licence);
  // a request repeated after a lost answer learns that it had succeeded
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

type ClaimTerms = {
  accountId: string;
  browserHashes: string[];
  at: Date;
  expires: Date | null;
  fixedEndsAt: Date | null;
};

/**
 * The writes that give a licence to an account. They fail with `conflict` if the licence has changed since it was read;
 * read it again for the reason.
 */
function claim(
  ctx: Ctx,
  licence: Pick<Licence, "id" | "keyHash">,
  { accountId, browserHashes, at, expires, fixedEndsAt }: ClaimTerms,
): Write[] {
  const boughtHere = ctx.store.db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.id, licences.primaryPaymentId), inArray(payments.browserHash, browserHashes)));
  return [
    ctx.store.db
      .update(licences)
      .set({
        accountId,
        redeemedAt: at,
        redeemedByBuyer: sql`${exists(boughtHere)}`,
        expiresAt: expires,
        fixedEndsAt,
      })
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
    ...adoptSubscription(ctx, licence.id, accountId),
    queueRoleReconciliation(ctx, { accountId }),
    record(ctx, { actor: customer(accountId), action: "licence.redeemed", subject: licence.id, accountId }),
  ];
}

const isLifetime = ({ days, paidUntil }: Redeemable) => days === null && paidUntil === null;

type Sold = Redeemable & Pick<HeldLicence, "paymentStatus" | "paymentFellAt">;

/**
 * The writes that add a licence, which the same commit has issued, to its buyer's account, and recompute all its ends.
 * Its time runs from `paidAt`. They fail with `conflict` if the account's licences have changed since it was read, or
 * the account was erased.
 */
export function addSoldWrites(
  ctx: Ctx,
  { paymentStatus, paymentFellAt, ...licence }: Sold,
  { owned, paidAt }: { owned: AccountLicences; paidAt: Date },
): Write[] {
  const { accountId } = owned;
  const redeemed = asRedeemed(licence, { at: paidAt, fixedEndsAt: null });
  const after = [...owned.licences, { ...redeemed, paymentStatus, paymentFellAt }];
  return [
    // the account first: an erased account can't own the licence
    ...endWrites(ctx, owned, after).writes,
    ctx.store.db
      .update(licences)
      .set({ accountId, redeemedAt: paidAt })
      .where(and(eq(licences.id, licence.id), isNull(licences.redeemedAt))),
    queueRoleReconciliation(ctx, { accountId }),
    ...(isLifetime(licence) && paymentStatus === "good" ? lifetimeGainedWrites(ctx, accountId) : []),
    record(ctx, { actor: theShop, action: "licence.added", subject: licence.id, accountId }),
  ];
}

/**
 * The writes that add a licence, which the same commit has issued without a payment, to an account from now on. They
 * fail with `conflict` if the account's licences have changed since it was read, or the account was erased.
 */
export function addIssuedWrites(
  ctx: Ctx,
  licence: Pick<Licence, "id" | "chain" | "days">,
  { owned, by }: { owned: AccountLicences; by: By },
): Write[] {
  const { accountId } = owned;
  const at = ctx.now();
  const redeemed = asRedeemed({ ...licence, paidUntil: null, livemode: null }, { at, fixedEndsAt: null });
  return [
    ...endWrites(ctx, owned, [...owned.licences, redeemed]).writes,
    ctx.store.db
      .update(licences)
      .set({ accountId, redeemedAt: at })
      .where(and(eq(licences.id, licence.id), isNull(licences.redeemedAt))),
    mustHaveChanged("conflict"),
    queueRoleReconciliation(ctx, { accountId }),
    ...(licence.days === null ? lifetimeGainedWrites(ctx, accountId) : []),
    record(ctx, { ...by, action: "licence.added", subject: licence.id, accountId }),
  ];
}
