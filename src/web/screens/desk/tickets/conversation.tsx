import type { TicketDetails } from "@/contract/wire/desk/details";
import { Bubble, DayLine, groupsOf, type ShownMessage } from "../../../parts/ticket-messages";

type Message = TicketDetails["messages"][number];
type Shown = ShownMessage<Message["author"]>;

/** Staff's side is the right one; what only staff see looks like a slip of paper. */
const looks = {
  customer: { side: "self-start", bubble: "border-border bg-secondary/60" },
  guest: { side: "self-start", bubble: "border-border" },
  staff: { side: "self-end items-end", bubble: "border-primary/40 bg-primary/10" },
  shop: { side: "self-center", bubble: "border-dashed border-border" },
  note: { side: "self-end items-end", bubble: "border-dashed border-warning/60 bg-warning/10" },
} as const satisfies Record<Message["author"], object>;

const roles: Partial<Record<Message["author"], string>> = {
  guest: " (guest)",
  staff: " from support",
  note: ", a note that only staff see",
};

/** The newest hundred messages, oldest first, after the question. */
export function DeskConversation({ ticket }: { ticket: TicketDetails }) {
  const groups = groupsOf(messagesOf(ticket));
  return (
    <div role="log" aria-label="Messages">
      <ol className="flex flex-col gap-3">
        {groups.map((group, at) => (
          <li key={group[0].id} className="flex flex-col gap-3">
            <DayLine at={group[0].at} before={groups[at - 1]?.[0].at} />
            <Bubble
              tickets="/api/desk/tickets"
              ticketId={ticket.id}
              messages={group}
              speaker={`${group[0].name}${roles[group[0].author] ?? ""}`}
              {...looks[group[0].author]}
            />
          </li>
        ))}
      </ol>
    </div>
  );
}

/** On the site the question is the first message, unless newer ones leave no room for it; in Discord it is none. */
function messagesOf({ question, name, opened_at, messages }: TicketDetails): Shown[] {
  const shown = messages.map((message) => ({ ...message, content: message.text }));
  const [first] = messages;
  if (first?.author === "customer" && first.text === question) return shown;
  const asked = { id: "question", author: "customer", name, content: question, at: opened_at } as const;
  return [{ ...asked, edited_at: null, deleted: false, files: [] }, ...shown];
}
