import { and, eq, gt, inArray, lte, ne } from "drizzle-orm";
import { brand } from "@/brand/brand";
import { day } from "@/contract/time";
import { mustHaveChanged } from "@/core/commit";
import { commitIfFirst } from "@/core/conflict";
import type { Ctx } from "@/core/context";
import { post } from "@/core/outbox";
import { entitles, isEntitling } from "../licences/entitlement";
import { offerOf } from "../payments/order-terms";
import { accounts } from "../schema/accounts";
import { licences } from "../schema/licences";
import { payments } from "../schema/payments";
import { unsubscribedSince } from "./unsubscribed";

/** How many days before its end a licence's owner is told, and what they were told before that. */
const tellings = [
  { days: 1, before: [0, 7] },
  { days: 7, before: [0] },
] as const;

const batchSize = 100;

/**
 * The periodic job: a letter a week and a day before a timed licence ends, once each. The commit that posts a letter
 * also marks its licence.
 */
export async function tellOfEndings(ctx: Ctx, stopping?: AbortSignal): Promise<void> {
  for (const telling of tellings) {
    while (!stopping?.aborted && (await tellSome(ctx, telling)) === batchSize) await Bun.sleep(0);
  }
}

async function tellSome(ctx: Ctx, { days, before }: (typeof tellings)[number]): Promise<number> {
  const { db } = ctx.store;
  const now = ctx.now();
  const found = await db
    .select()
    .from(licences)
    .where(
      and(
        inArray(licences.endingTold, [...before]),
        gt(licences.expiresAt, now),
        lte(licences.expiresAt, new Date(now.getTime() + days * day)),
      ),
    )
    .limit(batchSize);
  for (const { id, endingTold, expiresAt, redeemedAt } of found) {
    // somebody who redeems seven days needn't be told at once that they end in seven days
    const had = (expiresAt?.getTime() ?? 0) - (redeemedAt?.getTime() ?? 0);
    const tell = had > (days + 1) * day;
    await commitIfFirst(ctx.store, [
      db
        .update(licences)
        .set({ endingTold: days })
        .where(and(eq(licences.id, id), eq(licences.endingTold, endingTold))),
      mustHaveChanged("conflict"),
      ...(tell ? [post(ctx, { topic: "mail.licence-ending", subject: id })] : []),
    ]);
  }
  return found.length;
}

/** What a letter about a licence's end says now; null if nothing ends, or its owner has unsubscribed. */
export async function endingToTell(ctx: Ctx, licenceId: string) {
  const now = ctx.now();
  const [found] = await ctx.store.db
    .select({ licence: licences, account: accounts, payment: payments })
    .from(licences)
    .innerJoin(accounts, eq(accounts.id, licences.accountId))
    .leftJoin(payments, eq(payments.id, licences.paymentId))
    .where(and(eq(licences.id, licenceId), entitles(ctx, now)));
  const endsAt = found?.licence.expiresAt;
  if (!found || !endsAt || (await unsubscribedSince(ctx, found.account.email))) return null;
  const others = await ctx.store.db
    .select()
    .from(licences)
    .where(and(eq(licences.accountId, found.account.id), ne(licences.id, licenceId)));
  const isRenewed = others.some(
    (other) => isEntitling(ctx, other) && (other.expiresAt === null || other.expiresAt > endsAt),
  );
  if (isRenewed) return null;
  const { licence, account, payment } = found;
  // what it was sold as; one that nobody bought has no other name
  const productName = payment ? offerOf(payment).product : brand.premium.name;
  const daysLeft = Math.ceil((endsAt.getTime() - now.getTime()) / day);
  return { licence, account, productName, endsAt, daysLeft };
}
