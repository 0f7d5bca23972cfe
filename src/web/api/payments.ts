import { queryOptions, useMutation } from "@tanstack/react-query";
import type { PaymentStatus } from "@/contract/payments";
import { stored } from "../stored";
import { api, ask } from "./client";

/** The account's payments, newest first. */
export const paymentsQuery = queryOptions({
  queryKey: ["payments"],
  queryFn: async () => (await ask(api.payments.$get())).data,
});

/**
 * The checkout session that this tab opened last. Stripe adds the id to the URL that a buyer returns to after paying,
 * but not to the one for canceling.
 */
export const lastCheckout = stored("last-checkout");

/** Which payment: by its checkout session (anyone), or by its intent (its owner). */
export type PaymentReference = { session_id: string } | { payment_intent: string };

export type PaymentAnswer = { data: PaymentStatus; status_message: string };

/** A payment's status. Polls while the payment is pending. */
export const paymentStatusQuery = (reference: PaymentReference | null) =>
  queryOptions({
    queryKey: ["payment-status", reference],
    enabled: reference !== null,
    queryFn: async (): Promise<PaymentAnswer> => {
      if (!reference) throw new Error("There is no payment to fetch");
      return ask(api.stripe["verify-payment"].$get({ query: reference }));
    },
    staleTime: 0,
    refetchInterval: ({ state }) => pauseBeforeAsking(state.data?.data.status, state.dataUpdateCount),
  });

/**
 * Milliseconds until a payment is polled again; false for never. Most delayed payments settle within a minute,
 * so polling slows down after that.
 */
export function pauseBeforeAsking(status: string | undefined, answers: number): number | false {
  if (!status?.includes("Pending")) return false;
  return answers < 12 ? 5_000 : 20_000;
}

/** Mails what was bought with an address to it; resolves to the sentence to show, which is always the same. */
export function useFindOrders() {
  return useMutation({
    mutationFn: async (email: string) => (await ask(api.payments.find.$post({ json: { email } }))).data,
  });
}
