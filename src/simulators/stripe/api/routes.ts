import { getAccount, getBalance, getEvent, listEvents } from "./account";
import type { Endpoint } from "./call";
import { closeDispute, getDispute, listDisputes, updateDispute } from "./disputes";
import { getCharge, getPaymentIntent, listCharges, listPaymentIntents } from "./payments";
import { cancelRefund, createRefund, getRefund, listRefunds, updateRefund } from "./refunds";
import {
  createCheckoutSession,
  expireCheckoutSession,
  getCheckoutSession,
  listCheckoutSessions,
  listLineItems,
} from "./sessions";
import { getWarning, listWarnings } from "./warnings";

/** The part of Stripe's API that this stand-in speaks. */
export const routes: [method: "GET" | "POST", path: string, endpoint: Endpoint][] = [
  ["POST", "/v1/checkout/sessions", createCheckoutSession],
  ["GET", "/v1/checkout/sessions", listCheckoutSessions],
  ["GET", "/v1/checkout/sessions/:id", getCheckoutSession],
  ["GET", "/v1/checkout/sessions/:id/line_items", listLineItems],
  ["POST", "/v1/checkout/sessions/:id/expire", expireCheckoutSession],
  ["GET", "/v1/payment_intents", listPaymentIntents],
  ["GET", "/v1/payment_intents/:id", getPaymentIntent],
  ["GET", "/v1/charges", listCharges],
  ["GET", "/v1/charges/:id", getCharge],
  ["POST", "/v1/refunds", createRefund],
  ["GET", "/v1/refunds", listRefunds],
  ["GET", "/v1/refunds/:id", getRefund],
  ["POST", "/v1/refunds/:id", updateRefund],
  ["POST", "/v1/refunds/:id/cancel", cancelRefund],
  ["GET", "/v1/disputes", listDisputes],
  ["GET", "/v1/disputes/:id", getDispute],
  ["POST", "/v1/disputes/:id", updateDispute],
  ["POST", "/v1/disputes/:id/close", closeDispute],
  ["GET", "/v1/radar/early_fraud_warnings", listWarnings],
  ["GET", "/v1/radar/early_fraud_warnings/:id", getWarning],
  ["GET", "/v1/events", listEvents],
  ["GET", "/v1/events/:id", getEvent],
  ["GET", "/v1/account", getAccount],
  ["GET", "/v1/balance", getBalance],
];
