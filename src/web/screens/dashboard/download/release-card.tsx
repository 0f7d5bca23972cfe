import type { UseQueryResult } from "@tanstack/react-query";
import { PackageOpen } from "lucide-react";
import { Link } from "react-router";
import type { CurrentRelease } from "@/contract/wire/releases";
import { Empty } from "../../../parts/empty";
import { formatDay } from "../../../parts/format-time";
import { Loaded } from "../../../parts/loaded";
import { Card, CardDescription, CardHeader, CardTitle } from "../../../ui/card";
import { Skeleton } from "../../../ui/skeleton";
import { VerifyFiles } from "./verify-files";

/** The release's version and notes. */
export function ReleaseCard({ release }: { release: UseQueryResult<CurrentRelease | null> }) {
  return (
    <Card aria-label="Current release">
      <Loaded
        query={release}
        skeleton={<NotesSkeleton />}
        empty={<Empty icon={PackageOpen}>Nothing has been released yet</Empty>}
      >
        {(current) => <Notes release={current} />}
      </Loaded>
    </Card>
  );
}

function Notes({ release }: { release: CurrentRelease }) {
  const { version, date, title, content } = release;
  return (
    <>
      <CardHeader>
        <CardTitle>{`New in ${version}`}</CardTitle>
        <CardDescription>
          Released <time dateTime={date}>{formatDay(new Date(date))}</time>
        </CardDescription>
      </CardHeader>
      <div className="flex flex-col gap-1.5">
        <h3 className="text-sm font-medium">{title}</h3>
        <p className="max-w-prose text-sm leading-relaxed wrap-break-word whitespace-pre-wrap text-muted-foreground">
          {content}
        </p>
      </div>
      <Link
        to="/dashboard"
        className="inline-flex min-h-11 items-center self-start text-sm text-link underline-offset-4 hover:underline md:min-h-0"
      >
        All releases
      </Link>
      <VerifyFiles release={release} />
    </>
  );
}

function NotesSkeleton() {
  return (
    <output aria-label="Loading the release" className="flex flex-col gap-4">
      <Skeleton className="h-5 w-40" />
      <Skeleton className="h-4 w-32" />
      <Skeleton className="h-4 w-full max-w-prose" />
      <Skeleton className="h-4 w-2/3" />
    </output>
  );
}
