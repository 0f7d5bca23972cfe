import type { TicketDetails } from "@/contract/wire/tickets";
import { Link } from "react-router";
import { useReopen } from "../../../api/tickets";
import { takeFocus } from "../../../parts/field";
import { FormAlert } from "../../../parts/form-alert";
import { formatTime } from "../../../parts/format-time";
import { PatientButton } from "../../../parts/patient-button";
import { newTicketPath } from "./state";

const closers = { member: "by you", staff: "by support", shop: "automatically" } as const;

type Props = Pick<TicketDetails, "id" | "closed_at" | "closed_by" | "close_reason" | "reopen_until"> & {
  /** Whether the customer just closed it; the button that did it is gone. */
  hasFocus: boolean;
};

/** Who closed a ticket and when, and until when it can be reopened. */
export function Ending({ id, closed_at, closed_by, close_reason, reopen_until, hasFocus }: Props) {
  return (
    <div
      ref={hasFocus ? takeFocus : undefined}
      tabIndex={-1}
      className="flex flex-col items-start gap-3 border-t pt-5 text-sm break-words text-muted-foreground outline-none"
    >
      <p>
        {`Closed ${closers[closed_by ?? "shop"]}${closed_at ? `, ${formatTime(new Date(closed_at))}` : ""}${
          close_reason ? `: ${close_reason}` : "."
        }`}
      </p>
      {reopen_until ? (
        <Reopening id={id} until={reopen_until} />
      ) : (
        <p>
          It can no longer be reopened.{" "}
          <Link to={newTicketPath} className="text-link underline underline-offset-4">
            New ticket
          </Link>
        </p>
      )}
    </div>
  );
}

function Reopening({ id, until }: { id: string; until: string }) {
  const reopening = useReopen(id);
  return (
    <>
      <FormAlert problem={reopening.error} />
      <PatientButton variant="outline" call={reopening} doing="Reopening…" onClick={() => reopening.mutate()}>
        Reopen
      </PatientButton>
      <p>{`You can reopen it until ${formatTime(new Date(until))}.`}</p>
    </>
  );
}
