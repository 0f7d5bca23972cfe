import { CreditCard } from "lucide-react";
import { money } from "@/contract/vocabulary/money";
import type { PaymentRow } from "@/contract/wire/desk/rows";
import { paymentWords } from "@/contract/vocabulary/state-words";
import { stateColumn } from "../parts/status";
import { type ListDefinition, ListPage } from "../table/list-page";
import { whenColumn, levelColumn } from "../table/columns";
import { OfferName } from "../parts/offers";
import { sales } from "./sales";
import { totalOf } from "../parts/total";
import { choicesOf } from "../parts/words";

const payments: ListDefinition<"payments"> = {
  list: "payments",
  title: "Payments",
  words: ["payment", "payments"],
  icon: CreditCard,
  columns: [
    { id: "email", name: "Buyer", cell: buyerOf, leads: true, width: "minmax(0,1.6fr)" },
    stateColumn("status", paymentWords),
    { id: "total", name: "Total", cell: totalOf, width: "7rem", end: true },
    {
      id: "customer",
      name: "Customer",
      cell: ({ customer, redeemed_by }) => (customer ?? redeemed_by)?.username ?? "–",
    },
    {
      id: "offer",
      name: "Offer",
      cell: ({ offer, quantity }) => <OfferName id={offer} quantity={quantity} />,
    },
    levelColumn,
    whenColumn("created_at", "Opened", ({ created_at }) => created_at, { phone: "time" }),
    whenColumn("paid_at", "Paid", ({ paid_at }) => paid_at, { hidden: true, said: "paid" }),
    {
      id: "refunded",
      name: "Refunded",
      cell: ({ bill }) => (bill.refunded > 0 ? money(bill.refunded, bill.currency) : "–"),
      hidden: true,
      end: true,
    },
    whenColumn("due", "Evidence due", ({ dispute }) => dispute?.due ?? null, {
      hidden: true,
      said: "evidence due",
    }),
    { id: "mismatch", name: "Mismatch", cell: ({ mismatch }) => mismatch ?? "–", hidden: true },
    { id: "id", name: "Id", cell: ({ id }) => id, hidden: true },
    { id: "payment_id", name: "Stripe's id", cell: ({ payment_id }) => payment_id ?? "–", hidden: true },
  ],
  filters: [
    { name: "status", label: "Status", kind: "choice", choices: choicesOf(paymentWords) },
    { name: "from", label: "From", kind: "day" },
    { name: "to", label: "To", kind: "day" },
    { name: "offer", label: "Offer", kind: "offer" },
    { name: "customer", label: "Customer", kind: "given" },
  ],
  called: ({ customer }) => ({ customer: customer?.username }),
  to: ({ id }) => `/desk/payments/${id}`,
  nameOf: (payment) => `${buyerOf(payment)}, ${totalOf(payment)}`,
  operations: [sales],
  empty: "Nobody has bought anything yet.",
};

export const Payments = () => <ListPage of={payments} />;

function buyerOf({ email, customer, status }: PaymentRow) {
  if (email !== null) return email;
  return customer?.username ?? (status === "open" ? "Open checkout" : "Abandoned checkout");
}
