import { and, eq, inArray, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { withoutIndex } from "@/core/database/without-index";
import { commit, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { yieldToEventLoop } from "@/core/base/yield";
import type { Account } from "../accounts/sessions/account";
import { refusedMailWith } from "../payments/about-payment";
import { confirmedKeyOf } from "../licences/entitlement/buyer";
import { corrections } from "../schema/corrections";
import { accounts } from "../schema/accounts";
import { licences } from "../schema/licences";
import { payments } from "../schema/payments";
import { subscriptions } from "../schema/subscriptions";

/** The columns that lose an erased buyer's data. */
const disowned = {
  accountId: null,
  email: null,
  unusualEmailKey: null,
  browserHash: null,
  cardBrand: null,
  cardLast4: null,
  giftFrom: null,
  giftMessage: null,
  refusedMail: null,
} as const;
/** The writes that remove a buyer from some payments, and from what Stripe bills for those that began a subscription. */
export const disown = (ctx: Ctx, which: SQL | undefined): Write[] => [
  forgetProposed(ctx, which, { receiver: false }),
  forgetKeyMailbox(ctx, and(which, isNull(payments.giftEmail))),
  ctx.store.db
    .update(subscriptions)
    .set({
      billingEmail: null,
      cardBrand: null,
      cardLast4: null,
      version: sql`${subscriptions.version} + 1`,
    })
    .where(inArray(subscriptions.id, idsOf(ctx, which))),
  ctx.store.db.update(payments).set(disowned).where(which),
];

/** The address that a key went to is no longer known by the account that registered with it. */
const forgetKeyMailbox = (ctx: Ctx, which: SQL | undefined): Write => {
  const { db } = ctx.store;
  const holders = db
    .select({ id: licences.accountId })
    .from(licences)
    .where(inArray(licences.paymentId, idsOf(ctx, which)));
  return db
    .update(accounts)
    .set({ keyEmail: null, keyEmailKey: null })
    .where(and(inArray(accounts.id, holders), withoutIndex(isNotNull(accounts.keyEmailKey))));
};

/** The payment stays a gift, whose key the buyer may not see. */
const ungiven = {
  giftEmail: "",
  unusualGiftKey: null,
  giftFrom: null,
  giftMessage: null,
  refusedMail: refusedMailWith("gift", null),
} as const;

/** The writes that remove a receiver from some gifts. */
export const disownGifts = (ctx: Ctx, which: SQL | undefined): Write[] => [
  forgetProposed(ctx, which, { receiver: true }),
  forgetKeyMailbox(ctx, which),
  ctx.store.db.update(payments).set(ungiven).where(which),
];

const forgetProposed = (ctx: Ctx, which: SQL | undefined, { receiver }: { receiver: boolean }): Write =>
  ctx.store.db
    .delete(corrections)
    .where(and(inArray(corrections.paymentId, idsOf(ctx, which)), eq(corrections.receiver, receiver)));

const idsOf = ({ store: { db } }: Ctx, which: SQL | undefined) =>
  db.select({ id: payments.id }).from(payments).where(which);

/** As a condition on orders: the account has confirmed the address, or redeemed the key in the buying browser. */
export const isBuyers = (db: Ctx["store"]["db"], id: string): SQL | undefined =>
  or(
    inArray(payments.emailKey, confirmedKeyOf(db, id)),
    inArray(
      payments.id,
      db
        .select({ id: licences.paymentId })
        .from(licences)
        .where(and(eq(licences.accountId, id), licences.redeemedByBuyer)),
    ),
  );

const pageSize = 200;

/**
 * Removes an account's name from all its payments and licences, a page at a time. A typed address makes nobody the buyer
 * of a subscription, which goes on and is mailed about.
 */
export async function disownPages(ctx: Ctx, { id }: Pick<Account, "id">): Promise<void> {
  const { db } = ctx.store;
  for (;;) {
    const made = await db
      .select({ id: payments.id })
      .from(payments)
      .where(eq(payments.accountId, id))
      .limit(pageSize);
    const ids = made.map((payment) => payment.id);
    if (ids.length > 0) await commit(ctx.store, disown(ctx, inArray(payments.id, ids)));
    if (made.length < pageSize) break;
    await yieldToEventLoop();
  }
  for (;;) {
    const own = await db
      .select({ id: licences.id, paymentId: licences.paymentId })
      .from(licences)
      .where(eq(licences.accountId, id))
      .limit(pageSize);
    const bought = own.flatMap(({ paymentId }) => (paymentId ? [paymentId] : []));
    const theirs = (which: SQL | undefined) => and(inArray(payments.id, bought), withoutIndex(which));
    const isReceiver = inArray(payments.giftKey, confirmedKeyOf(db, id));
    const ids = own.map((licence) => licence.id);
    const sold = bought.length > 0;
    if (ids.length > 0)
      await commit(ctx.store, [
        ...(sold ? disown(ctx, and(theirs(isBuyers(db, id)), isNull(payments.subscription))) : []),
        ...(sold ? disownGifts(ctx, theirs(isReceiver)) : []),
        db.update(licences).set({ accountId: null }).where(inArray(licences.id, ids)),
      ]);
    if (own.length < pageSize) return;
    await yieldToEventLoop();
  }
}
