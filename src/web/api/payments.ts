import { queryOptions, useMutation } from "@tanstack/react-query";
import type { Payment, PurchaseResult } from "@/contract/wire/payments";
import { stored } from "../page/stored";
import { api, ask, isRateLimited } from "./client";
import { listQuery, pageQuery } from "./list";

/** The account's payments, newest first. */
export const paymentsQuery = listQuery("payments", (query) => ask(api.payments.$get({ query })));

/** All of the account's payments, newest first. Waits when the server rate-limits. */
export const useAllPayments = () =>
  useMutation({
    mutationFn: async () => {
      const all: Payment[] = [];
      for (let before: string | null = null; ;) {
        const { data, next } = await patiently(() => ask(api.payments.$get({ query: pageQuery(before) })));
        all.push(...data);
        if (!next) return all;
        before = next;
      }
    },
  });

type Page = { data: Payment[]; next: string | null };

async function patiently(read: () => Promise<Page>): Promise<Page> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!isRateLimited(error) || error.retryAt === undefined) throw error;
      const milliseconds = error.retryAt - Date.now();
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
    }
  }
}

/**
 * The checkout session that this tab opened last. Stripe adds the id to the URL after paying, but not to the one after
 * canceling.
 */
export const lastCheckout = stored("last-checkout");

/** Identifies a payment by its checkout session (for anyone) or by its intent (for its owner). */
export type PaymentReference = { session_id: string } | { payment_intent: string };

export type PaymentAnswer = { data: PurchaseResult; status_message: string };

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
    refetchInterval: ({ state }) => pauseBeforeAsking(state.data?.data, state.dataUpdateCount),
  });

/**
 * Milliseconds until a payment is polled again; false for never. Most delayed payments settle within a minute,
 * so polling slows down after that. A receipt leaves within seconds of the payment.
 */
export function pauseBeforeAsking(
  payment: Partial<PurchaseResult> | undefined,
  answers: number,
): number | false {
  const { status, email, sent_receipt: isSent } = payment ?? {};
  if (status === "Payment Successful") return email && !isSent && answers < 5 ? 3_000 : false;
  if (!status?.includes("Pending")) return false;
  return answers < 12 ? 5_000 : 20_000;
}

/** The address and key that the link in a receipt or gift mail stands for; reading uses nothing up. */
export const mailedKeyQuery = (token: string) =>
  queryOptions({
    queryKey: ["mailed-key", token],
    enabled: token !== "",
    queryFn: async () => (await ask(api.payments.mailed.$post({ json: { token } }))).data,
    staleTime: Infinity,
  });

/** Emails an address its orders; always answers the same, whether or not there are any. */
export function useFindOrders() {
  return useMutation({
    mutationFn: async (email: string) => (await ask(api.payments.find.$post({ json: { email } }))).data,
  });
}
