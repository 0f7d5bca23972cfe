import type { TicketTranscript } from "@/contract/tickets";
import { formatTime } from "../../../parts/format-time";

type Props = Pick<
  TicketTranscript,
  "number" | "state" | "closed_at" | "closed_by" | "close_reason" | "reopen_until"
>;

const closers = { member: "you", staff: "support", shop: "itself" } as const;

/** Whether a ticket is open, and if not, who closed it and how to reopen it. */
export function Ending({ number, state, closed_at, closed_by, close_reason, reopen_until }: Props) {
  if (state === "open") {
    return <p className="text-sm text-muted-foreground">It is open. Continue in its thread on Discord.</p>;
  }
  return (
    <div className="flex flex-col gap-2 text-sm break-words text-muted-foreground">
      <p>
        {`Closed by ${closers[closed_by ?? "shop"]}`}
        {closed_at && `, ${formatTime(new Date(closed_at))}`}
        {close_reason ? `: ${close_reason}` : "."}
      </p>
      <p>
        {reopen_until ? (
          <>
            {`You can open it again until ${formatTime(new Date(reopen_until))}: press Open again under its last message on Discord, or type `}
            <code className="rounded bg-veil/6 px-1.5 py-0.5 font-mono text-foreground">
              /support reopen number:{number}
            </code>{" "}
            there.
          </>
        ) : (
          "It was closed more than a week ago and can't be reopened. Open a new one on Discord."
        )}
      </p>
    </div>
  );
}
