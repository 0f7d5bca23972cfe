import type { TicketMessage } from "@/contract/wire/tickets";
import { cn } from "../lib/utils";
import { formatClock, formatDay, formatTime } from "./format-time";
import { TicketFile } from "./ticket-file";

/** A message as the customer's page and the desk both show it. */
export type ShownMessage<Author extends string = string> = Pick<
  TicketMessage,
  "id" | "name" | "content" | "at" | "edited_at" | "deleted" | "files"
> & { author: Author } & Partial<Pick<TicketMessage, "before" | "waiting">>;

/** Messages that stand in one bubble. */
export type MessageGroup<Message extends ShownMessage> = readonly [Message, ...Message[]];

/** Messages of one author within a minute, together; those with these ids begin anew. */
export function groupsOf<Message extends ShownMessage>(
  messages: readonly Message[],
  apart: readonly (string | null | undefined)[] = [],
): MessageGroup<Message>[] {
  const groups: [Message, ...Message[]][] = [];
  for (const message of messages) {
    const group = groups.at(-1);
    if (group && !apart.includes(message.id) && isTogether(group[0], message)) group.push(message);
    else groups.push([message]);
  }
  return groups;
}

const isTogether = (one: ShownMessage, other: ShownMessage): boolean =>
  one.author === other.author &&
  one.name === other.name &&
  formatTime(new Date(one.at)) === formatTime(new Date(other.at));

/** The day of a message, where it isn't that of the one before it. */
export function DayLine({ at, before }: { at: string; before: string | undefined }) {
  const day = formatDay(new Date(at));
  if (before !== undefined && formatDay(new Date(before)) === day) return null;
  return (
    <p className="self-center text-xs text-muted-foreground">
      <time dateTime={at}>{day}</time>
    </p>
  );
}

/** What one person wrote within a minute, as typed; never interpreted as markup. */
export function Bubble(props: {
  /** The path of the call that serves the files. */
  tickets: string;
  ticketId: string;
  messages: MessageGroup<ShownMessage>;
  /** Who wrote it, in words. */
  speaker: string;
  /** Classes of its side, and of the bubble itself. */
  side: string;
  bubble: string;
}) {
  const { tickets, ticketId, messages, speaker, side, bubble } = props;
  const [{ at }] = messages;
  return (
    <div className={cn("flex max-w-[90%] flex-col gap-1 sm:max-w-[75%]", side)}>
      <p className="px-1 text-xs text-muted-foreground wrap-anywhere">
        <span>{`${speaker}, `}</span>
        <time dateTime={at}>{formatClock(new Date(at))}</time>
      </p>
      <div className={cn("flex max-w-full flex-col gap-2 rounded-lg border px-4 py-3", bubble)}>
        {messages.map((message) => (
          <Said key={message.id} tickets={tickets} ticketId={ticketId} message={message} />
        ))}
      </div>
    </div>
  );
}

function Said(props: { tickets: string; ticketId: string; message: ShownMessage }) {
  const { author, content, edited_at, deleted, waiting, before = [], files } = props.message;
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
          tickets={props.tickets}
          ticket={props.ticketId}
          file={file}
          linkClass="mt-1 min-h-11 first:mt-0 wrap-anywhere"
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
