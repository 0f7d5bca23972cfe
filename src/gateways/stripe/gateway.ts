import Stripe from "stripe";
import type { SalesConfig, StripeConfig } from "@/core/config";
import { Refusal } from "@/core/refusal";
import type { CheckoutGateway, CheckoutOrder } from "@/domain/payments/checkout/checkout";
import { metadataOf } from "@/domain/payments/checkout/order-terms";
import { contest } from "./contest";
import { translated, unlessRefused } from "./errors";
import { hmac } from "./hmac";
import { permissions } from "./permissions";
import {
  activeCode,
  codeUsedIn,
  createCode,
  discountsOf,
  listCodes,
  pageOfCodes,
  retireCode,
} from "./promotion-codes";
import { refund, refundOf } from "./refund";
import { eventsAfter, newestEvent, newestOrders, listChanges } from "./list-changes";
import { webhookEndpoint } from "./webhook-endpoints";
import { editionsName, factsOf, subjectOfEvent } from "./translate";

/** Stripe's hosted checkout behind the domain's port. https://docs.stripe.com/api/checkout/sessions */
export function createStripeGateway(config: StripeConfig, sales: SalesConfig): CheckoutGateway {
  const stripe = new Stripe(config.secretKey, {
    telemetry: false,
    timeout: 10_000,
    maxNetworkRetries: 1,
    appInfo: { name: "latchkey" },
    ...(config.apiUrl ? hostOf(config.apiUrl) : {}),
  });
  return {
    open: (order) => translated(() => open(stripe, sales, order)),
    read: (sessionId, also) =>
      translated(() =>
        read(stripe, sessionId, { warnings: also?.warnings ?? false, invoices: sales.invoices }),
      ),
    // Stripe gives an address only while the session is open
    pageOf: (sessionId) => translated(async () => (await stripe.checkout.sessions.retrieve(sessionId)).url),
    sessionOf: (intentId) => translated(() => sessionOf(stripe, intentId)),
    listChanges: (list, since, from) => translated(() => listChanges(stripe, list, { since, from })),
    newestOrders: () => translated(() => newestOrders(stripe)),
    eventsAfter: (event) => translated(() => eventsAfter(stripe, event)),
    newestEvent: (until) => translated(() => newestEvent(stripe, until)),
    contest: (intentId, evidence) => translated(() => contest(stripe, intentId, evidence)),
    refundOf: (wanted) => translated(() => refundOf(stripe, wanted)),
    refund: (wanted) => translated(() => refund(stripe, wanted)),
    writeEditions: (sessionId, written) =>
      translated(async () => {
        await stripe.checkout.sessions.update(sessionId, { metadata: { [editionsName]: written } });
      }),
    createCode: (wanted) => translated(() => createCode(stripe, wanted)),
    codes: () => translated(() => listCodes(stripe)),
    codesAfter: (after, most) => translated(() => pageOfCodes(stripe, after, most)),
    activeCode: (code) => translated(() => activeCode(stripe, code)),
    retireCode: (code) => translated(() => retireCode(stripe, code)),
    webhookEndpoint: (url) => translated(() => webhookEndpoint(stripe, url)),
    permissions: ({ writes }) => permissions(stripe, sales, writes),
    async subjectOf(rawBody, signature) {
      try {
        // also rejects signatures older than five minutes; `verifyHeader` alone does not
        const event = stripe.webhooks.constructEvent(
          rawBody,
          signature,
          config.webhookSecret,
          undefined,
          hmac,
        );
        return { subject: subjectOfEvent(event) };
      } catch (error) {
        if (error instanceof Stripe.errors.StripeSignatureVerificationError) return null;
        // the signature is valid, so the body itself is malformed
        throw new Refusal("webhook_malformed", {}, { cause: error });
      }
    },
  };
}

const hostOf = (url: URL) => ({
  host: url.hostname,
  port: Number(url.port || (url.protocol === "https:" ? 443 : 80)),
  protocol: url.protocol === "https:" ? ("https" as const) : ("http" as const),
});

