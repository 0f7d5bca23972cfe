import { Refusal } from "@/core/refusal";
import type { CheckoutGateway } from "./checkout";

/** The provider as a restored copy may use it: everything can be read, and what would change something is refused with `copy`. */
export const checkoutOfCopy = (gateway: CheckoutGateway): CheckoutGateway => ({
  ...gateway,
  open: refuse,
  contest: refuse,
  refund: refuse,
  writeEditions: refuse,
  createCode: refuse,
  retireCode: refuse,
});

const refuse = () => Promise.reject(new Refusal("copy"));
