import { useInfiniteQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { Link } from "react-router";
import type { SecurityEvent } from "@/contract/wire/security";
import { securityEventsQuery } from "../../../api/security";
import { Empty } from "../../../parts/empty";
import { formatTime } from "../../../parts/format-time";
import { Loaded } from "../../../parts/loaded";
import { RowsSkeleton } from "../../../parts/rows-skeleton";
import { ShowMore } from "../../../parts/show-more";
import { TitledCard } from "../../../parts/titled-card";

/** The account's recent security events. */
export function SecurityLog() {
  const events = useInfiniteQuery(securityEventsQuery);
  return (
    <TitledCard
      title="Security log"
      description={
        <>
          If something wasn&apos;t you,{" "}
          <Link to="/dashboard/account#security" className="text-link underline underline-offset-4">
            change your password
          </Link>
          .
        </>
      }
    >
      <Loaded
        query={events}
        skeleton={<RowsSkeleton rows={2} />}
        empty={<Empty icon={History}>No activity yet</Empty>}
      >
        {(all) => <Events events={all} />}
      </Loaded>
      <ShowMore list={events} />
    </TitledCard>
  );
}

function Events({ events }: { events: readonly SecurityEvent[] }) {
  return (
    <ol
      aria-label="Security events"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling area must be reachable by keyboard
      tabIndex={0}
      className="-mx-2 flex flex-col gap-4 rounded-md px-2 sm:scroll-panel sm:max-h-[60vh] sm:overflow-y-auto"
    >
      {events.map(({ id, at, text, device }) => (
        <li key={id} className="flex flex-col gap-0.5 border-l-2 border-primary/40 pl-4">
          <p className="text-sm">{text}</p>
          <p className="text-xs text-muted-foreground">
            {`${formatTime(new Date(at))}${device ? `, ${device}` : ""}`}
          </p>
        </li>
      ))}
    </ol>
  );
}
