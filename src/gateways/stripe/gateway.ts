import Stripe from "stripe";
import { wireAddress } from "@/contract/vocabulary/addresses";
import { noWebhookSecret, type SalesConfig, type StripeConfig } from "@/core/settings/config";
import { Refusal } from "@/core/base/refusal";
import type {
  PaymentExtras,
  CheckoutGateway,
  CheckoutOrder,
  SessionFacts,
} from "@/domain/payments/port/stripe";
import { metadataOf, type Order } from "@/domain/payments/port/order-terms";
import { CodeUnfit } from "@/domain/payments/port/promotion-code";
import { stripeBooks } from "./books";
import { stripeClient } from "./client";
import { acceptDispute, contest } from "./disputes";
import { arrivalOf, moneyOf, noArrival, noMoney } from "./money";
import { translated, unlessClosed, unlessMissing, unlessRefused } from "./errors";
import { intentsOf, invoicePaidBy, paymentsOfInvoice } from "./invoice-payments";
import { permissions } from "./permissions";
import {
  activeCode,
  codeOffered,
  codeUsedIn,
  createCode,
  discountsOf,
  listCodes,
  openSessionsWithCode,
  pageOfCodes,
  retireCode,
  switchOffCode,
} from "./promotion-codes";
import { refund, refundOf } from "./refund";
import { eventsAfter, newestEvent, newestOrders, listChanges } from "./list-changes";
import { openPortal, portalLoginPage } from "./portal";
import { recurringPrice } from "./prices";
import { previewNext, readInvoice, voidInvoice } from "./subscription-invoices";
import {
  beginningOf,
  cancelSubscription,
  chargeToCard,
  correctBilling,
  listSubscriptions,
  readPrice,
  readSubscription,
  sessionOfSubscription,
  subscriptionIn,
  subscriptionOfInvoice,
} from "./subscriptions";
import { addEvents, newEndpoint, webhookEndpoints } from "./webhook-endpoints";
import { keyVersionsName, factsOf, factsOfInvoice, subjectOfEvent } from "./translate";
import { createHmac } from "node:crypto";

/** Stripe's hosted checkout behind the domain's port. https://docs.stripe.com/api/checkout/sessions */
export function createStripeGateway(
  config: StripeConfig,
  sales: SalesConfig,
  { hostname }: URL,
): CheckoutGateway {
  const stripe = stripeClient(config);
  return {
    ...stripeBooks(stripe),
    open: (order) => translated(() => open(stripe, sales, order)),
    read: (sessionId, also) =>
      translated(() => read(stripe, sessionId, { ...also, invoices: sales.invoices })),
    readSession: (sessionId) => translated(() => readSession(stripe, sessionId)),
    // Stripe gives an address only while the session is open
    pageOf: (sessionId) => translated(async () => (await stripe.checkout.sessions.retrieve(sessionId)).url),
    expireCheckout: (sessionId) => translated(() => expireCheckout(stripe, sessionId)),
    readSubscription: (id, knownItem) => translated(() => readSubscription(stripe, hostname, id, knownItem)),
    readPrice: (id) => translated(() => readPrice(stripe, hostname, id)),
    previewNext: (held) => translated(() => previewNext(stripe, held)),
    subscriptionOfInvoice: (id) => translated(() => subscriptionOfInvoice(stripe, id)),
    sessionOfSubscription: (id) => translated(() => sessionOfSubscription(stripe, id)),
    openPortal: (order) => translated(() => openPortal(stripe, new URL(order.returnUrl).host, order)),
    portalLoginPage: ({ shopUrl, offers }) => translated(() => portalLoginPage(stripe, shopUrl.host, offers)),
    correctBilling: (wanted) => translated(() => correctBilling(stripe, wanted)),
    chargeToCard: (wanted) => translated(() => chargeToCard(stripe, wanted)),
    cancelSubscription: (id, when) => translated(() => cancelSubscription(stripe, id, when)),
    listSubscriptions: (from) => translated(() => listSubscriptions(stripe, from)),
    voidInvoice: (id) => translated(() => voidInvoice(stripe, id)),
    sessionOf: (intentId) => translated(() => sessionOf(stripe, intentId)),
    listChanges: (list, wanted) => translated(() => listChanges(stripe, list, wanted)),
    newestOrders: () => translated(() => newestOrders(stripe)),
    eventsAfter: (event, watching) => translated(() => eventsAfter(stripe, event, watching)),
    newestEvent: (until, watching) => translated(() => newestEvent(stripe, until, watching)),
    contest: (intentId, evidence) => translated(() => contest(stripe, intentId, evidence)),
    acceptDispute: (intentId) => translated(() => acceptDispute(stripe, intentId)),
    refundOf: (wanted) => translated(() => refundOf(stripe, wanted)),
    refund: (wanted) => translated(() => refund(stripe, wanted)),
    writeKeyVersions: (sessionId, written) =>
      translated(async () => {
        await stripe.checkout.sessions.update(sessionId, { metadata: { [keyVersionsName]: written } });
      }),
    createCode: (wanted) => translated(() => createCode(stripe, wanted)),
    codes: () => translated(() => listCodes(stripe)),
    codesAfter: (after, most) => translated(() => pageOfCodes(stripe, after, most)),
    activeCode: (code) => translated(() => activeCode(stripe, code)),
    codeOffered: (code) => translated(() => codeOffered(stripe, code)),
    retireCode: (code) => translated(() => retireCode(stripe, code)),
    switchOffCode: (id) => translated(() => switchOffCode(stripe, id)),
    openSessionsWithCode: (id, from) => translated(() => openSessionsWithCode(stripe, id, from)),
    webhookEndpoints: (url, watching) => translated(() => webhookEndpoints(stripe, url, watching)),
    addEvents: (endpoint, watching) => translated(() => addEvents(stripe, endpoint, watching)),
    newEndpoint: (url, watching, shopId) => translated(() => newEndpoint(stripe, url, watching, shopId)),
    permissions: (wanted) => permissions(stripe, wanted),
    whenForbidden(listener) {
      stripe.on("response", ({ status, method, path }: Stripe.ResponseEvent) => {
        // selling needs no payouts
        if (status === 403 && !path.startsWith("/v1/payouts")) listener(kindOfCall(method, path));
      });
    },
    async subjectOf(rawBody, signature, others) {
      const read = (secret: string) => subjectSigned(stripe, { rawBody, signature, secret });
      const subject = config.webhookSecret === noWebhookSecret ? null : read(config.webhookSecret);
      if (subject) return subject;
      for (const secret of await others()) {
        const found = read(secret);
        if (found) return found;
      }
      return null;
    },
  };
}

