import { Braces } from "lucide-react";
import { useState } from "react";
import type { AuditRow } from "@/contract/wire/desk/rows";
import { CopyTextButton } from "../../../parts/copy-text-button";
import { formatTime } from "../../../parts/format-time";
import { TitledDialog } from "../../../parts/titled-dialog";
import { Button } from "../../../ui/button";

/** The entry of the log behind a sentence, as the log has it. */
export function RawEvent({ entry }: { entry: AuditRow }) {
  const [open, setOpen] = useState(false);
  const text = JSON.stringify(entry, null, 2);
  return (
    <>
      <Button
        variant="ghost"
        size="icon"
        className="-my-1 text-muted-foreground md:size-8"
        aria-label={`Raw event ${entry.action}`}
        title="Raw event"
        onClick={() => setOpen(true)}
      >
        <Braces aria-hidden="true" />
      </Button>
      {open && (
        <TitledDialog
          onOpenChange={setOpen}
          title={entry.action}
          description={`As the log has it, ${formatTime(new Date(entry.at))}.`}
        >
          <pre
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling area must be reachable by keyboard
            tabIndex={0}
            className="max-h-96 overflow-auto rounded-md border bg-well p-3 font-mono text-xs whitespace-pre-wrap wrap-anywhere"
          >
            {text}
          </pre>
          <CopyTextButton text={text} label="Copy" variant="outline" size="sm" />
        </TitledDialog>
      )}
    </>
  );
}
