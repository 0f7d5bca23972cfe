import type { CheckoutBody } from "@/contract/wire/payments";

/** Keeps the order with which the visitor left for Stripe's page in this entry of the history, to which Back leads. */
export const leaveWith = (order: CheckoutBody) => history.replaceState({ ...history.state, order }, "");

export const leftOrder = (): CheckoutBody | undefined => globalThis.history?.state?.order;
