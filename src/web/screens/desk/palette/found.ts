import { CreditCard, KeyRound, LifeBuoy, type LucideIcon, Repeat, UserRound } from "lucide-react";
import {
  licenceWords,
  paymentWords,
  subscriptionWords,
  ticketWords,
} from "@/contract/vocabulary/state-words";
import type { SearchResult } from "@/contract/wire/desk/search";
import { totalOf } from "../parts/total";
import { priceOf, subscriberOf } from "../parts/price";

/** Something that the palette leads to. */
export type Target = { to: string; name: string; note: string; icon: LucideIcon };

export type Section = { kind: string; heading: string; targets: readonly Target[] };

/** What a search found, kind by kind, without empty ones; names and texts are as people typed them. */
export function sectionsOf(found: SearchResult, only?: string): Section[] {
  const sections: Section[] = [
    {
      kind: "customers",
      heading: "Customers",
      targets: found.customers.map(({ id, username, email }) => ({
        to: `/desk/customers/${id}`,
        name: username,
        note: email ?? "No address",
        icon: UserRound,
      })),
    },
    {
      kind: "payments",
      heading: "Payments",
      targets: found.payments.map((payment) => ({
        to: `/desk/payments/${payment.id}`,
        name: totalOf(payment),
        note: `${paymentWords[payment.status].word} · ${payment.email ?? "no address"}`,
        icon: CreditCard,
      })),
    },
    {
      kind: "licences",
      heading: "Licenses",
      targets: found.licences.map(({ id, key, status, customer }) => ({
        to: `/desk/licences/${id}`,
        name: key,
        note: [licenceWords[status].word, customer?.username].filter(Boolean).join(" · "),
        icon: KeyRound,
      })),
    },
    {
      kind: "subscriptions",
      heading: "Subscriptions",
      targets: found.subscriptions.map((one) => ({
        to: `/desk/subscriptions/${one.id}`,
        name: priceOf(one),
        note: `${subscriptionWords[one.status].word} · ${subscriberOf(one)}`,
        icon: Repeat,
      })),
    },
    {
      kind: "tickets",
      heading: "Tickets",
      targets: found.tickets.map(({ id, number, topic, status }) => ({
        to: `/desk/tickets/${id}`,
        name: `Ticket #${number}`,
        note: `${ticketWords[status].word} · ${topic}`,
        icon: LifeBuoy,
      })),
    },
  ];
  return sections.filter(({ kind, targets }) => targets.length > 0 && (!only || only === kind));
}
