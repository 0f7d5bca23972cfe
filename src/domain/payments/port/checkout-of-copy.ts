import { Refusal } from "@/core/base/refusal";
import { refusedByCopy } from "@/core/database/restored-copy";
import type { CheckoutGateway } from "./stripe";

/** The provider for a restored copy: reads everything, and refuses every change with `copy`. */
export const checkoutOfCopy = (gateway: CheckoutGateway): CheckoutGateway => ({
  ...gateway,
  open: () => Promise.reject(new Refusal("copy")),
  expireCheckout: refuse,
  contest: refuse,
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
});

const refuse = () => Promise.reject(refusedByCopy());
