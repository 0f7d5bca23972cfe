import { and, desc, eq, isNull, ne } from "drizzle-orm";
import type { z } from "zod";
import { utcDay } from "@/contract/vocabulary/dates";
import type { Ctx } from "@/core/database/context";
import { notice } from "../notice";
import { type Block, button, heading, link, paragraph, quiet } from "../mail/blocks";
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
import { offers } from "../schema/offers";
import { type Payment, payments } from "../schema/payments";
import { type Subscription, subscriptions } from "../schema/subscriptions";
import { offerOf } from "./port/order-terms";

/** A subscription with its first payment, its licence, and the payment that failed last, if it is still unpaid. */
export type FoundSubscription = {
  subscription: Subscription;
  /** The name of the offer that it runs under now. */
  productName: string;
  first: Payment;
  licence: Licence | null;
  unpaid: Payment | null;
  /** Where its buyer manages it. */
  manageUrl: string;
  shop: Shop;
};

/** `to`: by default where it is billed. */
type DraftedEmail = { name: string; email: Email; to?: string } | null;

/**
 * An email about a subscription, whose id is the subject. Written from the state at sending; null if it is no longer
 * true.
 */
export const subscriptionEmail = <S extends z.ZodType>(
  name: EmailName,
  payload: S,
  draft: (
    ctx: Ctx,
    found: FoundSubscription,
    job: EmailJob<z.output<S>>,
  ) => DraftedEmail | Promise<DraftedEmail>,
): EmailTemplate<S> =>
  emailTemplate({
    name,
    payload,
    async prepare(ctx, job, shop) {
      const found = await find(ctx, job.subject, shop);
      const drafted = found && (await draft(ctx, found, job));
      if (!drafted) return null;
      const to = drafted.to ?? (await addressOf(ctx, found));
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
  const [[held], [first], [licence]] = await db.batch([
    db
      .select({ subscription: subscriptions, product: offers.name })
      .from(subscriptions)
      .leftJoin(offers, eq(offers.id, subscriptions.offer))
      .where(eq(subscriptions.id, id)),
    db.select().from(payments).where(eq(payments.id, id)),
    db.select().from(licences).where(eq(licences.primaryPaymentId, id)),
  ]);
  if (!held || !first) return null;
  const { subscription, product } = held;
  const sold = offerOf(first);
  const [unpaid] = await db
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.subscription, subscription.stripeId),
        isNull(payments.soldAt),
        // nothing is owed on a voided invoice
        ne(payments.state, "expired"),
      ),
    )
    .orderBy(desc(payments.periodEndsAt))
    .limit(1);
  return {
    subscription,
    productName: subscription.offer === sold.offer ? sold.product : (product ?? sold.product),
    first,
    licence: licence ?? null,
    unpaid: unpaid ?? null,
    manageUrl: await manageUrlOf(shop, subscription),
    shop,
  };
}

/** Billing on the dashboard; without an account, Stripe's page, where the buyer signs in by email. */
async function manageUrlOf(shop: Shop, { accountId }: Subscription): Promise<string> {
  const billing = new URL("/dashboard/license#billing", shop.publicUrl).href;
  return accountId === null ? ((await shop.portalLoginPage()) ?? billing) : billing;
}

/** Where Stripe bills it, or else the buyer's address; null for an erased buyer. */
async function addressOf({ store: { db } }: Ctx, { first, subscription }: FoundSubscription) {
  const known = subscription.billingEmail ?? first.email;
  if (known) return known;
  if (subscription.accountId === null) return null;
  const [account] = await db.select().from(accounts).where(eq(accounts.id, subscription.accountId));
  return account?.email ?? null;
}

/** What emails say about a subscription. */
export type AboutSubscription = { productName: string; manageUrl: string };

const manageButton = ({ manageUrl }: AboutSubscription): Block => button("Manage subscription", manageUrl);

/** An email about a change of a subscription: links to where its buyer manages it. */
export const subscriptionEmailTemplate = (
  about: AboutSubscription,
  { title, text, buttons = [manageButton(about)], quietly, ...head }: Content,
): Email => ({
  ...head,
  blocks: [heading(title), ...text.map(paragraph), ...buttons, ...(quietly ? [quiet(quietly)] : [])],
  why: whySubscription(about),
});
type Content = Pick<Email, "kind" | "subject" | "preheader"> & {
  title: string;
  text: string[];
  buttons?: Block[];
  quietly?: string;
};

/** For buyers without an account; nothing if Stripe's login page is turned off. */
export const portalLink = (url: string | null): Block[] =>
  url === null
    ? []
    : [
        link(
          "Sign in at Stripe with this address",
          url,
          "You don't need an account to cancel or change your card.",
        ),
      ];

const whySubscription = ({ productName }: AboutSubscription): string =>
  `You're receiving this because this address was used to subscribe to ${productName}.`;

/** Names an email once for each moment that it is about: mail programs drop a second one with the same Message-ID. */
export const messageNameAt = (name: string, at: Date | null): string => `${name}.${at?.getTime() ?? 0}`;

export const dayOrItsEnd = (at: Date | null): string => (at ? utcDay(at) : "its end");
