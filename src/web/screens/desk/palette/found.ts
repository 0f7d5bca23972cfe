import { CreditCard, KeyRound, LifeBuoy, type LucideIcon, Repeat, UserRound } from "lucide-react";
import {
  licenceWords,
  paymentWords,
  subscriptionWords,
  ticketWords,
} from "@/contract/vocabulary/state-words";
import type { SearchResult } from "@/contract/wire/desk/search";
import { formatDayOf } from "../../../parts/format-time";
import { totalOf } from "../parts/total";
import { priceOf, subscriberOf } from "../parts/price";

/** Something that the palette leads to. */
export type Target = { to: string; name: string; note: string; icon: LucideIcon };

export type Section = { kind: string; heading: string; targets: readonly Target[] };

const reasons: Record<SearchResult["why"][string]["by"], (text: string) => string> = {
  card: (digits) => `Card ending ${digits}`,
  discord: (user) => `Discord: ${user}`,
  key: (group) => `Key ending ${group}`,
  receiver: (address) => `Gift to ${address}`,
};

/** What a search found, kind by kind, without empty ones; names and texts are as people typed them. */
export function sectionsOf(found: SearchResult): Section[] {
  const noteOf = (id: string, ...facts: (string | null | undefined)[]) => {
    const why = found.why[id];
    return [why && reasons[why.by](why.text), ...facts].filter(Boolean).join(" · ");
  };
  const sections: Section[] = [
    {
      kind: "customers",
      heading: "Customers",
      targets: found.customers.map(({ id, username, email }) => ({
        to: `/desk/customers/${id}`,
        name: username,
        note: noteOf(id, email ?? "No address"),
        icon: UserRound,
      })),
    },
    {
      kind: "payments",
      heading: "Payments",
      targets: found.payments.map((payment) => ({
        to: `/desk/payments/${payment.id}`,
        name: payment.email ?? payment.customer?.username ?? "No address",
        // many are of one price, and of one card
        note: [
          formatDayOf(payment.created_at),
          totalOf(payment),
          noteOf(payment.id, paymentWords[payment.status].word),
        ].join(" · "),
        icon: CreditCard,
      })),
    },
    {
      kind: "licences",
      heading: "Licenses",
      targets: found.licences.map(({ id, key, status, customer, buyer }) => ({
        to: `/desk/licences/${id}`,
        name: key,
        note: noteOf(id, licenceWords[status].word, customer?.username ?? buyer),
        icon: KeyRound,
      })),
    },
    {
      kind: "subscriptions",
      heading: "Subscriptions",
      targets: found.subscriptions.map((one) => ({
        to: `/desk/subscriptions/${one.id}`,
        name: priceOf(one),
        note: noteOf(one.id, subscriptionWords[one.status].word, subscriberOf(one)),
        icon: Repeat,
      })),
    },
    {
      kind: "tickets",
      heading: "Tickets",
      targets: found.tickets.map(({ id, number, topic, status, name }) => ({
        to: `/desk/tickets/${id}`,
        name: `Ticket #${number}`,
        note: noteOf(id, ticketWords[status].word, topic, name),
        icon: LifeBuoy,
      })),
    },
  ];
  return sections.filter(({ targets }) => targets.length > 0);
}
