import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { NotebookPen, Send } from "lucide-react";
import { type KeyboardEvent, type SyntheticEvent, useId, useRef } from "react";
import { answerTicket, noteOnTicket } from "@/contract/operations/tickets";
import type { TicketDetails } from "@/contract/wire/desk/details";
import { maxMessageLength } from "@/contract/vocabulary/bounds";
import { callOperation } from "../../../api/desk/operations";
import { refreshDesk } from "../../../api/desk/lists";
import { repliesQuery } from "../../../api/desk/replies";
import { FormAlert } from "../../../parts/form-alert";
import { LongText, tooLong } from "../../../parts/long-text";
import { PatientButton } from "../../../parts/patient-button";
import { Label } from "../../../ui/label";
import { NativeSelect } from "../../../ui/native-select";
import { useDraft } from "../../../parts/draft";
import { failureText } from "../operation/operation-dialog";

/** Where staff answer the customer or leave a note; the draft stays in this browser until it is sent. */
export function Answer({ ticket }: { ticket: TicketDetails }) {
  const { id, status } = ticket;
  const [text, write, takeSent] = useDraft(`desk:${id}`);
  const field = useRef<HTMLTextAreaElement>(null);
  const label = useId();
  const answering = useSend(id, answerTicket, takeSent);
  const noting = useSend(id, noteOnTicket, takeSent);
  const isPending = answering.isPending || noting.isPending;
  const problem = answering.error ?? noting.error;
  const send = (way: typeof answering) => (event: SyntheticEvent) => {
    event.preventDefault();
    if (isPending) return;
    if (text.trim() === "" || tooLong(text, maxMessageLength)) field.current?.focus();
    else way.mutate(text);
  };
  const answer = send(answering);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && status === "open") answer(event);
  };
  return (
    <form aria-label="Answer" onSubmit={answer} className="flex flex-col gap-3 border-t pt-4">
      <FormAlert problem={isPending || !problem ? null : { message: failureText(problem) }} />
      <label htmlFor={label} className="sr-only">
        Your answer
      </label>
      <LongText
        id={label}
        ref={field}
        rows={4}
        most={maxMessageLength}
        placeholder={status === "open" ? "Answer the customer" : "Leave a note for staff"}
        value={text}
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="flex flex-wrap items-end gap-3">
        {status === "open" && (
          <PatientButton type="submit" call={answering} doing="Sending…">
            <Send aria-hidden="true" />
            Answer
          </PatientButton>
        )}
        <PatientButton type="button" variant="outline" call={noting} doing="Saving…" onClick={send(noting)}>
          <NotebookPen aria-hidden="true" />
          Add note
        </PatientButton>
        {status === "open" && (
          <SavedReplies
            insert={(reply) => {
              write(text.trim() === "" ? reply : `${text.trimEnd()}\n\n${reply}`);
              field.current?.focus();
            }}
          />
        )}
      </div>
    </form>
  );
}

function useSend(
  id: string,
  declared: typeof answerTicket | typeof noteOnTicket,
  takeSent: (text: string) => void,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: ["desk", declared.name],
    mutationFn: (text: string) => callOperation(declared, { id, text }),
    onSuccess(_, text) {
      takeSent(text);
      void refreshDesk(queries);
    },
  });
}

function SavedReplies({ insert }: { insert: (text: string) => void }) {
  const { data: replies = [] } = useQuery(repliesQuery);
  const id = useId();
  if (replies.length === 0) return null;
  return (
    <div className="ml-auto flex items-center gap-2">
      <Label htmlFor={id} className="sr-only">
        Insert a saved reply
      </Label>
      <NativeSelect
        id={id}
        className="md:h-9"
        value=""
        onChange={({ target }) => {
          const chosen = replies.find((reply) => reply.id === target.value);
          if (chosen) insert(chosen.text);
        }}
        choices={[["", "Insert a saved reply…"], ...replies.map(({ id, name }) => [id, name] as const)]}
      />
    </div>
  );
}
