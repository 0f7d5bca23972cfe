import { createSession } from "../billing/api/checkout";
import { billingRoutes } from "../billing/api/routes";
import { closeDispute, updateDispute } from "./disputes";
import { readAccount } from "./account";
import { createEndpoint, deleteEndpoint, listEndpoints, readEndpoint, updateEndpoint } from "./endpoints";
import { found } from "./errors";
import { payoutJson } from "../money/balance";
import { listBalanceTransactions, listEvents, listOf, type Route } from "./lists";
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
  expireCheckoutSession,
  getCheckoutSession,
  listCheckoutSessions,
  updateCheckoutSession,
} from "./sessions";

/** The part of Stripe's API that the shop uses, below `/v1`. */
export const routes: Route[] = [
  ["POST", "checkout/sessions", "checkout_session", createSession],
  ["GET", "checkout/sessions", "checkout_session", listCheckoutSessions],
  ["GET", "checkout/sessions/:id", "checkout_session", getCheckoutSession],
  ["POST", "checkout/sessions/:id", "checkout_session", updateCheckoutSession],
  ["POST", "checkout/sessions/:id/expire", "checkout_session", expireCheckoutSession],
  ["GET", "payment_intents", "payment_intent", listOf("intents", "payment_intent")],
  ["GET", "charges", "charge", listOf("charges", "charge")],
  ["GET", "balance_transactions", "balance", listBalanceTransactions],
  [
    "GET",
    "balance_transactions/:id",
    "balance",
    ({ world, id }) => found(world.ledger.balanceTransactions.get(id), "balance_transaction", id),
  ],
  [
    "GET",
    "payouts/:id",
    "payout",
    ({ world, id }) => payoutJson(found(world.ledger.payouts.get(id), "payout", id)),
  ],
  ["POST", "refunds", "charge", createRefund],
  ["GET", "refunds", "charge", listOf("refunds", "refund")],
  ["GET", "disputes", "dispute", listOf("disputes", "dispute")],
  ["POST", "disputes/:id", "dispute", updateDispute],
  ["POST", "disputes/:id/close", "dispute", closeDispute],
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
  ["GET", "webhook_endpoints/:id", "webhook", readEndpoint],
  ["POST", "webhook_endpoints", "webhook", createEndpoint],
  ["POST", "webhook_endpoints/:id", "webhook", updateEndpoint],
  ["DELETE", "webhook_endpoints/:id", "webhook", deleteEndpoint],
  ["GET", "account", "accounts_kyc_basic", readAccount],
  ...billingRoutes,
];