type SignedRequest = { rawBody: string; signature: string; secret: string };

function subjectSigned(stripe: Stripe, { rawBody, signature, secret }: SignedRequest) {
  try {
    // also rejects signatures older than five minutes; `verifyHeader` alone does not
    const event = stripe.webhooks.constructEvent(rawBody, signature, secret, undefined, hmac);
    return { subject: subjectOfEvent(event) };
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return null;
    // the signature is valid, so the body itself is malformed
    throw new Refusal("webhook_malformed", {}, { cause: error });
  }
}

/** Without the ids, which have a digit. */
const kindOfCall = (method: string, path: string): string =>
  `${method} ${path.replace(/\?.*/, "").replace(/\/[^/]*\d[^/]*/g, "/*")}`;

async function open(stripe: Stripe, sales: SalesConfig, wanted: CheckoutOrder) {
  const session = await createSession(stripe, sales, wanted).catch((error: unknown) => {
    if (wanted.code === null || !(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    // everything else of an order is the shop's own
    throw new CodeUnfit(error.message, { cause: error });
  });
  if (!session.url) throw new Error("Stripe gave no checkout address");
  return {
    sessionId: session.id,
    url: session.url,
    livemode: session.livemode,
    createdAt: new Date(session.created * 1000),
  };
}

/** Where Stripe refuses the price that it found, as when somebody archived its product, one is made anew. */
async function createSession(
  stripe: Stripe,
  sales: SalesConfig,
  wanted: CheckoutOrder,
  refused: string | null = null,
): Promise<Stripe.Checkout.Session> {
  const params = await paramsOf(stripe, sales, { ...wanted, refused });
  try {
    return await unlessRefused(
      () => stripe.checkout.sessions.create({ ...params, ...conveniencesOf(wanted) }),
      () => stripe.checkout.sessions.create(params),
    );
  } catch (error) {
    const price = params.line_items?.[0]?.price;
    if (refused !== null || !price || !isAboutPrice(error)) throw error;
    return createSession(stripe, sales, wanted, price);
  }
}

const isAboutPrice = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.param === "line_items[0][price]";

/** What only saves typing, or helps people at Stripe's dashboard: it never refuses a sale. */
const conveniencesOf = ({ order, email }: CheckoutOrder): Stripe.Checkout.SessionCreateParams => ({
  client_reference_id: order.id,
  ...(email ? { customer_email: wireAddress(email) } : {}),
});

async function paramsOf(
  stripe: Stripe,
  { tax, invoices }: SalesConfig,
  { order, code, refused, ...urls }: CheckoutOrder & { refused: string | null },
): Promise<Stripe.Checkout.SessionCreateParams> {
  const metadata = metadataOf(order);
  return {
    ...(await soldAs(stripe, order, { metadata, shop: new URL(urls.successUrl).host, refused })),
    metadata,
    success_url: urls.successUrl,
    cancel_url: urls.cancelUrl,
    ...(await discountsOf(stripe, { order, code })),
    ...(tax ? { automatic_tax: { enabled: true }, tax_id_collection: { enabled: true } } : {}),
    ...(invoices && order.every === null
      ? { invoice_creation: { enabled: true, invoice_data: { metadata } } }
      : {}),
  };
}

/** The parameters that differ between a one-time payment and a subscription, which is always billed by invoices. */
async function soldAs(
  stripe: Stripe,
  { every, trialDays, ...order }: Order,
  { metadata, shop, refused }: { metadata: Record<string, string>; shop: string; refused: string | null },
): Promise<Stripe.Checkout.SessionCreateParams> {
  if (every === null) {
    const { currency, amount: unit_amount, product: name, quantity } = order;
    return {
      mode: "payment",
      line_items: [{ quantity, price_data: { currency, unit_amount, product_data: { name } } }],
      payment_intent_data: { metadata },
    };
  }
  const { id: price } = await recurringPrice(stripe, shop, { ...order, every }, refused);
  return {
    mode: "subscription",
    line_items: [{ price, quantity: 1 }],
    payment_method_collection: "always",
    subscription_data: {
      metadata,
      ...(trialDays === null
        ? {}
        : {
            trial_period_days: trialDays,
            trial_settings: { end_behavior: { missing_payment_method: "cancel" } },
          }),
    },
  };
}

/** https://docs.stripe.com/api/checkout/sessions/expire */
async function expireCheckout(stripe: Stripe, sessionId: string): Promise<void> {
  await stripe.checkout.sessions.expire(sessionId).catch(unlessClosed);
}

type SessionRead = PaymentExtras & { invoices: boolean };

/** A session, or an invoice of a subscription, which has no session. */
async function read(stripe: Stripe, id: string, { invoices, ...also }: SessionRead) {
  try {
    if (id.startsWith("in_")) return await readRenewal(stripe, id, also);
    const expand = ["line_items", "payment_intent.latest_charge", ...(invoices ? ["invoice"] : [])];
    const session = await stripe.checkout.sessions.retrieve(id, { expand });
    if (session.mode === "subscription") return await readFirst(stripe, session, also);
    const intent = typeof session.payment_intent === "string" ? null : session.payment_intent;
    const [money, code, arrival] = await Promise.all([
      moneyOf(stripe, intent ? [intent] : [], also),
      codeUsedIn(stripe, session),
      also.arrival ? arrivalOf(stripe, session, intent) : noArrival,
    ]);
    return factsOf(session, { money, code, arrival });
  } catch (error) {
    return unlessMissing(error);
  }
}

async function readSession(stripe: Stripe, id: string): Promise<SessionFacts | null> {
  if (id.startsWith("in_")) return null;
  const session = await stripe.checkout.sessions.retrieve(id).catch(unlessMissing);
  return session && factsOf(session, { money: noMoney, code: null, arrival: noArrival });
}

/** The session of a subscription, whose money is on its first invoice. */
async function readFirst(stripe: Stripe, session: Stripe.Checkout.Session, also: PaymentExtras) {
  const id = typeof session.invoice === "string" ? session.invoice : session.invoice?.id;
  const [invoice, payments] = id
    ? await Promise.all([readInvoice(stripe, id), paymentsOfInvoice(stripe, id)])
    : [null, []];
  const [money, code, beginning] = await Promise.all([
    moneyOf(stripe, invoice ? intentsOf(payments, invoice) : [], also),
    codeUsedIn(stripe, session),
    beginningOf(stripe, session, invoice),
  ]);
  const facts = factsOf({ ...session, invoice }, { money, code, arrival: noArrival });
  return { ...facts, ...beginning };
}

async function readRenewal(stripe: Stripe, id: string, also: PaymentExtras) {
  const [invoice, payments] = await Promise.all([readInvoice(stripe, id), paymentsOfInvoice(stripe, id)]);
  return factsOfInvoice(invoice, await moneyOf(stripe, intentsOf(payments, invoice), also));
}

/** The session of a payment; for one of several payments of an invoice, that invoice, or the session of its subscription. */
async function sessionOf(stripe: Stripe, intentId: string): Promise<string | null> {
  const found = await stripe.checkout.sessions.list({ payment_intent: intentId, limit: 1 });
  const [session] = found.data;
  const id = session ? null : await invoicePaidBy(stripe, intentId);
  if (id === null) return session?.id ?? null;
  const invoice = await stripe.invoices.retrieve(id);
  const subscription = subscriptionIn(invoice);
  if (subscription === null) return null;
  return invoice.billing_reason === "subscription_create" ? sessionOfSubscription(stripe, subscription) : id;
}

/** Stripe's own provider for Bun takes 20 µs a webhook: it imports the secret again each time, on another thread. */
class Hmac extends Stripe.CryptoProvider {
  override computeHMACSignature(payload: string, secret: string): string {
    return createHmac("sha256", secret).update(payload).digest("hex");
  }
  override async computeHMACSignatureAsync(payload: string, secret: string): Promise<string> {
    return this.computeHMACSignature(payload, secret);
  }
}

const hmac = new Hmac();
