import type { TicketMessage } from "@/contract/wire/tickets";
import { formatTime } from "../../../parts/format-time";
import { TicketFile } from "../../../parts/ticket-file";
import { cn } from "../../../lib/utils";

/** The customer's side is the right one. */
const sides = {
  member: "self-end border-primary/40 bg-primary/10",
  guest: "self-start border-border",
  staff: "self-start border-border bg-secondary/60",
  shop: "self-start border-dashed border-border",
} as const satisfies Record<TicketMessage["author"], string>;

/** The shop's own messages carry only its name. */
const authors = { member: "You", guest: "Guest", staff: "Support" } as const;

/** One message as typed; never interpreted as markup. */
export function Message({ ticketId, message }: { ticketId: string; message: TicketMessage }) {
  return (
    <div className={cn("max-w-[90%] rounded-lg border px-4 py-3 sm:max-w-[75%]", sides[message.author])}>
      <p className="flex flex-wrap items-baseline gap-x-2 text-xs text-muted-foreground">
        <span className="text-sm font-medium text-foreground">{message.name}</span>
        {message.author !== "shop" && <span>{authors[message.author]}</span>}
        <time dateTime={message.at}>{formatTime(new Date(message.at))}</time>
        {message.edited_at && <span>edited</span>}
        {message.deleted && <span>deleted</span>}
        {message.waiting && <span>saved</span>}
      </p>
      {message.content && (
        <p className={cn("mt-2 text-sm break-words whitespace-pre-wrap", message.deleted && "line-through")}>
          {message.author === "shop" ? withoutMarkers(message.content) : message.content}
        </p>
      )}
      {message.before.length > 0 && <Earlier versions={message.before} />}
      {message.files.map((file) => (
        <TicketFile
          key={file.id}
          tickets="/api/tickets"
          ticket={ticketId}
          file={file}
          linkClass="mt-1 min-h-11"
        />
      ))}
    </div>
  );
}

/** The shop's own messages use Discord's markup for bold and quoted text and timestamps. */
const withoutMarkers = (text: string) =>
  text
    .replace(/```\n?|\*\*/g, "")
    .replace(/<t:(\d+)(?::\w)?>/g, (_, seconds) => formatTime(new Date(Number(seconds) * 1000)))
    .trim();

function Earlier({ versions }: { versions: readonly string[] }) {
  return (
    <details className="mt-1 text-xs text-muted-foreground">
      <summary className="inline-flex min-h-11 cursor-pointer items-center underline underline-offset-4 md:min-h-6">
        Before the edit
      </summary>
      {versions.map((text, at) => (
        <p key={at} className="mt-1 break-words whitespace-pre-wrap">
          {text}
        </p>
      ))}
    </details>
  );
}
