import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { noteOnCustomer } from "@/contract/operations/customers";
import { maxDeskNoteLength } from "@/contract/vocabulary/bounds";
import type { NoteRow } from "@/contract/wire/desk/details";
import { callOperation } from "../../../api/desk/operations";
import { refreshDesk } from "../../../api/desk/lists";
import { FormAlert } from "../../../parts/form-alert";
import { PatientButton } from "../../../parts/patient-button";
import { Card, CardTitle } from "../../../ui/card";
import { Textarea } from "../../../ui/textarea";
import { actorName } from "../parts/actor";
import { useMe } from "../parts/me";
import { failureText } from "../operation/operation-dialog";
import { mayDo } from "../operation/operation";
import { When } from "../parts/when";

/** What staff wrote about a customer, for staff. */
export function Notes({ customer, notes }: { customer: string; notes: readonly NoteRow[] }) {
  const mayWrite = mayDo(useMe(), noteOnCustomer);
  if (notes.length === 0 && !mayWrite) return null;
  return (
    <Card aria-label="Notes" className="gap-4">
      <CardTitle>Notes</CardTitle>
      {mayWrite && <NewNote customer={customer} />}
      {notes.length > 0 && (
        <ol className="flex flex-col gap-4">
          {notes.map(({ id, at, by, text }) => (
            <li key={id} className="flex flex-col gap-1 text-sm">
              <p className="whitespace-pre-wrap wrap-anywhere">{text}</p>
              <p className="text-xs text-muted-foreground">
                {actorName(by)}, <When at={at} />
              </p>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}

function NewNote({ customer }: { customer: string }) {
  const [text, setText] = useState("");
  const queries = useQueryClient();
  const write = useMutation({
    mutationKey: ["desk", "note"],
    mutationFn: () => callOperation(noteOnCustomer, { id: customer, text }),
    onSuccess() {
      setText("");
      void refreshDesk(queries);
    },
  });
  return (
    <form
      aria-label="New note"
      className="flex flex-col items-start gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== "" && !write.isPending) write.mutate();
      }}
    >
      <FormAlert problem={write.error && { message: failureText(write.error) }} />
      <Textarea
        aria-label="Note"
        placeholder="Only staff see it"
        rows={2}
        maxLength={maxDeskNoteLength}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <PatientButton type="submit" variant="outline" size="sm" call={write} doing="Saving…">
        Add note
      </PatientButton>
    </form>
  );
}
