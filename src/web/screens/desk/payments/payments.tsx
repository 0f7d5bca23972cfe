import { CreditCard } from "lucide-react";
import { money } from "@/contract/vocabulary/money";
import type { PaymentRow } from "@/contract/wire/desk/rows";
import { paymentWords } from "@/contract/vocabulary/state-words";
import { stateColumn } from "../parts/status";
import { type ListDefinition, ListPage } from "../table/list-page";
import { When } from "../parts/when";
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
    { id: "offer", name: "Offer", cell: offerOf },
    { id: "customer", name: "Customer", cell: ({ customer }) => customer?.username ?? "–" },
    { id: "created_at", name: "Opened", cell: ({ created_at }) => <When at={created_at} />, width: "9rem" },
    { id: "paid_at", name: "Paid", cell: ({ paid_at }) => <When at={paid_at} />, hidden: true },
    {
      id: "refunded",
      name: "Refunded",
      cell: ({ bill }) => (bill.refunded > 0 ? money(bill.refunded, bill.currency) : "–"),
      hidden: true,
      end: true,
    },
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
  to: ({ id }) => `/desk/payments/${id}`,
  nameOf: (payment) => `${buyerOf(payment)}, ${totalOf(payment)}`,
  empty: "Nobody has bought anything yet.",
  finds: "payments",
};

export const Payments = () => <ListPage of={payments} />;

function buyerOf({ email, customer }: PaymentRow) {
  return email ?? customer?.username ?? "No address yet";
}

function offerOf({ offer, quantity }: PaymentRow) {
  return quantity > 1 ? `${quantity} × ${offer}` : offer;
}
