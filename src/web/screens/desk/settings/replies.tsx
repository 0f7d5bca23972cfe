import { useQuery } from "@tanstack/react-query";
import { MessageSquareText, Pencil, Plus, Trash2 } from "lucide-react";
import type { SavedReply } from "@/contract/wire/desk/ticket-operations";
import { mostTyped, mostOfAReplysName } from "@/contract/vocabulary/bounds";
import { writeDesk } from "../../../api/desk/call";
import { repliesQuery } from "../../../api/desk/replies";
import { RowsSection, type RowsDefinition } from "../collection/rows-section";
import { upTo } from "../operation/checks";
import type { Operation, OperationField } from "../operation/operation";

const replies: RowsDefinition<SavedReply> = {
  title: "Saved replies",
  lead: "What staff answer with often; they insert it into a ticket and change it there.",
  icon: MessageSquareText,
  columns: [
    { id: "name", name: "Name", cell: ({ name }) => name, leads: true, width: "minmax(0,0.6fr)" },
    { id: "text", name: "Text", cell: ({ text }) => text.split("\n")[0] },
  ],
  nameOf: ({ name }) => name,
  empty: "No reply is saved.",
  actionsWidth: "14rem",
};

/** The saved replies, and what owners do with them. */
export function Replies() {
  const { data, error, refetch } = useQuery(repliesQuery);
  return (
    <RowsSection
      of={replies}
      rows={data}
      problem={error}
      retry={() => void refetch()}
      make={[save]}
      operationsOf={(reply) => [change(reply), remove(reply)]}
    />
  );
}

const fields = ({ name, text }: Omit<SavedReply, "id"> = { name: "", text: "" }): OperationField[] => [
  {
    name: "name",
    label: "Name",
    initial: name,
    hint: "What staff find it by.",
    check: upTo(mostOfAReplysName),
  },
  { name: "text", label: "Text", type: "textarea", initial: text, check: upTo(mostTyped) },
];

const save: Operation = {
  name: "New reply",
  icon: Plus,
  consequence: () => "Everybody who answers tickets can insert it.",
  fields: fields(),
  run: ({ name, text }, reason) => writeDesk("replies", { name, text, reason }),
  done: () => "The reply is saved",
};

const change = (reply: SavedReply): Operation => ({
  name: "Change",
  icon: Pencil,
  consequence: () =>
    `Staff insert the new text of “${reply.name}” from now on. Sent answers stay as they are.`,
  fields: fields(reply),
  run: ({ name, text }, reason) => writeDesk(`replies/${reply.id}/change`, { name, text, reason }),
  done: () => "The reply is changed",
});

const remove = ({ id, name }: SavedReply): Operation => ({
  name: "Remove",
  icon: Trash2,
  grave: true,
  consequence: () => `Nobody finds “${name}” any more. Sent answers stay as they are.`,
  run: (_, reason) => writeDesk(`replies/${id}/remove`, { reason }),
  done: () => "The reply is gone",
});
