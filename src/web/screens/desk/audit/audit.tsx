import { listAuditActions } from "@/contract/operations/desk";
import { useQuery } from "@tanstack/react-query";
import { ScrollText } from "lucide-react";
import { useMemo } from "react";
import { itemQuery } from "../../../api/desk/collections";
import { actorName, actorNote } from "../parts/actor";
import { withSpaces } from "../parts/format";
import { type ListDefinition, ListPage } from "../table/list-page";
import { whenColumn } from "../table/columns";
import { RawEvent } from "./raw-event";
import { pageOf, sentenceText, subjectName } from "./sentences";

/** @param actions the actions to filter by */
const auditOf = (actions: readonly string[]): ListDefinition<"audit"> => ({
  list: "audit",
  title: "Audit",
  words: ["entry", "entries"],
  icon: ScrollText,
  columns: [
    { id: "what", name: "What", cell: sentenceText, leads: true, whole: true, width: "minmax(0,2.5fr)" },
    { id: "reason", name: "Reason", cell: ({ reason }) => reason ?? "–", width: "minmax(0,1.5fr)" },
    { id: "customer", name: "Customer", cell: ({ customer }) => customer?.username ?? "–" },
    whenColumn("at", "When", ({ at }) => at, { phone: "time" }),
    { id: "actor", name: "Who", cell: ({ actor }) => actorName(actor), hidden: true },
    { id: "as", name: "As", cell: ({ actor }) => actorNote(actor) || "–", hidden: true },
    { id: "action", name: "Event", cell: ({ action }) => action, hidden: true },
    {
      id: "raw",
      name: "Raw",
      cell: (entry) => <RawEvent entry={entry} />,
      width: "4rem",
      whole: true,
      phone: "state",
    },
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
  called: ({ actor, subject }) => ({ actor: actorName(actor), subject: subjectName(subject) }),
  to: ({ subject }) => pageOf(subject),
  nameOf: sentenceText,
  empty: "Nothing has been logged yet.",
});

/** The log. */
export function Audit() {
  const { data: actions } = useQuery(itemQuery(listAuditActions, {}));
  const definition = useMemo(() => auditOf(actions ?? []), [actions]);
  return <ListPage of={definition} />;
}
