import { RefreshCw } from "lucide-react";
import { subscriptionWords } from "@/contract/vocabulary/state-words";
import { stateColumn } from "../parts/status";
import { type ListDefinition, ListPage } from "../table/list-page";
import { whenColumn, levelColumn } from "../table/columns";
import { OfferName } from "../parts/offers";
import { priceOf, subscriberOf } from "../parts/price";
import { choicesOf } from "../parts/words";

const subscriptions: ListDefinition<"subscriptions"> = {
  list: "subscriptions",
  title: "Subscriptions",
  words: ["subscription", "subscriptions"],
  icon: RefreshCw,
  columns: [
    {
      id: "customer",
      name: "Customer",
      cell: subscriberOf,
      leads: true,
      width: "minmax(0,1.6fr)",
    },
    stateColumn("status", subscriptionWords),
    { id: "price", name: "Price", cell: priceOf, width: "10rem" },
    {
      id: "email",
      name: "Buyer",
      cell: ({ customer, email }) => customer && email,
      width: "minmax(0,1.4fr)",
    },
    whenColumn("renews_at", "Renews", ({ renews_at }) => renews_at, { width: "8rem", said: "renews" }),
    whenColumn("ends_at", "Ends", ({ ends_at }) => ends_at, { width: "8rem", said: "ends" }),
    { id: "offer", name: "Offer", cell: ({ offer }) => <OfferName id={offer} /> },
    levelColumn,
    whenColumn("created_at", "Started", ({ created_at }) => created_at, { hidden: true, phone: "time" }),
    { id: "id", name: "Id", cell: ({ id }) => id, hidden: true },
  ],
  filters: [
    { name: "status", label: "Status", kind: "choice", choices: choicesOf(subscriptionWords) },
    { name: "offer", label: "Offer", kind: "offer" },
    { name: "customer", label: "Customer", kind: "given" },
  ],
  called: ({ customer }) => ({ customer: customer?.username }),
  to: ({ id }) => `/desk/subscriptions/${id}`,
  nameOf: (one) => `${subscriberOf(one)}, ${priceOf(one)}`,
  empty: "No subscriptions yet.",
};

export const Subscriptions = () => <ListPage of={subscriptions} />;
