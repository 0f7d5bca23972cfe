import { LifeBuoy } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { TicketDetails, TicketMessage } from "@/contract/wire/tickets";
import { type Conversation as Loaded, useEarlier } from "../../../api/tickets";
import { Empty } from "../../../parts/empty";
import { PatientButton } from "../../../parts/patient-button";
import { Bubble, DayLine, groupsOf } from "../../../parts/ticket-messages";

/** The messages by day, author and minute, with a line before what is new, and a button for earlier ones. */
export function Conversation({ conversation }: { conversation: Loaded }) {
  const { ticket, messages, next } = conversation;
  // a log announces what is added to it, so earlier messages, which the reader asked for, are outside
  const [firstLogged] = useState(messages[0]?.id);
  const [firstNew] = useState(() => (ticket.unread ? firstAnswer(messages) : null));
  const end = useEnd(messages.at(-1), ticket.state);
  if (messages.length === 0) return <Empty icon={LifeBuoy}>No messages yet</Empty>;
  const groups = groupsOf(messages, [firstLogged, firstNew]);
  const logged = Math.max(
    0,
    groups.findIndex(([{ id }]) => id === firstLogged),
  );
  const items = groups.map((group, at) => (
    <li key={group[0].id} className="flex flex-col gap-3">
      <DayLine at={group[0].at} before={groups[at - 1]?.[0].at} />
      {group[0].id === firstNew && <NewLine />}
      <Bubble
        tickets="/api/tickets"
        ticketId={ticket.id}
        messages={group}
        speaker={speakerOf(group[0])}
        {...looks[group[0].author]}
      />
    </li>
  ));
  return (
    <>
      {next && <EarlierButton id={ticket.id} before={next} />}
      {logged > 0 && (
        <ol aria-label="Earlier messages" className="flex flex-col gap-3">
          {items.slice(0, logged)}
        </ol>
      )}
      <div role="log" aria-label="Messages with support">
        <ol aria-label="Messages" className="flex flex-col gap-3">
          {items.slice(logged)}
        </ol>
      </div>
      <div ref={end} />
    </>
  );
}

function EarlierButton({ id, before }: { id: string; before: string }) {
  const earlier = useEarlier(id);
  return (
    <div className="flex justify-center">
      <PatientButton
        variant="outline"
        size="sm"
        call={earlier}
        doing="Loading…"
        onClick={() => earlier.mutate(before)}
      >
        Show earlier messages
      </PatientButton>
    </div>
  );
}

/** The customer's side is the right one. */
const looks = {
  member: { side: "self-end items-end", bubble: "border-primary/40 bg-primary/10" },
  guest: { side: "self-start", bubble: "border-border" },
  staff: { side: "self-start", bubble: "border-border bg-secondary/60" },
  shop: { side: "self-start", bubble: "border-dashed border-border" },
} as const satisfies Record<TicketMessage["author"], object>;

function speakerOf({ author, name }: TicketMessage): string {
  if (author === "member") return "You";
  return { guest: `${name} (guest)`, staff: `${name} from support`, shop: name }[author];
}

const NewLine = () => (
  <p className="flex items-center gap-3 text-xs font-medium text-link">
    <span aria-hidden="true" className="h-px flex-1 bg-ring/40" />
    New
    <span aria-hidden="true" className="h-px flex-1 bg-ring/40" />
  </p>
);

/** The first answer since the customer last wrote. */
function firstAnswer(messages: TicketMessage[]): string | null {
  const last = messages.findLastIndex(({ author }) => author === "member");
  return messages[last + 1]?.id ?? null;
}

/** Half a pixel, or a line that is cut, counts as in view. */
const slack = 24;

/**
 * Keeps the end in view: at first, while messages and pictures come and the composer grows, unless the reader has
 * scrolled up from it; and whenever the newest message is the reader's own.
 */
function useEnd(newest: TicketMessage | undefined, state: TicketDetails["state"]) {
  const end = useRef<HTMLDivElement>(null);
  const isFollowed = useRef(true);
  const top = useRef(0);
  const follow = useEffectEvent(() => {
    if (!isFollowed.current || !end.current) return;
    end.current.style.scrollMarginBottom = `${heightBelow(end.current)}px`;
    end.current.scrollIntoView({ block: "end", behavior: "instant" });
    top.current = scrollY;
  });
  const onScroll = useEffectEvent(() => {
    if (isInView(end.current)) isFollowed.current = true;
    // what grows takes the end out of view too, but scrolls nothing up
    else if (scrollY < top.current) isFollowed.current = false;
    top.current = scrollY;
  });
  const isEmpty = newest === undefined;
  useEffect(() => {
    const move = () => onScroll();
    addEventListener("scroll", move, { passive: true });
    const sizes = new ResizeObserver(() => follow());
    // the messages and the composer; what else follows is not to push them
    const { previousElementSibling: log, nextElementSibling: next } = end.current ?? {};
    if (log) sizes.observe(log);
    if (next instanceof HTMLFormElement) sizes.observe(next);
    return () => {
      removeEventListener("scroll", move);
      sizes.disconnect();
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- each has other elements
  }, [isEmpty, state]);
  const { id, author } = newest ?? {};
  useEffect(() => {
    if (author === "member") isFollowed.current = true;
    follow();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- once for each newest message
  }, [id, author]);
  return end;
}

/**
 * What is to be seen below the end: the composer, which covers the end of the window unless that is low, or how the
 * ticket ended.
 */
function heightBelow(end: Element): number {
  const { nextElementSibling: next, parentElement: card } = end;
  if (next instanceof HTMLFormElement)
    return getComputedStyle(next).position === "sticky" ? next.offsetHeight : 0;
  const rest = (card?.getBoundingClientRect().bottom ?? 0) - end.getBoundingClientRect().bottom;
  return Math.min(rest, innerHeight / 2);
}

const isInView = (element: Element | null): boolean =>
  element !== null && element.getBoundingClientRect().top <= innerHeight - heightBelow(element) + slack;
