import { useQuery } from "@tanstack/react-query";
import { CircleCheck, RotateCw, Trash2 } from "lucide-react";
import { dropStuckJob, listStuckJobs, retryStuckJob } from "@/contract/operations/settings";
import type { StuckJob } from "@/contract/wire/desk/jobs";
import { itemQuery } from "../../../../api/desk/collections";
import { RowsSection, type RowsDefinition } from "../../collection/rows-section";
import { withSpaces } from "../../parts/format";
import { deskOperation, type Operation } from "../../operation/operation";
import { whenColumn } from "../../table/columns";

const stuck: RowsDefinition<StuckJob> = {
  title: "Stuck jobs",
  lead: "Deliveries that keep failing, oldest first. At most 100 are shown.",
  icon: CircleCheck,
  columns: [
    { id: "topic", name: "Job", cell: ({ topic }) => withSpaces(topic), leads: true },
    {
      id: "subject",
      name: "About",
      cell: ({ subject }) => <code className="font-mono text-xs">{subject}</code>,
    },
    {
      id: "last_error",
      name: "Last error",
      cell: ({ last_error }) => <span className="wrap-anywhere">{last_error ?? "–"}</span>,
      width: "minmax(0,1.8fr)",
      whole: true,
      phone: "line",
    },
    {
      id: "attempts",
      name: "Tries",
      cell: ({ attempts }) => attempts,
      end: true,
      width: "5rem",
      said: "tries",
    },
    whenColumn("since", "Since", ({ since }) => since, { width: "8rem", phone: "time" }),
    whenColumn("due_at", "Next try", ({ due_at }) => due_at, { width: "8rem", said: "next" }),
  ],
  nameOf: ({ topic, subject }) => `${withSpaces(topic)} ${subject}`,
  empty: "Nothing is stuck.",
};

/** What keeps failing to go out, with Retry and Drop. */
export function StuckJobs() {
  const { data, error, refetch } = useQuery(itemQuery(listStuckJobs, { state: "stuck" }));
  return (
    <RowsSection
      of={stuck}
      rows={data?.rows}
      problem={error}
      retry={() => void refetch()}
      operationsOf={(job) => [retry(job), drop(job)]}
    />
  );
}

const retry = ({ id, topic }: StuckJob): Operation =>
  deskOperation(retryStuckJob, {
    id,
    name: "Retry",
    icon: RotateCw,
    consequence: () => `Tries “${withSpaces(topic)}” again within seconds.`,
    done: () => "Trying again",
  });

const drop = ({ id, topic, subject }: StuckJob): Operation =>
  deskOperation(dropStuckJob, {
    id,
    name: "Drop",
    icon: Trash2,
    grave: true,
    consequence: () =>
      `Gives up “${withSpaces(topic)}” of ${subject} for good. Nobody is told, and nothing else does it instead.`,
    done: () => "Dropped",
  });
