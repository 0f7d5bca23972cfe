import { updateDispute } from "./disputes";
import { type Endpoint, listEvents, listOf } from "./lists";
import {
  createCoupon,
  createPromotionCode,
  listPromotionCodes,
  updatePromotionCode,
} from "./promotion-codes";
import { createRefund } from "./refunds";
import { createCheckoutSession, getCheckoutSession, listCheckoutSessions } from "./sessions";

type Route = {
  method: "GET" | "POST";
  path: string;
  /** What a restricted key needs a permission for: https://docs.stripe.com/keys/restricted-api-keys */
  resource: string;
  endpoint: Endpoint;
};

const get = (path: string, resource: string, endpoint: Endpoint): Route => ({
  method: "GET",
  path: `/v1/${path}`,
  resource,
  endpoint,
});
const post = (path: string, resource: string, endpoint: Endpoint): Route => ({
  ...get(path, resource, endpoint),
  method: "POST",
});

/** The part of Stripe's API that the shop uses. */
export const routes: Route[] = [
  post("checkout/sessions", "checkout_session", createCheckoutSession),
  get("checkout/sessions", "checkout_session", listCheckoutSessions),
  get("checkout/sessions/:id", "checkout_session", getCheckoutSession),
  get("payment_intents", "payment_intent", listOf("intents", "payment_intent")),
  get("charges", "charge", listOf("charges", "charge")),
  post("refunds", "charge", createRefund),
  get("refunds", "charge", listOf("refunds", "refund")),
  get("disputes", "dispute", listOf("disputes", "dispute")),
  post("disputes/:id", "dispute", updateDispute),
  get("radar/early_fraud_warnings", "early_fraud_warning", listOf("warnings", "radar.early_fraud_warning")),
  get("events", "event", listEvents),
  post("coupons", "coupon", createCoupon),
  post("promotion_codes", "promotion_code", createPromotionCode),
  post("promotion_codes/:id", "promotion_code", updatePromotionCode),
  get("promotion_codes", "promotion_code", listPromotionCodes),
  get("invoices", "invoice", listOf("invoices", "invoice")),
];
