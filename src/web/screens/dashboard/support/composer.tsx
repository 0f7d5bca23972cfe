import { CircleAlert, Send } from "lucide-react";
import { type SyntheticEvent, useEffect, useId, useRef } from "react";
import { maxMessageLength } from "@/contract/vocabulary/bounds";
import type { TicketDetails } from "@/contract/wire/tickets";
import { useUpload, useWrite } from "../../../api/tickets";
import { LongText, tooLong } from "../../../parts/long-text";
import { PatientButton } from "../../../parts/patient-button";
import { useDraft } from "../../../parts/draft";
import { useAnswerTime } from "./answer-time";
import { AttachButton, ChosenFiles, useFiles } from "../../../parts/chosen-files";
import { forgetUnsent, unsentFiles } from "./unsent-files";

const whereAnswersCome = {
  discord: "Also posted in Discord.",
  mail: "We'll also email you.",
  site: "Answers appear here.",
} as const;

/** The field for the next message, one line that grows. What could not be sent stays in it. */
export function Composer({ ticket, waits }: { ticket: TicketDetails; waits: boolean }) {
  const { id } = ticket;
  const [text, write, takeSent] = useDraft(`ticket:${id}`);
  const files = useFiles(unsentFiles(id));
  useEffect(() => forgetUnsent(id), [id]);
  const { problem, isPending, send } = useSending(id, { text, takeSent, files });
  const field = useRef<HTMLTextAreaElement>(null);
  const label = useId();
  const answerTime = useAnswerTime();
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (isPending) return;
    const isEmpty = text.trim() === "" && files.files.length === 0;
    if (isEmpty || tooLong(text, maxMessageLength)) field.current?.focus();
    else void send();
  };
  return (
    <form
      onSubmit={submit}
      {...files.handlers}
      className="sticky bottom-0 short:static -mx-5 -mb-5 flex flex-col gap-2 rounded-b-xl border-t bg-card p-3 sm:-mx-6 sm:-mb-6 sm:px-6 sm:py-4"
    >
      <label htmlFor={label} className="sr-only">
        Your message
      </label>
      <div className="flex flex-wrap items-end justify-end gap-2">
        <AttachButton files={files} isIcon />
        <div className="min-w-0 flex-1 basis-16">
          <LongText
            id={label}
            ref={field}
            value={text}
            most={maxMessageLength}
            placeholder="Write to support"
            // where a field doesn't grow with its content
            rows={Math.min(text.split("\n").length, 6)}
            className="max-h-48 min-h-11 resize-none py-2.5 md:min-h-10 md:py-2"
            onChange={({ target }) => write(target.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit(event);
            }}
          />
        </div>
        <PatientButton
          type="submit"
          pending={isPending}
          doing="Sending…"
          problem={problem}
          className="min-w-11 max-sm:px-3"
        >
          <Send aria-hidden="true" />
          <span className="max-sm:sr-only">Send</span>
        </PatientButton>
      </div>
      <ChosenFiles files={files} />
      {problem && (
        <p role="alert" className="flex items-start gap-2 text-sm text-destructive-text">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {`Not sent: ${problem.message}`}
        </p>
      )}
      <div className="flex flex-wrap gap-x-3 gap-y-1 text-xs text-muted-foreground">
        {ticket.waiting_for === "staff" && <p>{answerTime}</p>}
        <output>
          {waits ? "Saved. Support sees it when Discord is back." : whereAnswersCome[ticket.answers_by]}
        </output>
      </div>
    </form>
  );
}

type Sent = { text: string; takeSent: (text: string) => void; files: ReturnType<typeof useFiles> };

/** Sends the text, then one file after the other; what was sent is taken out at once. */
function useSending(id: string, { text, takeSent, files }: Sent) {
  const writing = useWrite(id);
  const uploading = useUpload(id);
  const send = async () => {
    uploading.reset();
    try {
      if (text.trim() !== "") {
        await writing.mutateAsync(text);
        takeSent(text);
      } else writing.reset();
      for (const file of files.files) {
        await uploading.mutateAsync(file);
        files.remove(file);
      }
    } catch {
      // `problem` says why; the rest stays in the form
    }
  };
  const isPending = writing.isPending || uploading.isPending;
  return { problem: isPending ? null : (writing.error ?? uploading.error), isPending, send };
}
