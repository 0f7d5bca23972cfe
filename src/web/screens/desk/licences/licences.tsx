import { KeyRound, Upload } from "lucide-react";
import { importFile, issueLicences } from "@/contract/operations/jobs";
import { licenceWords } from "@/contract/vocabulary/state-words";
import { BulkBar } from "../bulk/bulk-bar";
import { stateColumn } from "../parts/status";
import { type ListDefinition, ListPage } from "../table/list-page";
import { shownKey, whenColumn, levelColumn } from "../table/columns";
import { OfferName } from "../parts/offers";
import { durationOf } from "../parts/price";
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
      cell: shownKey,
      leads: true,
      width: "minmax(12.5rem,1.4fr)",
    },
    stateColumn("status", licenceWords, "9rem"),
    { id: "customer", name: "Customer", cell: ({ customer }) => customer?.username ?? "–" },
    { id: "buyer", name: "Buyer", cell: ({ buyer }) => buyer ?? "–", width: "minmax(0,1.4fr)" },
    { id: "days", name: "Duration", cell: durationOf, hidden: true },
    whenColumn("expires_at", "Ends", ({ expires_at }) => expires_at, { width: "8rem", said: "ends" }),
    {
      id: "offer",
      name: "Offer",
      cell: ({ offer }) => (offer === null ? null : <OfferName id={offer} />),
    },
    { ...levelColumn, phone: "line" },
    whenColumn("created_at", "Created", ({ created_at }) => created_at, { width: "8rem", phone: "time" }),
    whenColumn("redeemed_at", "Redeemed", ({ redeemed_at }) => redeemed_at, {
      hidden: true,
      said: "redeemed",
    }),
    { id: "devices", name: "Devices", cell: ({ devices }) => devices, hidden: true, end: true },
    { id: "id", name: "Id", cell: ({ id }) => id, hidden: true },
  ],
  filters: [
    { name: "status", label: "Status", kind: "choice", choices: choicesOf(licenceWords) },
    { name: "offer", label: "Offer", kind: "offer" },
    { name: "customer", label: "Customer", kind: "given" },
    { name: "payment", label: "Payment", kind: "given" },
  ],
  called: ({ customer, buyer }) => ({ customer: customer?.username, payment: buyer }),
  to: ({ id }) => `/desk/licences/${id}`,
  nameOf: ({ key }) => key,
  empty: "No licenses yet.",
  sources: [
    { name: "Issue licenses", icon: KeyRound, to: "/desk/settings/issue", does: issueLicences },
    { name: "Import", icon: Upload, to: "/desk/settings/import?what=keys", does: importFile },
  ],
  bulk: (chosen) => <BulkBar {...chosen} />,
};

export const Licences = () => <ListPage of={licences} />;
