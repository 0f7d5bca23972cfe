import type { UseQueryResult } from "@tanstack/react-query";
import { Newspaper } from "lucide-react";
import type { ChangelogEntry } from "@/contract/wire/releases";
import { Empty } from "./empty";
import { formatDay } from "./format-time";
import { Loaded } from "./loaded";
import { Card, CardTitle } from "../ui/card";
import { Skeleton } from "../ui/skeleton";

/** The changelog with its loading, empty and error states. */
export function Changelog({ entries }: { entries: UseQueryResult<ChangelogEntry[]> }) {
  return (
    <Card>
      <CardTitle id="changelog">Changelog</CardTitle>
      <Loaded
        query={entries}
        skeleton={<EntriesSkeleton />}
        empty={<Empty icon={Newspaper}>Nothing has been released yet</Empty>}
      >
        {(all) => <Entries entries={all} />}
      </Loaded>
    </Card>
  );
}

/** Focusable, so that the keyboard can scroll it; on phones the page scrolls. */
function Entries({ entries }: { entries: readonly ChangelogEntry[] }) {
  return (
    <section
      aria-labelledby="changelog"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling area must be reachable by keyboard
      tabIndex={0}
      className="-mx-2 rounded-md px-2 sm:scroll-panel sm:max-h-[60vh] sm:overflow-y-auto"
    >
      <ol className="flex flex-col">
        {entries.map((entry) => (
          <NewsEntry key={`${entry.date} ${entry.title}`} entry={entry} />
        ))}
      </ol>
    </section>
  );
}

/** One entry as customers read it. */
export function NewsEntry({ entry: { date, title, content } }: { entry: ChangelogEntry }) {
  return (
    <li className="grid gap-x-6 gap-y-1 border-t py-5 first:border-t-0 first:pt-0 last:pb-0 sm:grid-cols-[7.5rem_1fr]">
      <time dateTime={date} className="text-xs leading-6 text-muted-foreground tabular-nums">
        {formatDay(new Date(date))}
      </time>
      <div className="flex min-w-0 flex-col gap-1.5">
        <h3 className="font-medium">{title}</h3>
        <p className="max-w-prose text-sm leading-relaxed wrap-break-word whitespace-pre-wrap text-muted-foreground">
          {content}
        </p>
      </div>
    </li>
  );
}

function EntriesSkeleton() {
  return (
    <output aria-label="Loading the changelog" className="flex flex-col gap-7">
      {["a", "b", "c"].map((row) => (
        <span key={row} className="grid gap-x-6 gap-y-3 sm:grid-cols-[7.5rem_1fr]">
          <Skeleton className="h-4 w-20" />
          <span className="flex flex-col gap-3">
            <Skeleton className="h-5 w-44" />
            <Skeleton className="h-4 w-full max-w-prose" />
            <Skeleton className="h-4 w-2/3" />
          </span>
        </span>
      ))}
    </output>
  );
}
