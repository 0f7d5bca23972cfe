import { and, desc, eq, gt } from "drizzle-orm";
import { customer, visitor } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { failpoint } from "@/core/log/failpoints";
import { Refusal } from "@/core/base/refusal";
import { minute, second } from "@/contract/vocabulary/time";
import { withTimeout } from "@/core/base/with-timeout";
import { findBlock } from "../../blocks/find";
import { coveredText, coveringIn, readHoldings } from "../../licences/entitlement/holdings";
import { hadTrial } from "../../offers/trials-taken";
import { inOneCurrency } from "../../offers/fixed";
import { offerToBuy } from "../../offers/list";
import { payments } from "../../schema/payments";
import { authorize } from "../../permissions";
import { runningSubscriptionOf } from "../reading/subscriptions";
import {
  CheckoutForbidden,
  type CheckoutGateway,
  CheckoutRefused,
  CheckoutUnreachable,
} from "../port/stripe";
import { columnsOfOrder, type OrderTerms, sealOrder } from "../port/order-terms";
import { serialQueue } from "../port/serial-queue";
import { CodeFreesSeveral, CodeUnfit, CodeUnknown } from "../port/promotion-code";
import { legalColumns } from "./legal-texts";
import { expectSellingPermissions } from "./selling-permissions";
import { purchaseEvidence } from "./purchase-evidence";

export type Buyer = {
  accountId: string | null;
  email: string | null;
  browserHash: string;
  /** The hashes of the checkouts that the browser began before. */
  browserHashes?: string[];
  /** Where the request came from; stored sealed as evidence. */
  browser?: { address: string; userAgent: string };
};

export type CheckoutRequest = {
  currency: string;
  /** The offer's id; by default, the first offer. */
  offer?: string | undefined;
  quantity?: number | undefined;
  gift?: { email: string; from?: string | undefined; message?: string | undefined } | undefined;
  /** A promotion code that the checkout opens with. */
  code?: string | undefined;
  buyer: Buyer;
  publicUrl: URL;
};

/**
 * Opens a hosted checkout at the shop's own price and records it. Refuses with `currency_unsupported`,
 * `offer_unknown`, `code_unknown`, `code_refused`, `code_for_one`, `checkout_refused` (with Stripe's sentence), `checkout_unreachable`
 * or `stripe_permission`.
 */
export async function openCheckout(
  ctx: Ctx,
  gateway: CheckoutGateway,
  wanted: CheckoutRequest,
): Promise<OpenedCheckout> {
  const { accountId, email, browser, browserHashes = [] } = wanted.buyer;
  const actor = accountId ? customer(accountId) : visitor;
  authorize(actor, "checkout.open");
  if (wanted.currency.toLowerCase() !== ctx.currency) {
    throw new Refusal("currency_unsupported", {
      field: "currency",
      sentence: `Only ${ctx.currency} is accepted.`,
    });
  }
  const [
    { id: offer, name: product, level, amount, currency, days, devices, every, trialDays: offeredTrial },
    blocked,
  ] = await Promise.all([
    offerToBuy(ctx, wanted.offer),
    findBlock(ctx, { email, network: browser?.address ?? null }),
    expectSellingPermissions(ctx),
  ]);
  if (blocked) throw new Refusal("blocked", { blocked });
  const { quantity = 1, gift } = wanted;
  if (every !== null)
    await expectSubscribable(ctx, { accountId, quantity, gift, level: level.id, devices, every });
  const isTried = offeredTrial !== null && (await hadTrial(ctx, { accountId, browserHashes }));
  const trialDays = isTried ? null : offeredTrial;
  const terms: OrderTerms = {
    id: newId(),
    amount,
    currency,
    offer,
    product,
    level: level.id,
    levelName: level.name,
    days,
    devices,
    every,
    trialDays,
    quantity,
    gift: gift?.email ?? null,
    buyer: accountId,
  };
  const open = () => openAtStripe(ctx, gateway, wanted, terms);
  if (every === null || accountId === null || wanted.code) return open();
  // two clicks at the same moment share one session
  return oneAtATime(
    ctx.store,
    `${accountId}:${offer}`,
    {},
    async () => (await openedJustNow(ctx, gateway, accountId, terms)) ?? open(),
  );
}

const oneAtATime = serialQueue<OpenedCheckout>();

type OpenedCheckout = { id: string; url: string };

