import { listAuditActions } from "@/contract/operations/desk";
import { useQuery } from "@tanstack/react-query";
import { ScrollText } from "lucide-react";
import { useMemo } from "react";
import { itemQuery } from "../../../api/desk/collections";
import { actorName, actorNote } from "../parts/actor";
import { withSpaces } from "../parts/format";
import { type ListDefinition, ListPage } from "../table/list-page";
import { When } from "../parts/when";
import { detailsText } from "./details-text";

/** @param actions the actions to filter by */
const auditOf = (actions: readonly string[]): ListDefinition<"audit"> => ({
  list: "audit",
  title: "Audit",
  words: ["entry", "entries"],
  icon: ScrollText,
  columns: [
    { id: "action", name: "What", cell: ({ action }) => withSpaces(action), leads: true },
    { id: "actor", name: "Who", cell: ({ actor }) => actorName(actor) },
    { id: "as", name: "As", cell: ({ actor }) => actorNote(actor) || "–", hidden: true },
    { id: "subject", name: "Subject", cell: ({ subject }) => `${withSpaces(subject.kind)} ${subject.id}` },
    { id: "reason", name: "Reason", cell: ({ reason }) => reason ?? "–" },
    { id: "details", name: "Details", cell: ({ details }) => detailsText(details) || "–" },
    { id: "at", name: "When", cell: ({ at }) => <When at={at} />, width: "9rem" },
  ],
  filters: [
    {
      name: "action",
      label: "What",
      kind: "choice",
      choices: Object.fromEntries(actions.map((action) => [action, withSpaces(action)])),
    },
    { name: "from", label: "From", kind: "day" },
    { name: "to", label: "To", kind: "day" },
    { name: "actor", label: "Who", kind: "given" },
    { name: "subject", label: "Subject", kind: "given" },
  ],
  to: ({ subject }) => pageOf(subject),
  nameOf: ({ action }) => withSpaces(action),
  empty: "Nothing has been logged yet.",
});

/** The log. */
export function Audit() {
  const { data: actions } = useQuery(itemQuery(listAuditActions, {}));
  const definition = useMemo(() => auditOf(actions ?? []), [actions]);
  return <ListPage of={definition} />;
}

/** The page of what an entry of the log is about, if the desk has one. */
function pageOf({ kind, id }: { kind: string; id: string }): string | null {
  const list = {
    account: "customers",
    payment: "payments",
    licence: "licences",
    subscription: "subscriptions",
    ticket: "tickets",
  }[kind];
  return list === undefined ? null : `/desk/${list}/${id}`;
}
