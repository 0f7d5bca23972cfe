import type { TicketMessage } from "@/contract/wire/tickets";
import { formatClock, formatTime } from "../../../parts/format-time";
import { TicketFile } from "../../../parts/ticket-file";
import { cn } from "../../../lib/utils";

/** The customer's side is the right one. */
const sides = {
  member: "self-end items-end",
  guest: "self-start",
  staff: "self-start",
  shop: "self-start",
} as const satisfies Record<TicketMessage["author"], string>;

const bubbles = {
  member: "border-primary/40 bg-primary/10",
  guest: "border-border",
  staff: "border-border bg-secondary/60",
  shop: "border-dashed border-border",
} as const satisfies Record<TicketMessage["author"], string>;

/** What one person wrote within a minute, as typed; never interpreted as markup. */
export function Bubble({ ticketId, messages }: { ticketId: string; messages: readonly TicketMessage[] }) {
  const [first] = messages;
  if (!first) return null;
  return (
    <div className={cn("flex max-w-[90%] flex-col gap-1 sm:max-w-[75%]", sides[first.author])}>
      <p className="px-1 text-xs text-muted-foreground">
        {`${speakerOf(first)}, `}
        <time dateTime={first.at}>{formatClock(new Date(first.at))}</time>
      </p>
      <div
        className={cn("flex max-w-full flex-col gap-2 rounded-lg border px-4 py-3", bubbles[first.author])}
      >
        {messages.map((message) => (
          <Said key={message.id} ticketId={ticketId} message={message} />
        ))}
      </div>
    </div>
  );
}

function speakerOf({ author, name }: TicketMessage): string {
  if (author === "member") return "You";
  return { guest: `${name} (guest)`, staff: `${name} from support`, shop: name }[author];
}

function Said({ ticketId, message }: { ticketId: string; message: TicketMessage }) {
  const { author, content, edited_at, deleted, waiting, before, files } = message;
  const notes = [edited_at && "edited", deleted && "deleted", waiting && "saved"].filter(Boolean).join(", ");
  return (
    <div className="min-w-0">
      {content && (
        <p className={cn("text-sm break-words whitespace-pre-wrap", deleted && "line-through")}>
          {author === "shop" ? withoutMarkers(content) : content}
        </p>
      )}
      {files.map((file) => (
        <TicketFile
          key={file.id}
          tickets="/api/tickets"
          ticket={ticketId}
          file={file}
          linkClass="mt-1 min-h-11 first:mt-0"
        />
      ))}
      {notes && <p className="mt-1 text-xs text-muted-foreground">{notes}</p>}
      {before.length > 0 && <Earlier versions={before} />}
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
