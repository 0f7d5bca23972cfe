import { queryOptions } from "@tanstack/react-query";
import {
  showCustomer,
  showLicence,
  showPayment,
  showSubscription,
  showTicket,
} from "@/contract/operations/desk";
import type { AnswerOf, Declaration, Sent } from "@/contract/operations/operation";
import { minute } from "@/contract/vocabulary/time";
import { callOperation } from "./operations";
import { refetchWhenTouched } from "./presence";

const shows = {
  customers: showCustomer,
  payments: showPayment,
  licences: showLicence,
  subscriptions: showSubscription,
  tickets: showTicket,
} as const;

export type DetailsKind = keyof typeof shows;
export type Details<Kind extends DetailsKind> = AnswerOf<(typeof shows)[Kind]>;

/** A customer, payment, licence, subscription or ticket with everything that belongs to it. */
export const detailsQuery = <Kind extends DetailsKind>(kind: Kind, id: string) =>
  queryOptions({
    queryKey: ["desk", "details", kind, id] as const,
    queryFn: () =>
      callOperation(shows[kind] as Declaration, { id } as Sent<Declaration>) as Promise<Details<Kind>>,
    staleTime: minute,
    ...refetchWhenTouched,
  });