async function openAtStripe(
  ctx: Ctx,
  gateway: CheckoutGateway,
  wanted: CheckoutRequest,
  terms: OrderTerms,
): Promise<OpenedCheckout> {
  const { accountId, email, browser } = wanted.buyer;
  const { gift } = wanted;
  const order = sealOrder(ctx, terms, legalColumns);
  const asked = ctx.now();
  const opened = await gateway
    .open({
      order,
      code: wanted.code ?? null,
      email,
      successUrl: new URL("/success?session_id={CHECKOUT_SESSION_ID}", wanted.publicUrl).href,
      cancelUrl: new URL("/cancel", wanted.publicUrl).href,
    })
    .catch(translate);
  failpoint("order.opened-at-stripe");
  await commit(ctx.store, [
    ctx.store.db.insert(payments).values({
      ...columnsOfOrder(order),
      sessionId: opened.sessionId,
      state: "open",
      livemode: opened.livemode,
      giftFrom: gift?.from?.trim() || null,
      giftMessage: gift?.message?.trim() || null,
      accountId,
      browserHash: wanted.buyer.browserHash,
      createdAt: opened.createdAt,
    }),
    inOneCurrency(ctx),
    purchaseEvidence(ctx, { paymentId: terms.id, at: asked, agreed: legalColumns, browser }),
    record(ctx, {
      actor: accountId ? customer(accountId) : visitor,
      action: "payment.opened",
      subject: terms.id,
      accountId,
    }),
  ]);
  failpoint("order.stored");
  return { id: opened.sessionId, url: opened.url };
}

/** A subscription is for the buyer alone, one at a time, and never in addition to a lifetime that covers it. */
export async function expectSubscribable(
  ctx: Ctx,
  {
    accountId,
    quantity,
    gift,
    ...sold
  }: Pick<Buyer, "accountId"> & { quantity: number; gift: CheckoutRequest["gift"] } & Pick<
      OrderTerms,
      "level" | "devices" | "every"
    >,
): Promise<void> {
  const sentence = "You can buy one subscription at a time, and only for yourself.";
  if (quantity !== 1) throw new Refusal("invalid_field", { field: "quantity", sentence });
  if (gift) throw new Refusal("invalid_field", { field: "gift", sentence });
  if (accountId === null) return;
  const holdings = await readHoldings(ctx, accountId);
  const wanted = { ...sold, days: null };
  if (holdings && coveringIn(ctx, holdings, wanted) !== null) {
    const covered = coveredText(ctx, holdings, wanted, "You already have");
    throw new Refusal(
      "lifetime_held",
      covered ? { sentence: `${covered}, so a subscription would add nothing.` } : {},
    );
  }
  const subscription = await runningSubscriptionOf(ctx, accountId);
  if (subscription !== null) throw new Refusal("already_subscribed", { subscription });
}

/** What the provider answers, as a refusal. */
export function translate(error: unknown): never {
  if (error instanceof CodeUnknown) throw new Refusal("code_unknown", { field: "code" });
  if (error instanceof CodeUnfit) {
    const { message } = error;
    throw new Refusal("code_refused", { field: "code", ...(message && { sentence: message }) });
  }
  if (error instanceof CodeFreesSeveral) throw new Refusal("code_for_one", { field: "code" });
  if (error instanceof CheckoutRefused) throw new Refusal("checkout_refused", { sentence: error.message });
  if (error instanceof CheckoutForbidden) throw new Refusal("stripe_permission");
  if (error instanceof CheckoutUnreachable) throw new Refusal("checkout_unreachable");
  throw error;
}

/** How long a second click on Buy continues the checkout of the first. */
const sameClickMilliseconds = 10 * minute;
/** How long a buyer waits for Stripe to return the URL of that checkout. */
const mostMilliseconds = 2 * second;

/**
 * The checkout of the same subscription that an account opened a moment ago and has not finished; null if there is none.
 * Two would make two subscriptions.
 */
async function openedJustNow(
  ctx: Ctx,
  gateway: CheckoutGateway,
  accountId: string,
  wanted: OrderTerms,
): Promise<{ id: string; url: string } | null> {
  const [opened] = await ctx.store.db
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.accountId, accountId),
        eq(payments.state, "open"),
        eq(payments.offer, wanted.offer),
        gt(payments.createdAt, new Date(ctx.now().getTime() - sameClickMilliseconds)),
      ),
    )
    .orderBy(desc(payments.createdAt), desc(payments.id))
    .limit(1);
  if (!opened) return null;
  const isSame =
    opened.unitAmount === wanted.amount &&
    opened.currency === wanted.currency &&
    opened.every === wanted.every &&
    opened.trialDays === wanted.trialDays &&
    opened.level === wanted.level &&
    opened.devices === wanted.devices;
  // completing one expires the account's others, so a second does no harm
  const asked = isSame ? withTimeout(mostMilliseconds, gateway.pageOf(opened.sessionId)) : null;
  const url = await asked?.catch(() => null);
  return url ? { id: opened.sessionId, url } : null;
}
