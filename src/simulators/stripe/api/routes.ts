import { createRefund, listRefunds } from "./refunds";
import { listDisputes, updateDispute } from "./disputes";
import {
  type Endpoint,
  listCharges,
  listEvents,
  listInvoices,
  listPaymentIntents,
  listWarnings,
} from "./lists";
import {
  createCoupon,
  createPromotionCode,
  listPromotionCodes,
  updatePromotionCode,
} from "./promotion-codes";
import { createCheckoutSession, getCheckoutSession, listCheckoutSessions, listLineItems } from "./sessions";

/** The part of Stripe's API that the shop uses. */
export const routes: [method: "GET" | "POST", path: string, endpoint: Endpoint][] = [
  ["POST", "/v1/checkout/sessions", createCheckoutSession],
  ["GET", "/v1/checkout/sessions", listCheckoutSessions],
  ["GET", "/v1/checkout/sessions/:id", getCheckoutSession],
  ["GET", "/v1/checkout/sessions/:id/line_items", listLineItems],
  ["GET", "/v1/payment_intents", listPaymentIntents],
  ["GET", "/v1/charges", listCharges],
  ["POST", "/v1/refunds", createRefund],
  ["GET", "/v1/refunds", listRefunds],
  ["GET", "/v1/disputes", listDisputes],
  ["POST", "/v1/disputes/:id", updateDispute],
  ["GET", "/v1/radar/early_fraud_warnings", listWarnings],
  ["GET", "/v1/events", listEvents],
  ["POST", "/v1/coupons", createCoupon],
  ["POST", "/v1/promotion_codes", createPromotionCode],
  ["POST", "/v1/promotion_codes/:id", updatePromotionCode],
  ["GET", "/v1/promotion_codes", listPromotionCodes],
  ["GET", "/v1/invoices", listInvoices],
];
