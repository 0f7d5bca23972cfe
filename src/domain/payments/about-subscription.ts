import { and, desc, eq, isNull } from "drizzle-orm";
import type { z } from "zod";
import { utcDay } from "@/contract/dates";
import type { Ctx } from "@/core/context";
import { notice } from "@/core/notice";
import { type Block, button } from "../mail/blocks";
import type { Email } from "../mail/email";
import {
  type EmailJob,
  type EmailName,
  type EmailTemplate,
  emailTemplate,
  type Shop,
} from "../mail/template";
import { accounts } from "../schema/accounts";
import { type Licence, licences } from "../schema/licences";
import { type Payment, payments } from "../schema/payments";
import { type Subscription, subscriptions } from "../schema/subscriptions";
import { offerOf } from "./checkout/order-terms";

/** A subscription with its first payment, its licence, and the payment that failed last, if it is still unpaid. */
export type FoundSubscription = {
  subscription: Subscription;
  first: Payment;
  licence: Licence | null;
  unpaid: Payment | null;
  shop: Shop;
};

type Drafted = { name: string; email: Email } | null;

/**
 * An email about a subscription, whose id is the subject. Written from the state at sending; null if it is no longer
 * true.
 */
export const subscriptionEmail = <S extends z.ZodType>(
  name: EmailName,
  payload: S,
  draft: (ctx: Ctx, found: FoundSubscription, job: EmailJob<z.output<S>>) => Drafted,
): EmailTemplate<S> =>
  emailTemplate({
    name,
    payload,
    async prepare(ctx, job, shop) {
      const found = await find(ctx, job.subject, shop);
      const drafted = found && draft(ctx, found, job);
      if (!drafted) return null;
      const to = await addressOf(ctx, found);
      if (!to) return null;
      const { id, accountId } = found.subscription;
      const what = `${drafted.email.kind} rejected`;
      return {
        to,
        email: drafted.email,
        id: `${drafted.name}.${id}`,
        about: { subject: id, accountId },
        rejected: () => notice(ctx, `${id}:${what}`, { kind: "letter rejected", what }),
      };
    },
  });

async function find({ store: { db } }: Ctx, id: string, shop: Shop): Promise<FoundSubscription | null> {
  const [[subscription], [first], [licence]] = await db.batch([
    db.select().from(subscriptions).where(eq(subscriptions.id, id)),
    db.select().from(payments).where(eq(payments.id, id)),
    db.select().from(licences).where(eq(licences.primaryPaymentId, id)),
  ]);
  if (!subscription || !first) return null;
  const [unpaid] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.subscription, subscription.stripeId), isNull(payments.soldAt)))
    .orderBy(desc(payments.periodEndsAt))
    .limit(1);
  return { subscription, first, licence: licence ?? null, unpaid: unpaid ?? null, shop };
}

/** The buyer's address; of an erased buyer, nobody's. */
async function addressOf({ store: { db } }: Ctx, { first, subscription }: FoundSubscription) {
  if (first.email) return first.email;
  if (subscription.accountId === null) return null;
  const [account] = await db.select().from(accounts).where(eq(accounts.id, subscription.accountId));
  return account?.email ?? null;
}

/** What emails say of a subscription. */
export type AboutSubscription = { productName: string; manageUrl: string };

export const aboutSubscription = ({ first, shop }: FoundSubscription): AboutSubscription => ({
  productName: offerOf(first).product,
  manageUrl: new URL("/dashboard/license#billing", shop.publicUrl).href,
});

export const manageButton = ({ manageUrl }: AboutSubscription): Block =>
  button("Manage subscription", manageUrl);

export const whySubscription = ({ productName }: AboutSubscription): string =>
  `You get this email because ${productName} was subscribed to with this address.`;

/** Names an email once for each moment that it is about: mail programs drop a second one with the same Message-ID. */
export const nameFor = (name: string, at: Date | null): string => `${name}.${at?.getTime() ?? 0}`;

export const onDay = (at: Date | null): string => (at ? utcDay(at) : "its end");
