import { queryOptions } from "@tanstack/react-query";
import type {
  CustomerDetails,
  LicenceDetails,
  PaymentDetails,
  SubscriptionDetails,
  TicketDetails,
} from "@/contract/wire/desk/details";
import { minute } from "@/contract/vocabulary/time";
import { readDesk } from "./call";
import { isTouched } from "./presence";

type Details = {
  customers: CustomerDetails;
  payments: PaymentDetails;
  licences: LicenceDetails;
  subscriptions: SubscriptionDetails;
  tickets: TicketDetails;
};

/** A customer, payment, licence, subscription or ticket with everything that belongs to it. */
export const detailsQuery = <Kind extends keyof Details>(kind: Kind, id: string) =>
  queryOptions({
    queryKey: ["desk", "details", kind, id] as const,
    queryFn: () => readDesk<Details[Kind]>(`${kind}/${encodeURIComponent(id)}`),
    staleTime: minute,
    refetchOnWindowFocus: isTouched,
    refetchOnReconnect: isTouched,
  });
