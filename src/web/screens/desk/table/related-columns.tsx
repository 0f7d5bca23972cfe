import type {
  LicenceRow,
  PaymentRow,
  RefundRow,
  SubscriptionRow,
  TicketRow,
} from "@/contract/wire/desk/rows";
import { money } from "@/contract/vocabulary/money";
import {
  licenceWords,
  paymentWords,
  subscriptionWords,
  ticketWords,
} from "@/contract/vocabulary/state-words";
import { actorName } from "../parts/actor";
import { totalOf } from "../parts/total";
import { priceOf } from "../parts/price";
import { stateColumn } from "../parts/status";
import { refundWords } from "../parts/words";
import { OfferName } from "../parts/offers";
import { type Column, shownKey, whenColumn, levelColumn } from "./columns";

/** The few columns of each kind of row on the page of what it belongs to. */
export const licenceColumns: readonly Column<LicenceRow>[] = [
  {
    id: "key",
    name: "Key",
    cell: shownKey,
    leads: true,
  },
  stateColumn("status", licenceWords),
  levelColumn,
  { id: "customer", name: "Customer", cell: ({ customer }) => customer?.username ?? "–" },
  whenColumn("expires_at", "Ends", ({ expires_at }) => expires_at, {
    width: "8rem",
    said: "ends",
    phone: "time",
  }),
];

export const paymentColumns: readonly Column<PaymentRow>[] = [
  { id: "total", name: "Total", cell: totalOf, leads: true },
  stateColumn("status", paymentWords),
  { id: "offer", name: "Offer", cell: ({ offer, quantity }) => <OfferName id={offer} quantity={quantity} /> },
  levelColumn,
  whenColumn("created_at", "Opened", ({ created_at }) => created_at, { width: "8rem", phone: "time" }),
];

export const subscriptionColumns: readonly Column<SubscriptionRow>[] = [
  { id: "price", name: "Price", cell: priceOf, leads: true },
  stateColumn("status", subscriptionWords),
  { id: "offer", name: "Offer", cell: ({ offer }) => <OfferName id={offer} /> },
  levelColumn,
  whenColumn("created_at", "Started", ({ created_at }) => created_at, { width: "8rem", phone: "time" }),
];

const speakers = { customer: "", guest: "Guest: ", staff: "Support: " } as const;

export const ticketTitle = ({ number, last }: TicketRow): string =>
  `#${number} ${speakers[last.author]}${last.text}`;

export const ticketColumns: readonly Column<TicketRow>[] = [
  {
    id: "number",
    name: "Ticket",
    cell: ticketTitle,
    leads: true,
    width: "minmax(0,2fr)",
  },
  { id: "topic", name: "Topic", cell: ({ topic }) => topic },
  stateColumn("status", ticketWords, "7rem"),
  whenColumn("opened_at", "Opened", ({ opened_at }) => opened_at, { width: "8rem", phone: "time" }),
];

export const refundColumns: readonly Column<RefundRow>[] = [
  { id: "amount", name: "Amount", cell: ({ amount, currency }) => money(amount, currency), leads: true },
  stateColumn("state", refundWords),
  { id: "proposed_by", name: "Requested by", cell: ({ proposed_by }) => actorName(proposed_by) },
  { id: "reason", name: "Reason", cell: ({ reason }) => reason },
];
