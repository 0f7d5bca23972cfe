import { updateDispute } from "./disputes";
import { type Endpoint, listEndpoints, listEvents, listOf } from "./lists";
import {
  createCoupon,
  createPromotionCode,
  listCoupons,
  listPromotionCodes,
  readPromotionCode,
  updatePromotionCode,
} from "./promotion-codes";
import { createRefund } from "./refunds";
import {
  createCheckoutSession,
  getCheckoutSession,
  listCheckoutSessions,
  updateCheckoutSession,
} from "./sessions";

type Route = [
  method: "GET" | "POST",
  path: string,
  /** The resource for which a restricted key needs a permission: https://docs.stripe.com/keys/restricted-api-keys */
  resource: string,
  endpoint: Endpoint,
];

/** The part of Stripe's API that the shop uses, below `/v1`. */
export const routes: Route[] = [
  ["POST", "checkout/sessions", "checkout_session", createCheckoutSession],
  ["GET", "checkout/sessions", "checkout_session", listCheckoutSessions],
  ["GET", "checkout/sessions/:id", "checkout_session", getCheckoutSession],
  ["POST", "checkout/sessions/:id", "checkout_session", updateCheckoutSession],
  ["GET", "payment_intents", "payment_intent", listOf("intents", "payment_intent")],
  ["GET", "charges", "charge", listOf("charges", "charge")],
  ["POST", "refunds", "charge", createRefund],
  ["GET", "refunds", "charge", listOf("refunds", "refund")],
  ["GET", "disputes", "dispute", listOf("disputes", "dispute")],
  ["POST", "disputes/:id", "dispute", updateDispute],
  [
    "GET",
    "radar/early_fraud_warnings",
    "early_fraud_warning",
    listOf("warnings", "radar.early_fraud_warning"),
  ],
  ["GET", "events", "event", listEvents],
  ["POST", "coupons", "coupon", createCoupon],
  ["GET", "coupons", "coupon", listCoupons],
  ["POST", "promotion_codes", "promotion_code", createPromotionCode],
  ["POST", "promotion_codes/:id", "promotion_code", updatePromotionCode],
  ["GET", "promotion_codes", "promotion_code", listPromotionCodes],
  ["GET", "promotion_codes/:id", "promotion_code", readPromotionCode],
  ["GET", "webhook_endpoints", "webhook", listEndpoints],
  ["GET", "invoices", "invoice", listOf("invoices", "invoice")],
];
