import { and, asc, eq, gte, inArray, isNull, like, or } from "drizzle-orm";
import type { By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { withoutIndex } from "@/core/database/without-index";
import { commit, mustHaveChanged, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import type { LimitTable } from "@/contract/vocabulary/limits";
import { auditLog } from "@/core/database/schema";
import { newerThan, type Place } from "@/core/database/pages";
import { yieldToEventLoop } from "@/core/base/yield";
import type { Account, Requester } from "../accounts/sessions/account";
import { supportAsBrowser } from "../accounts/credentials/staff-actions";
import { expectCredentials } from "../accounts/credentials/proof";
import { notify } from "../accounts/sessions/notices";
import { formerEmailsOf } from "../accounts/sessions/former-emails";
import type { Browser } from "../accounts/sessions/sessions";
import {
  accounts,
  emailConfirmations,
  formerEmails,
  mfaRecoveryCodes,
  mfaSetups,
  recoveries,
  sessions,
} from "../schema/accounts";
import { unlinkWrites } from "../discord/change-link";
import { mustLeaveAnOwnerWithout } from "../staff/staff-actions";
import { linkAttempts, links } from "../schema/discord";
import { deviceRemovals, devices } from "../schema/devices";
import { boughtBy, confirmedKeyOf } from "../licences/entitlement/buyer";
import { queueRoleReconciliation } from "../licences/changes/entitlement-changed";
import { licences } from "../schema/licences";
import { customerNotes } from "../schema/notes";
import { payments } from "../schema/payments";
import { subscriptions } from "../schema/subscriptions";
import type { CheckoutGateway } from "../payments/port/stripe";
import { disownSubscriptions, endAllAtStripe } from "../payments/subscriptions/end-all";
import { eraseAccountTickets, eraseAccountTicketsWrites } from "../tickets/discord/erase";
import { authorize, expectConfirmed } from "../permissions";
import { eraseBodiesInPages, eraseBodiesWrite } from "../webhooks/forget";
import { disown, disownPages, isBuyers, disownGifts } from "./disown";

type Proof = { password: string; security_code?: string | undefined };

/** Deletes the signed-in account, after confirmation. Refuses with `checkout_unreachable`, as below. */
export async function deleteOwnAccount(
  ctx: Ctx,
  { limits, checkout }: { limits: LimitTable; checkout: CheckoutGateway },
  requester: Requester,
  typed: Proof,
): Promise<void> {
  authorize(requester, "account.erase");
  const { account, actor, browser } = requester;
  const { password, security_code } = typed;
  await commit(ctx.store, await expectCredentials(ctx, limits, requester, { password, security_code }));
  await erase(ctx, account, { actor, browser, checkout: async () => checkout });
}

/**
 * Deletes an account at its owner's request, and notifies its last address. Refuses with `last_owner` on the desk if the
 * shop would have no owner, and with `checkout_unreachable` if a subscription of the account can't be ended at Stripe.
 */
export async function eraseAsStaff(
  ctx: Ctx,
  checkout: () => Promise<CheckoutGateway>,
  account: Account,
  by: By,
): Promise<void> {
  authorize(by, "account.erase");
  expectConfirmed(ctx, by, "account.erase");
  const guard = await mustLeaveAnOwnerWithout(ctx, by, account.id);
  // before anything is deleted, and again with the account
  await commit(ctx.store, guard);
  await erase(ctx, account, { ...by, browser: supportAsBrowser, checkout }, guard);
}

type ErasureOptions = Pick<By, "actor"> & { reason?: string };

/**
 * Deletes first most of what an account may have thousands of, a page at a time, so that requests are served in
 * between. After an interruption the account still exists, and its owner asks again.
 */
async function erase(
  ctx: Ctx,
  account: Account,
  {
    browser,
    checkout,
    ...by
  }: ErasureOptions & { browser: Browser; checkout: () => Promise<CheckoutGateway> },
  guard: Write[] = [],
): Promise<void> {
  const begun = ctx.now();
  await endAllAtStripe(ctx, checkout, account.id);
  const actors = await eraseAccountTickets(ctx, account.id);
  await disownPages(ctx, account);
  await eraseBodiesInPages(ctx, account);
  await renameInLog(ctx, account.id, actors);
  // one may have begun meanwhile
  await endAllAtStripe(ctx, checkout, account.id);
  await commit(ctx.store, [
    ...guard,
    ...(await eraseWrites(ctx, account, { by, begun })),
    ...(await notifyOfDeletion(ctx, account, browser)),
  ]);
}

/** Notifies the account's address, and those that could still recover it: their owner may be another person. */
async function notifyOfDeletion(ctx: Ctx, account: Account, browser: Browser): Promise<Write[]> {
  const former = await formerEmailsOf(ctx, account.id);
  const proven = former.map(({ email, replacedAt }) => ({ ...account, email, emailConfirmedAt: replacedAt }));
  return [account, ...proven].flatMap((to) => notify(ctx, to, { what: "account-deleted", browser }));
}

/**
 * The writes that remove everything identifying a person. Licences stay used and payments stay in the books, under
 * Stripe's ids only; an email of another person who paid stays.
 */
async function eraseWrites(
  ctx: Ctx,
  account: Account,
  { by, begun }: { by: ErasureOptions; begun: Date },
): Promise<Write[]> {
  const { db } = ctx.store;
  const { id } = account;
  const redeemed = db.select({ id: licences.paymentId }).from(licences).where(eq(licences.accountId, id));
  const subscribed = db.select({ id: subscriptions.id }).from(subscriptions).where(boughtBy(db, id));
  // read now: the orders lose what says so
  const bought = (await subscribed).map((one) => one.id);
  const paidByThem = and(
    inArray(payments.id, redeemed),
    withoutIndex(isBuyers(db, id)),
    isNull(payments.subscription),
  );
  const givenToThem = and(
    inArray(payments.id, redeemed),
    withoutIndex(inArray(payments.giftKey, confirmedKeyOf(db, id))),
  );
  const kept = await db.select({ id: devices.id }).from(devices).where(eq(devices.accountId, id));
  const computers = kept.map((device) => device.id);
  return [
    ...(await eraseAccountTicketsWrites(ctx, id)),
    ...(await unlinkWrites(ctx, id, by)),
    queueRoleReconciliation(ctx, { accountId: id }),
    eraseBodiesWrite(ctx, account),
    ...disown(ctx, or(eq(payments.accountId, id), paidByThem, inArray(payments.id, subscribed))),
    ...disownGifts(ctx, givenToThem),
    ...disownSubscriptions(ctx, bought),
    db.update(licences).set({ accountId: null }).where(eq(licences.accountId, id)),
    ...[
      links,
      linkAttempts,
      devices,
      deviceRemovals,
      sessions,
      mfaSetups,
      mfaRecoveryCodes,
      recoveries,
      formerEmails,
      emailConfirmations,
      customerNotes,
    ].map((table) => db.delete(table).where(eq(table.accountId, id))),
    db.delete(accounts).where(eq(accounts.id, id)),
    mustHaveChanged("conflict"),
    // the audit log would otherwise still identify a person by their Discord user id
    db
      .update(auditLog)
      .set({ subject: id })
      .where(and(eq(auditLog.accountId, id), gte(auditLog.at, begun), like(auditLog.action, "discord.%"))),
    record(ctx, {
      ...by,
      action: "account.erased",
      subject: id,
      detail: { computers },
    }),
  ];
}

const pageSize = 500;

/**
 * Replaces Discord user ids in an account's log entries by the account's own id, which identifies nobody after the
 * erasure: as actors, and as the subject of links.
 */
async function renameInLog(ctx: Ctx, accountId: string, actors: Set<string>): Promise<void> {
  const { id, at, actor, action } = auditLog;
  for (let after: Place | null = null; ;) {
    const page: Entry[] = await ctx.store.db
      .select({ id, at, actor, action })
      .from(auditLog)
      .where(and(eq(auditLog.accountId, accountId), newerThan(after, at, id)))
      .orderBy(asc(at), asc(id))
      .limit(pageSize);
    const acted = page.filter((entry) => actors.has(entry.actor));
    const linked = page.filter((entry) => entry.action.startsWith("discord."));
    await commit(ctx.store, [
      ...updateAll(ctx, acted, { actor: accountId }),
      ...updateAll(ctx, linked, { subject: accountId }),
    ]);
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = last;
    await yieldToEventLoop();
  }
}

type Entry = Pick<typeof auditLog.$inferSelect, "id" | "at" | "actor" | "action">;

function updateAll(
  { store: { db } }: Ctx,
  entries: Entry[],
  set: { actor: string } | { subject: string },
): Write[] {
  if (entries.length === 0) return [];
  const ids = entries.map(({ id }) => id);
  return [db.update(auditLog).set(set).where(inArray(auditLog.id, ids))];
}
