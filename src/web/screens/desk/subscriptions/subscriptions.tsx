import { RefreshCw } from "lucide-react";
import { subscriptionWords } from "@/contract/vocabulary/state-words";
import { stateColumn } from "../parts/status";
import { type ListDefinition, ListPage } from "../table/list-page";
import { When } from "../parts/when";
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
    { id: "offer", name: "Offer", cell: ({ offer }) => offer },
    { id: "renews_at", name: "Renews", cell: ({ renews_at }) => <When at={renews_at} />, width: "9rem" },
    { id: "ends_at", name: "Ends", cell: ({ ends_at }) => <When at={ends_at} />, width: "9rem" },
    { id: "created_at", name: "Started", cell: ({ created_at }) => <When at={created_at} />, hidden: true },
    { id: "id", name: "Id", cell: ({ id }) => id, hidden: true },
  ],
  filters: [
    { name: "status", label: "Status", kind: "choice", choices: choicesOf(subscriptionWords) },
    { name: "offer", label: "Offer", kind: "offer" },
    { name: "customer", label: "Customer", kind: "given" },
  ],
  to: ({ id }) => `/desk/subscriptions/${id}`,
  nameOf: (one) => `${subscriberOf(one)}, ${priceOf(one)}`,
  empty: "No subscriptions yet.",
};

export const Subscriptions = () => <ListPage of={subscriptions} />;
