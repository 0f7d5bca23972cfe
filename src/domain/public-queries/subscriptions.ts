import { and, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { addressKey } from "@/contract/vocabulary/addresses";
import { toWire } from "@/contract/wire/to-wire";
import { subscriptionResource as shape } from "@/contract/wire/webhooks";
import type { Ctx } from "@/core/database/context";
import { accountOfEmail } from "../accounts/sessions/account";
import { levelNameIn } from "../levels/list";
import { accounts } from "../schema/accounts";
import { licences } from "../schema/licences";
import { payments } from "../schema/payments";
import { type Subscription, subscriptions } from "../schema/subscriptions";
import { hasConfirmedAddress } from "./orders";
import { type ChangesQuery, changedAfter, mergeRows, oldestChangeFirst, type Row, rowOf } from "./changes";

/** A subscription in webhooks and look-ups. */
type SubscriptionResource = z.infer<typeof shape>;

/** One subscription by its id; null for an unknown one, or one that was bought in the other Stripe mode. */
export const subscriptionResource = async (ctx: Ctx, id: string): Promise<SubscriptionResource | null> =>
  (await subscriptionRow(ctx, id))?.data ?? null;

export async function subscriptionRow(ctx: Ctx, id: string): Promise<Row<SubscriptionResource> | null> {
  const [row] = await withOwners(ctx, eq(subscriptions.id, id));
  return row ? rowOf(row, subscriptionOf(row)) : null;
}

/** All subscriptions or those of an address, the oldest change first. */
export async function subscriptionRows(
  ctx: Ctx,
  { email, after, limit }: ChangesQuery,
): Promise<Row<SubscriptionResource>[]> {
  const lists = await Promise.all(
    (email === null ? [undefined] : ofAddress(ctx, email)).map((which) =>
      withOwners(ctx, and(which, changedAfter(subscriptions, after)))
        .orderBy(...oldestChangeFirst(subscriptions))
        .limit(limit),
    ),
  );
  return mergeRows(lists, limit).map((row) => rowOf(row, subscriptionOf(row)));
}

/** As conditions: whose first order has the address, or none, but an account with it. */
function ofAddress(ctx: Ctx, email: string): (SQL | undefined)[] {
  const ordered = ctx.store.db
    .select({ id: payments.id })
    .from(payments)
    .where(eq(payments.emailKey, addressKey(email)));
  return [
    inArray(subscriptions.id, ordered),
    and(eq(subscriptions.accountId, accountOfEmail(ctx, email)), isNull(sql`+${payments.email}`)),
  ];
}

const readColumns = {
  id: subscriptions.id,
  status: subscriptions.status,
  level: subscriptions.level,
  levelName: levelNameIn(subscriptions.level),
  account: subscriptions.accountId,
  renewsAt: subscriptions.renewsAt,
  endsAt: subscriptions.endsAt,
  updated: subscriptions.updated,
  license: licences.id,
  buyer: payments.email,
  owner: accounts.email,
  isConfirmed: hasConfirmedAddress,
  ownerConfirmedAt: accounts.emailConfirmedAt,
};

const withOwners = ({ store: { db }, livemode }: Ctx, which: SQL | undefined) =>
  db
    .select(readColumns)
    .from(subscriptions)
    .innerJoin(payments, eq(payments.id, subscriptions.id))
    .leftJoin(licences, eq(licences.primaryPaymentId, subscriptions.id))
    .leftJoin(accounts, eq(accounts.id, subscriptions.accountId))
    // the plus is that of the index, which other queries of the plain column must not pick
    .where(and(which, eq(sql`(${subscriptions.livemode} + 0)`, Number(livemode))))
    .$dynamic();

type WithOwner = Pick<Subscription, "id" | "status" | "level" | "renewsAt" | "endsAt"> &
  Record<"account" | "license" | "buyer" | "owner", string | null> & {
    levelName: string;
    isConfirmed: boolean;
    ownerConfirmedAt: Date | null;
  };

const subscriptionOf = (row: WithOwner): SubscriptionResource =>
  toWire(shape, {
    ...row,
    subscription: row.id,
    email: row.buyer ?? row.owner,
    emailConfirmed: row.buyer === null ? row.ownerConfirmedAt !== null : row.isConfirmed,
    level: { id: row.level, name: row.levelName },
    state: row.status,
  });

/** The subscription that a payment renewed; null of every other payment, and of a switch. */
export async function subscriptionRenewedBy(ctx: Ctx, paymentId: string): Promise<string | null> {
  const [row] = await ctx.store.db
    .select({ id: subscriptions.id, isSwitch: payments.isSwitch })
    .from(payments)
    .innerJoin(subscriptions, eq(subscriptions.stripeId, payments.subscription))
    .where(eq(payments.id, paymentId));
  return row && !row.isSwitch && row.id !== paymentId ? row.id : null;
}

/** Whether a payment is one of a subscription's. */
export async function paysSubscription({ store }: Ctx, paymentId: string): Promise<boolean> {
  const [row] = await store.db
    .select({ subscription: payments.subscription })
    .from(payments)
    .where(eq(payments.id, paymentId));
  return row !== undefined && row.subscription !== null;
}
