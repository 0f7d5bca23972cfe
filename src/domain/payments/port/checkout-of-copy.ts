import { Refusal } from "@/core/base/refusal";
import { refusedByCopy } from "@/core/database/restored-copy";
import type { CheckoutGateway } from "./stripe";

/** Calls that change nothing at the provider. */
type Read =
  | "activeCode"
  | "buyers"
  | "codeOffered"
  | "codes"
  | "codesAfter"
  | "eventsAfter"
  | "listChanges"
  | "listSubscriptions"
  | "movements"
  | "newestEvent"
  | "newestOrders"
  | "openSessionsWithCode"
  | "pageOf"
  | "paidOutBy"
  | "payout"
  | "permissions"
  | "previewNext"
  | "read"
  | "readPrice"
  | "readSession"
  | "readSubscription"
  | "refundOf"
  | "sessionOf"
  | "sessionOfSubscription"
  | "subjectOf"
  | "subscriptionOfInvoice"
  | "webhookEndpoints";

const refuse = () => Promise.reject(refusedByCopy());

const changes: Omit<CheckoutGateway, Read> = {
  open: () => Promise.reject(new Refusal("copy")),
  expireCheckout: refuse,
  contest: refuse,
  acceptDispute: refuse,
  refund: refuse,
  writeKeyVersions: refuse,
  createCode: refuse,
  retireCode: refuse,
  switchOffCode: refuse,
  openPortal: refuse,
  portalLoginPage: refuse,
  cancelSubscription: refuse,
  voidInvoice: refuse,
  chargeToCard: refuse,
  correctBilling: refuse,
  addEvents: refuse,
  newEndpoint: refuse,
  // the shop that it was made from watches the key
  whenForbidden() {},
};

/** The provider for a restored copy: reads everything, and refuses every change with `copy`. */
export const checkoutOfCopy = (gateway: CheckoutGateway): CheckoutGateway => ({ ...gateway, ...changes });
