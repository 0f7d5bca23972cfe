import { useMutation } from "@tanstack/react-query";
import type { PortalBody } from "@/contract/subscriptions";
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
