import { useInfiniteQuery } from "@tanstack/react-query";
import {
  Ban,
  ChevronDown,
  CircleCheck,
  CircleX,
  Clock,
  Gift,
  KeyRound,
  type LucideIcon,
  Pause,
  Play,
  RotateCcw,
  ShoppingBag,
} from "lucide-react";
import { type LicenceEvent, licenceEvents } from "@/contract/vocabulary/licence-events";
import type { Tone } from "@/contract/vocabulary/state-words";
import type { LicenceHistory } from "@/contract/wire/licences";
import { licenceHistoriesQuery } from "../../../api/licences";
import { formatTime } from "../../../parts/format-time";
import { Problem } from "../../../parts/problem";
import { ShowMore } from "../../../parts/show-more";
import { Card, CardTitle } from "../../../ui/card";
import { tones } from "../../../ui/tones";
import { cn } from "../../../lib/utils";

/** Each licence's history. The last card of the page, shown once those above are there, so that loading it shifts nothing. */
export function LicenceHistories() {
  const histories = useInfiniteQuery(licenceHistoriesQuery);
  const { data, error, refetch } = histories;
  if (data?.length === 0 || (!data && !error)) return null;
  return (
    <Card aria-label="History">
      <CardTitle>History</CardTitle>
      {data ? (
        <div className="flex flex-col">
          {data.map((history, at) => (
            <OneHistory key={history.key} history={history} open={at === 0} />
          ))}
        </div>
      ) : (
        error && <Problem problem={error} retry={() => void refetch()} />
      )}
      <ShowMore list={histories} />
    </Card>
  );
}

function OneHistory({ history: { key, events }, open }: { history: LicenceHistory; open: boolean }) {
  return (
    <details open={open} className="group border-t first:border-t-0">
      <summary className="flex min-h-12 cursor-pointer list-none items-center justify-between gap-3 rounded-md font-mono text-xs [&::-webkit-details-marker]:hidden">
        {key}
        <ChevronDown
          aria-hidden="true"
          className="size-4 text-muted-foreground transition-transform group-open:rotate-180"
        />
      </summary>
      <ol aria-label={`History of ${key}`} className="flex flex-col pt-1 pb-4">
        {events.map((event) => (
          <Event key={`${event.date} ${event.event}`} {...event} />
        ))}
      </ol>
    </details>
  );
}

function Event({ date, event }: LicenceHistory["events"][number]) {
  const [Icon, tone] = eventLooks[event];
  return (
    <li className="relative flex gap-3 pb-5 before:absolute before:top-8 before:bottom-0 before:left-3.5 before:w-px before:bg-border last:pb-0 last:before:hidden">
      <span className={cn("grid size-7 shrink-0 place-content-center rounded-full border", tones[tone])}>
        <Icon aria-hidden="true" className="size-3.5" />
      </span>
      <p className="flex min-h-7 flex-1 flex-col justify-between gap-x-4 text-sm sm:flex-row sm:items-center">
        {licenceEvents[event]}
        <time dateTime={date} className="text-xs text-muted-foreground tabular-nums">
          {formatTime(new Date(date))}
        </time>
      </p>
    </li>
  );
}

const eventLooks: Record<LicenceEvent, [LucideIcon, Tone]> = {
  issued: [Gift, "info"],
  purchased: [ShoppingBag, "info"],
  redeemed: [KeyRound, "good"],
  added: [KeyRound, "good"],
  partly_refunded: [RotateCcw, "neutral"],
  refunded: [RotateCcw, "neutral"],
  refund_failed: [CircleCheck, "good"],
  disputed: [Ban, "disputed"],
  dispute_won: [CircleCheck, "good"],
  dispute_lost: [CircleX, "bad"],
  suspended: [Pause, "warning"],
  reinstated: [Play, "good"],
  revoked: [CircleX, "bad"],
  expired: [Clock, "bad"],
};
