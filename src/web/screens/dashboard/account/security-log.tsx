import { useQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import type { SecurityEvent } from "@/contract/security";
import { securityEventsQuery } from "../../../api/security";
import { Empty } from "../../../parts/empty";
import { formatTime } from "../../../parts/format-time";
import { Problem } from "../../../parts/problem";
import { RowsSkeleton } from "../../../parts/rows-skeleton";
import { Card, CardDescription, CardHeader, CardTitle } from "../../../ui/card";

/** The account's recent security events. */
export function SecurityLog() {
  const { data, error, refetch } = useQuery(securityEventsQuery);
  return (
    <Card aria-label="Security log">
      <CardHeader>
        <CardTitle>Security log</CardTitle>
        <CardDescription>
          Recent activity on your account. If something wasn&apos;t you, change your password.
        </CardDescription>
      </CardHeader>
      {data && data.length > 0 && <Events events={data} />}
      {data?.length === 0 && <Empty icon={History}>No activity yet</Empty>}
      {!data && error && <Problem problem={error} retry={() => void refetch()} />}
      {!data && !error && <RowsSkeleton rows={2} />}
    </Card>
  );
}

function Events({ events }: { events: readonly SecurityEvent[] }) {
  return (
    <ol
      aria-label="Security events"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling area must be reachable by keyboard
      tabIndex={0}
      className="-mx-2 flex max-h-[60vh] flex-col gap-4 overflow-y-auto rounded-md px-2"
    >
      {events.map(({ id, at, text, device }) => (
        <li key={id} className="flex flex-col gap-0.5 border-l-2 border-primary/40 pl-4">
          <p className="text-sm">{text}</p>
          <p className="text-xs text-muted-foreground">
            {formatTime(new Date(at))}
            {device && `, ${device}`}
          </p>
        </li>
      ))}
    </ol>
  );
}
