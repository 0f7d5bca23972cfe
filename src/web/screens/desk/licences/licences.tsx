import { KeyRound } from "lucide-react";
import { termText } from "@/contract/wire/offer-term";
import { licenceWords } from "@/contract/vocabulary/state-words";
import { BulkBar } from "../bulk/bulk-bar";
import { stateColumn } from "../parts/status";
import { type ListDefinition, ListPage } from "../table/list-page";
import { When } from "../parts/when";
import { choicesOf } from "../parts/words";

const licences: ListDefinition<"licences"> = {
  list: "licences",
  title: "Licenses",
  words: ["license", "licenses"],
  icon: KeyRound,
  columns: [
    {
      id: "key",
      name: "Key",
      cell: ({ key }) => <span className="font-mono text-xs">{key}</span>,
      leads: true,
      width: "minmax(0,1.4fr)",
    },
    stateColumn("status", licenceWords, "9rem"),
    { id: "customer", name: "Customer", cell: ({ customer }) => customer?.username ?? "–" },
    { id: "offer", name: "Offer", cell: ({ offer }) => offer ?? "–" },
    { id: "days", name: "Duration", cell: termText, width: "6rem" },
    { id: "expires_at", name: "Ends", cell: ({ expires_at }) => <When at={expires_at} />, width: "8rem" },
    { id: "created_at", name: "Created", cell: ({ created_at }) => <When at={created_at} />, width: "8rem" },
    {
      id: "redeemed_at",
      name: "Redeemed",
      cell: ({ redeemed_at }) => <When at={redeemed_at} />,
      hidden: true,
    },
    { id: "devices", name: "Devices", cell: ({ devices }) => devices, hidden: true, end: true },
    { id: "id", name: "Id", cell: ({ id }) => id, hidden: true },
  ],
  filters: [
    { name: "status", label: "Status", kind: "choice", choices: choicesOf(licenceWords) },
    { name: "offer", label: "Offer", kind: "offer" },
    { name: "customer", label: "Customer", kind: "given" },
    { name: "payment", label: "Payment", kind: "given" },
  ],
  to: ({ id }) => `/desk/licences/${id}`,
  nameOf: ({ key }) => key,
  empty: "No licenses yet.",
  finds: "licences",
  bulk: (chosen) => <BulkBar {...chosen} />,
};

export const Licences = () => <ListPage of={licences} />;
