import type { CheckoutBody } from "@/contract/wire/payments";

/** Stores the order of a visitor who leaves for Stripe's page in the history entry to which Back leads. */
export const keepOrderInHistory = (order: CheckoutBody) =>
  history.replaceState({ ...history.state, order }, "");

export const orderInHistory = (): CheckoutBody | undefined => globalThis.history?.state?.order;
