import { queryOptions } from "@tanstack/react-query";
import type { PaymentStatus } from "@/contract/payments";
import { api, ask } from "./client";

/** The account's payments, newest first. */
export const paymentsQuery = queryOptions({
  queryKey: ["payments"],
  queryFn: async () => (await ask(api.payments.$get())).data,
});

/** Which payment: by its checkout session (anyone), or by its intent (its owner). */
export type PaymentReference = { session_id: string } | { payment_intent: string };

export type PaymentAnswer = { data: PaymentStatus; status_message: string };

/** What became of a payment. While it is pending it asks again by itself. */
export const paymentStatusQuery = (reference: PaymentReference | null) =>
  queryOptions({
    queryKey: ["payment-status", reference],
    enabled: reference !== null,
    queryFn: async (): Promise<PaymentAnswer> => {
      if (!reference) throw new Error("There is no payment to ask for");
      return ask(api.stripe["verify-payment"].$get({ query: reference }));
    },
    staleTime: 0,
    refetchInterval: ({ state }) => pauseBeforeAsking(state.data?.data.status, state.dataUpdateCount),
  });

/**
 * Milliseconds until a payment is asked for again by itself; false for never. Most delayed payments are
 * through within a minute, after that nobody is in a hurry.
 */
export function pauseBeforeAsking(status: string | undefined, answers: number): number | false {
  if (!status?.includes("Pending")) return false;
  return answers < 12 ? 5_000 : 20_000;
}
