import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { PortalBody } from "@/contract/wire/subscriptions";
import { api, ask } from "./client";
import { listQuery } from "./list";

/** The account's subscriptions, newest first. */
export const subscriptionsQuery = listQuery("subscriptions", (query) =>
  ask(api.subscriptions.$get({ query })),
);

/** Leads to Stripe's page for a subscription, and from there back to `return_to`. */
export const usePortal = () =>
  useMutation({
    mutationFn: async (json: PortalBody) => (await ask(api.subscriptions.portal.$post({ json }))).data.url,
    onSuccess: (url) => location.assign(url),
  });

/** Cancels a subscription whose first payment is still to be made. */
export function useDrop() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) => ask(api.subscriptions.drop.$post({ json: { id } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: subscriptionsQuery.queryKey }),
  });
}

/** Asks the shop to check a subscription that may have changed at Stripe, whose webhook does the same if this fails. */
export function useCheckSubscription() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) => ask(api.subscriptions.look.$post({ json: { id } })),
    onSettled: () => queries.invalidateQueries(),
  });
}
