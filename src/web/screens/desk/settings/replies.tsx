import { useQuery } from "@tanstack/react-query";
import { MessageSquareText, Pencil, Plus, Trash2 } from "lucide-react";
import { changeReply, removeReply, saveReply } from "@/contract/operations/tickets";
import type { SavedReply } from "@/contract/wire/desk/replies";
import { repliesQuery } from "../../../api/desk/replies";
import { RowsSection, type RowsDefinition } from "../collection/rows-section";
import { deskOperation, type Operation } from "../operation/operation";

const replies: RowsDefinition<SavedReply> = {
  title: "Saved replies",
  lead: "Answers that staff use often. Insert one into a ticket, then edit it there.",
  icon: MessageSquareText,
  columns: [
    { id: "name", name: "Name", cell: ({ name }) => name, leads: true, width: "minmax(0,0.6fr)" },
    { id: "text", name: "Text", cell: ({ text }) => text.split("\n")[0] },
  ],
  nameOf: ({ name }) => name,
  empty: "No saved replies yet.",
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

const save = deskOperation(saveReply, {
  name: "New reply",
  icon: Plus,
  consequence: () => "Everyone who answers tickets can insert it.",
  done: () => "Reply saved",
});

const change = ({ id, name, text }: SavedReply): Operation =>
  deskOperation(changeReply, {
    id,
    name: "Change",
    icon: Pencil,
    consequence: () => `Changes “${name}” from now on. Sent answers stay as they are.`,
    fields: { name: { initial: name }, text: { initial: text } },
    done: () => "Reply changed",
  });

const remove = ({ id, name }: SavedReply): Operation =>
  deskOperation(removeReply, {
    id,
    name: "Remove",
    icon: Trash2,
    grave: true,
    consequence: () => `Deletes “${name}”. Sent answers stay as they are.`,
    done: () => "Reply removed",
  });
