import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleStop, Download } from "lucide-react";
import { useEffect } from "react";
import { Link, useParams } from "react-router";
import { cancelJob } from "@/contract/operations/jobs";
import type { DeskJob } from "@/contract/wire/desk/jobs";
import { NotConfirmed } from "../../../api/desk/call";
import { downloadConfirmed } from "../../../api/desk/download";
import { jobQuery } from "../../../api/desk/jobs";
import { refreshDesk } from "../../../api/desk/lists";
import { FormAlert } from "../../../parts/form-alert";
import { PatientButton } from "../../../parts/patient-button";
import { Button } from "../../../ui/button";
import { Card, CardTitle } from "../../../ui/card";
import { Detailed } from "../detail/detailed";
import { counted, withSpaces } from "../parts/format";
import { useMe } from "../parts/me";
import { deskOperation, type Operation } from "../operation/operation";
import { OperationBar } from "../operation/operation-bar";
import { When } from "../parts/when";
import { countedOf, jobName } from "./bulk-words";
import { Outcomes } from "./outcomes";
import { recentJobs } from "./recent-jobs";

/** A job's progress, and who was refused and why. The job runs without this page, and continues after a restart. */
export function Job() {
  const { id = "" } = useParams();
  const query = useQuery(jobQuery(id));
  useEffect(() => recentJobs.add(id), [id]);
  const queries = useQueryClient();
  const isOver = typeof query.data?.finished_at === "string";
  useEffect(() => {
    // the lists show what the job did
    if (isOver) void refreshDesk(queries);
  }, [isOver, queries]);
  return <Detailed query={query}>{(job) => <Page job={job} />}</Detailed>;
}

function Page({ job }: { job: DeskJob }) {
  const {
    id,
    by,
    done,
    total,
    refused_total: refused,
    created_at,
    finished_at,
    cancelled_at,
    keys_until,
    result_until,
    lines,
  } = job;
  const isOpen = finished_at === null;
  const state = cancelled_at !== null ? "Canceled" : finished_at !== null ? "Done" : "Running";
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">{jobName(job)}</h1>
      <Card aria-label="Progress" className="gap-4">
        <div className="flex flex-wrap items-baseline justify-between gap-3">
          <CardTitle>{state}</CardTitle>
          <span className="text-sm text-muted-foreground">
            <span>{`started by ${by.name ?? by.id}`}</span> <When at={created_at} />
            {finished_at !== null && (
              <span>
                , finished <When at={finished_at} />
              </span>
            )}
          </span>
        </div>
        <progress
          aria-label="Progress"
          max={Math.max(total, 1)}
          value={done}
          className="h-2 w-full appearance-none overflow-hidden rounded-full bg-secondary [&::-moz-progress-bar]:bg-chart-1 [&::-webkit-progress-bar]:bg-secondary [&::-webkit-progress-value]:bg-chart-1"
        />
        <p className="text-sm tabular-nums" aria-live="polite">
          {`${done.toLocaleString("en-US")} of ${countedOf(job, total)} done${
            refused > 0 ? `, ${refused.toLocaleString("en-US")} of them refused` : ""
          }.`}
        </p>
        <div className="flex flex-wrap gap-2">
          <OperationBar operations={[isOpen && cancelOf(job)]} />
          {keys_until !== null && finished_at !== null && <Keys job={id} until={keys_until} />}
          {result_until !== null && <Result job={id} until={result_until} />}
        </div>
      </Card>
      {lines !== null && <Outcomes lines={lines} />}
      {lines === null && refused > 0 && <RefusedOnes job={job} />}
    </>
  );
}

function Keys({ job, until }: { job: string; until: string }) {
  const { confirmed_until } = useMe();
  const download = useMutation({
    mutationKey: ["desk", "keys"],
    mutationFn: () =>
      downloadConfirmed(`/api/desk/jobs/${encodeURIComponent(job)}/keys.csv`, confirmed_until),
  });
  const problem = download.error instanceof NotConfirmed ? null : download.error;
  return (
    <div className="flex flex-wrap items-center gap-3">
      <FormAlert problem={problem} />
      <PatientButton
        variant="outline"
        size="sm"
        pending={download.isPending}
        doing="Starting…"
        problem={problem}
        onClick={() => download.isPending || download.mutate()}
      >
        <Download aria-hidden="true" />
        Download the keys
      </PatientButton>
      <span className="text-xs text-muted-foreground">
        Deleted <When at={until} />. The audit log records who downloaded them.
      </span>
    </div>
  );
}

function Result({ job, until }: { job: string; until: string }) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button asChild variant="outline" size="sm">
        <a href={`/api/desk/jobs/${encodeURIComponent(job)}/result.csv`} download>
          <Download aria-hidden="true" />
          Download the result
        </a>
      </Button>
      <span className="text-xs text-muted-foreground">
        What became of each line. Deleted <When at={until} />.
      </span>
    </div>
  );
}

const cancelOf = (job: DeskJob): Operation =>
  deskOperation(cancelJob, {
    id: job.id,
    name: "Cancel the rest",
    icon: CircleStop,
    grave: true,
    consequence: () =>
      job.lines === null
        ? `About ${counted(job.total - job.done, "license")} won't be changed. Those already changed stay changed.`
        : `About ${counted(job.total - job.done, "line")} won't be imported. What is imported stays.`,
    done: () => "Job canceled",
  });

function RefusedOnes({ job }: { job: DeskJob }) {
  const { refused, refused_total } = job;
  return (
    <Card aria-label="Refused" className="gap-3">
      <CardTitle>
        Refused
        <span className="ml-2 text-sm font-normal text-muted-foreground">
          {refused_total > refused.length ? `the first ${refused.length} of ${refused_total}` : refused_total}
        </span>
      </CardTitle>
      <ul className="flex flex-col text-sm">
        {refused.map(({ id, code }) => (
          <li key={id} className="flex min-h-9 flex-wrap items-center justify-between gap-x-4">
            <Link
              to={`/desk/licences/${id}`}
              className="font-mono text-xs text-link underline-offset-4 hover:underline"
            >
              {id}
            </Link>
            <span className="text-muted-foreground">{withSpaces(code)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
