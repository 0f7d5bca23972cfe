import { useQueries } from "@tanstack/react-query";
import { Link } from "react-router";
import { jobQuery } from "../../../api/desk/jobs";
import { Card, CardTitle } from "../../../ui/card";
import { ProgressBar } from "../parts/progress-bar";
import { countedOf, jobName } from "./bulk-words";
import { recentJobs } from "./recent-jobs";

/** The last jobs of this tab with how far they are; nothing without any. */
export function RecentJobs() {
  const found = useQueries({ queries: recentJobs.all().map((id) => jobQuery(id)) });
  const jobs = found.flatMap(({ data }) => (data ? [data] : []));
  if (jobs.length === 0) return null;
  return (
    <Card aria-label="Your recent jobs" className="gap-3">
      <CardTitle>Your recent jobs</CardTitle>
      <ul className="flex flex-col gap-3 text-sm">
        {jobs.map((job) => (
          <li key={job.id} className="flex flex-col gap-1">
            <span className="flex flex-wrap justify-between gap-x-4">
              <Link
                to={`/desk/jobs/${job.id}`}
                className="inline-flex min-h-11 items-center text-link underline-offset-4 hover:underline md:min-h-0"
              >
                {jobName(job)}
              </Link>
              <span className="text-muted-foreground tabular-nums">
                {job.done.toLocaleString("en-US")} of {countedOf(job, job.total)}
              </span>
            </span>
            <ProgressBar label={`Progress of ${jobName(job)}`} done={job.done} of={job.total} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