async function open(
  stripe: Stripe,
  { tax, invoices }: SalesConfig,
  { order, code, ...places }: CheckoutOrder,
) {
  const metadata = metadataOf(order);
  const session = await stripe.checkout.sessions.create({
    mode: "payment",
    line_items: [
      {
        quantity: order.quantity,
        price_data: {
          currency: order.currency,
          unit_amount: order.amount,
          product_data: { name: order.product },
        },
      },
    ],
    client_reference_id: order.id,
    metadata,
    payment_intent_data: { metadata },
    success_url: places.successUrl,
    cancel_url: places.cancelUrl,
    ...(places.email ? { customer_email: places.email } : {}),
    ...(await discountsOf(stripe, { order, code })),
    ...(tax ? { automatic_tax: { enabled: true }, tax_id_collection: { enabled: true } } : {}),
    ...(invoices ? { invoice_creation: { enabled: true, invoice_data: { metadata } } } : {}),
  });
  if (!session.url) throw new Error("Stripe gave no checkout address");
  return {
    sessionId: session.id,
    url: session.url,
    livemode: session.livemode,
    createdAt: new Date(session.created * 1000),
  };
}

type Wanted = { warnings: boolean; invoices: boolean };

async function read(stripe: Stripe, sessionId: string, { warnings, invoices }: Wanted) {
  try {
    const { session, invoiceUnread } = await retrieve(stripe, sessionId, invoices);
    const [refunds, disputes, warned, promotionCode] = await Promise.all([
      unlessRefused(
        () => refundsOf(stripe, session),
        () => "unread" as const,
      ),
      unlessRefused(
        () => disputesOf(stripe, session),
        () => "unread" as const,
      ),
      warnings
        ? unlessRefused(
            () => isWarned(stripe, session),
            () => null,
          )
        : null,
      codeUsedIn(stripe, session),
    ]);
    return factsOf(session, { invoiceUnread, refunds, disputes, warned, promotionCode });
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_missing")
      return null;
    throw error;
  }
}

/**
 * The session with its lines, payment, charge and invoice; leaves out what the key may not read, except the payment.
 */
async function retrieve(stripe: Stripe, sessionId: string, invoices: boolean) {
  const get = async (...expand: string[]) => ({
    session: await stripe.checkout.sessions.retrieve(sessionId, { expand: ["line_items", ...expand] }),
    invoiceUnread: invoices && !expand.includes("invoice"),
  });
  const invoice = invoices ? ["invoice"] : [];
  try {
    return await get("payment_intent.latest_charge", ...invoice);
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripePermissionError)) throw error;
    // Stripe names one permission; the key may lack the other too
    const without = error.message.includes("rak_invoice")
      ? ["payment_intent.latest_charge"]
      : ["payment_intent", ...invoice];
    return await unlessRefused(
      () => get(...without),
      () => get("payment_intent"),
    );
  }
}

/** Asks only if the charge may have a dispute, so that an ordinary payment costs one request. */
async function disputesOf(stripe: Stripe, session: Stripe.Checkout.Session): Promise<Stripe.Dispute[]> {
  const intent = session.payment_intent;
  if (intent === null || typeof intent === "string") return [];
  const charge = intent.latest_charge;
  if (charge === null || (typeof charge !== "string" && !charge.disputed)) return [];
  return stripe.disputes.list({ payment_intent: intent.id, limit: 100 }).autoPagingToArray({ limit: 100 });
}

/** Asks only if something of the charge is refunded. A failed refund no longer counts in the charge. */
async function refundsOf(
  stripe: Stripe,
  session: Stripe.Checkout.Session,
): Promise<Stripe.Refund[] | "unread"> {
  const intent = session.payment_intent;
  if (intent === null || typeof intent === "string") return [];
  const charge = intent.latest_charge;
  if (typeof charge === "string") return "unread";
  if (charge === null || charge.amount_refunded === 0) return [];
  return stripe.refunds.list({ payment_intent: intent.id, limit: 100 }).autoPagingToArray({ limit: 100 });
}

async function isWarned(stripe: Stripe, { payment_intent: intent }: Stripe.Checkout.Session) {
  if (intent === null) return false;
  const id = typeof intent === "string" ? intent : intent.id;
  const found = await stripe.radar.earlyFraudWarnings.list({ payment_intent: id, limit: 1 });
  return found.data.length > 0;
}

async function sessionOf(stripe: Stripe, intentId: string): Promise<string | null> {
  const found = await stripe.checkout.sessions.list({ payment_intent: intentId, limit: 1 });
  return found.data[0]?.id ?? null;
}
