import { getAccount, getBalance, getEvent, listEvents } from "./account";
import type { Endpoint } from "./call";
import { getCharge, getPaymentIntent, listCharges, listPaymentIntents } from "./payments";
import {
  createCheckoutSession,
  expireCheckoutSession,
  getCheckoutSession,
  listCheckoutSessions,
  listLineItems,
} from "./sessions";

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
  ["GET", "/v1/events", listEvents],
  ["GET", "/v1/events/:id", getEvent],
  ["GET", "/v1/account", getAccount],
  ["GET", "/v1/balance", getBalance],
];
