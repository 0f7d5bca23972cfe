import { toWire } from "@/contract/wire/to-wire";
import { eq, getTableColumns, inArray } from "drizzle-orm";
import type { DeskFilters } from "@/contract/wire/desk/lists";
import { subscriptionRow, type SubscriptionRow } from "@/contract/wire/desk/rows";
import { subscriptionStatuses } from "@/contract/vocabulary/statuses";
import type { Ctx } from "@/core/database/context";
import { levelNameIn } from "../levels/list";
import { accounts } from "../schema/accounts";
import { payments } from "../schema/payments";
import { type Subscription, subscriptions } from "../schema/subscriptions";
import { everyCombination, inOrderOfIds, ofOffer, type RowFilter } from "./newest";
import { customerOf } from "./payments";

export const subscriptionList = { at: subscriptions.startedAt, id: subscriptions.id };

export function subscriptionsWith(
  _: Ctx,
  { status, offer, customer }: DeskFilters<"subscriptions">,
): RowFilter {
  // the indexes of offers and accounts hold each status in a stretch of its own
  const narrow = offer || customer ? [...subscriptionStatuses] : [undefined];
  const statuses = status ? [status] : narrow;
  return {
    conditions: everyCombination(
      statuses.map((one) => one && eq(subscriptions.status, one)),
      [customer ? eq(subscriptions.accountId, customer) : undefined],
      [ofOffer(subscriptions.offer, { offer, customer })],
    ),
  };
}

/** Subscriptions as the desk shows them, in the order of their ids. */
export async function subscriptionRows(ctx: Ctx, ids: string[]): Promise<SubscriptionRow[]> {
  if (ids.length === 0) return [];
  const rows = await ctx.store.db
    .select({
      ...getTableColumns(subscriptions),
      levelName: levelNameIn(subscriptions.level),
      username: accounts.username,
      email: payments.email,
    })
    .from(subscriptions)
    // its id is that of its first payment
    .leftJoin(payments, eq(payments.id, subscriptions.id))
    .leftJoin(accounts, eq(accounts.id, subscriptions.accountId))
    .where(inArray(subscriptions.id, ids));
  return inOrderOfIds(ids, rows).map(wireSubscription);
}

const wireSubscription = (
  one: Subscription & { levelName: string; username: string | null; email: string | null },
) =>
  toWire(subscriptionRow, {
    ...one,
    level: { id: one.level, name: one.levelName },
    email: one.email || null,
    customer: customerOf(one),
    interval: one.every,
    createdAt: one.startedAt,
  });
