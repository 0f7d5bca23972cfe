import type { TicketDetails } from "@/contract/wire/desk/details";
import { cn } from "../../../lib/utils";
import { formatTime } from "../../../parts/format-time";
import { TicketFile } from "../../../parts/ticket-file";

type Message = TicketDetails["messages"][number];

/** Staff's side is the right one; what only staff see looks like a slip of paper. */
const sides = {
  customer: "self-start border-border bg-secondary/60",
  guest: "self-start border-border",
  staff: "self-end border-primary/40 bg-primary/10",
  shop: "self-center border-dashed border-border",
  note: "self-end border-warning/40 bg-warning/10",
} as const satisfies Record<Message["author"], string>;

const authors: Partial<Record<Message["author"], string>> = {
  guest: "Guest",
  staff: "Staff",
  note: "Note, only staff see it",
};

/** The newest hundred messages, oldest first, after the question. */
export function DeskConversation({ ticket }: { ticket: TicketDetails }) {
  return (
    <div role="log" aria-label="Messages" className="flex flex-col gap-3">
      {!beginsWithQuestion(ticket) && <Question ticket={ticket} />}
      {ticket.messages.map((message) => (
        <Bubble key={message.id} ticket={ticket.id} message={message} />
      ))}
    </div>
  );
}

/** On the site the question is the first message, unless newer ones leave no room for it; in Discord it is none. */
const beginsWithQuestion = ({ question, messages: [first] }: TicketDetails): boolean =>
  first?.author === "customer" && first.text === question;

/** What the ticket was opened with. */
function Question({ ticket }: { ticket: TicketDetails }) {
  return (
    <Bubble
      ticket={ticket.id}
      message={{
        id: "question",
        author: "customer",
        name: ticket.name,
        text: ticket.question,
        at: ticket.opened_at,
        edited_at: null,
        deleted: false,
        files: [],
      }}
    />
  );
}

/** One message as typed; never interpreted as markup. */
function Bubble({ ticket, message }: { ticket: string; message: Message }) {
  const { author, name, text, at, edited_at, deleted, files } = message;
  return (
    <article className={cn("max-w-[90%] rounded-lg border px-4 py-3 sm:max-w-[80%]", sides[author])}>
      <p className="flex flex-wrap items-baseline gap-x-2 text-xs text-muted-foreground">
        <span className="text-sm font-medium text-foreground wrap-anywhere">{name}</span>
        {authors[author] && <span>{authors[author]}</span>}
        <time dateTime={at}>{formatTime(new Date(at))}</time>
        {edited_at !== null && <span>edited</span>}
        {deleted && <span>deleted</span>}
      </p>
      {text !== "" && (
        <p className={cn("mt-2 text-sm break-words whitespace-pre-wrap", deleted && "line-through")}>
          {text}
        </p>
      )}
      {files.map((file) => (
        <TicketFile
          key={file.id}
          tickets="/api/desk/tickets"
          ticket={ticket}
          file={file}
          linkClass="mt-3 wrap-anywhere"
        />
      ))}
    </article>
  );
}
