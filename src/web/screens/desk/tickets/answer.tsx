import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleCheck, NotebookPen, Send } from "lucide-react";
import { type ReactNode, type Ref, useId, useRef } from "react";
import { answerTicket, noteOnTicket } from "@/contract/operations/tickets";
import type { TicketDetails } from "@/contract/wire/desk/details";
import { maxDeskNoteLength, maxMessageLength } from "@/contract/vocabulary/bounds";
import { queryText, sendBytes } from "../../../api/desk/call";
import { callOperation } from "../../../api/desk/operations";
import { refreshDesk } from "../../../api/desk/lists";
import { repliesQuery } from "../../../api/desk/replies";
import { notify } from "../../../page/notices";
import { AttachButton, ChosenFiles, type Files, useFiles } from "../../../parts/chosen-files";
import { FormAlert } from "../../../parts/form-alert";
import { LongText, tooLong } from "../../../parts/long-text";
import { PatientButton } from "../../../parts/patient-button";
import { Label } from "../../../ui/label";
import { NativeSelect } from "../../../ui/native-select";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../../ui/tabs";
import { useDraft } from "../../../parts/draft";
import { failureText } from "../operation/operation-dialog";

/** Where staff answer the customer or leave a note, each with a draft that stays in this browser until it is sent. */
export function Answer({ ticket }: { ticket: TicketDetails }) {
  const { id, status } = ticket;
  if (status !== "open")
    return (
      <div className="border-t pt-4">
        <NoteForm id={id} />
      </div>
    );
  return (
    <Tabs defaultValue="answer" className="gap-4 border-t pt-2">
      <TabsList aria-label="What you write">
        <TabsTrigger value="answer">Answer</TabsTrigger>
        <TabsTrigger value="note">Note</TabsTrigger>
      </TabsList>
      {/* keeps the files that were chosen */}
      <TabsContent value="answer" forceMount className="data-[state=inactive]:hidden">
        <AnswerForm ticket={ticket} />
      </TabsContent>
      <TabsContent value="note">
        <NoteForm id={id} />
      </TabsContent>
    </Tabs>
  );
}

function AnswerForm({ ticket: { id, number, name } }: { ticket: TicketDetails }) {
  const [text, write, takeSent] = useDraft(`desk:${id}`);
  const files = useFiles();
  const field = useRef<HTMLTextAreaElement>(null);
  const sending = useSending(async (closes: boolean) => {
    const say = async () => {
      if (text.trim() === "") return;
      await callOperation(answerTicket, { id, text, ...(closes && { close: true }) });
      takeSent(text);
    };
    // a closed ticket takes no files
    if (!closes) await say();
    for (const file of files.files) {
      await sendBytes(`tickets/${id}/files${queryText({ name: file.name })}`, await file.arrayBuffer());
      files.remove(file);
    }
    if (!closes) return;
    await say();
    notify("success", `#${number} is closed`, "account");
  });
  const send = (closes: boolean) => {
    if (sending.isPending) return;
    const isEmpty = text.trim() === "" && (closes || files.files.length === 0);
    if (isEmpty || tooLong(text, maxMessageLength)) field.current?.focus();
    else sending.mutate(closes);
  };
  return (
    <Writing
      name="Answer"
      label="Your answer"
      sees={`${name} sees this.`}
      most={maxMessageLength}
      field={field}
      text={text}
      write={write}
      problem={sending.error}
      send={() => send(false)}
      files={files}
    >
      <PatientButton
        type="submit"
        className="max-sm:flex-auto"
        call={sending}
        pending={sending.isPending && !sending.variables}
        doing="Sending…"
      >
        <Send aria-hidden="true" />
        Answer
      </PatientButton>
      <PatientButton
        variant="outline"
        className="max-sm:flex-auto max-sm:px-3 max-sm:whitespace-nowrap"
        call={sending}
        pending={sending.isPending && sending.variables}
        doing="Sending…"
        onClick={() => send(true)}
      >
        <CircleCheck aria-hidden="true" className="max-sm:hidden" />
        Answer and close
      </PatientButton>
      <AttachButton files={files} />
      <SavedReplies
        insert={(reply) => {
          write(text.trim() === "" ? reply : `${text.trimEnd()}\n\n${reply}`);
          field.current?.focus();
        }}
      />
    </Writing>
  );
}

function NoteForm({ id }: { id: string }) {
  const [text, write, takeSent] = useDraft(`desk:${id}:note`);
  const field = useRef<HTMLTextAreaElement>(null);
  const saving = useSending(async () => {
    await callOperation(noteOnTicket, { id, text });
    takeSent(text);
  });
  const save = () => {
    if (saving.isPending) return;
    if (text.trim() === "" || tooLong(text, maxDeskNoteLength)) field.current?.focus();
    else saving.mutate(undefined);
  };
  return (
    <Writing
      name="Note"
      label="Your note"
      sees="Only staff see this."
      className="border-dashed border-warning/60 bg-warning/10"
      most={maxDeskNoteLength}
      field={field}
      text={text}
      write={write}
      problem={saving.error}
      send={save}
    >
      <PatientButton type="submit" variant="outline" call={saving} doing="Saving…">
        <NotebookPen aria-hidden="true" />
        Add note
      </PatientButton>
    </Writing>
  );
}

/** A field for what staff write, who will see it, and the buttons that send it; Ctrl+Enter presses the first. */
function Writing(props: {
  name: string;
  label: string;
  sees: string;
  className?: string;
  most: number;
  field: Ref<HTMLTextAreaElement>;
  text: string;
  write: (text: string) => void;
  problem: Error | null;
  send: () => void;
  files?: Files;
  children: ReactNode;
}) {
  const { name, label, sees, field, text, write, problem, send, files, children } = props;
  const id = useId();
  return (
    <form
      aria-label={name}
      className="flex flex-col gap-3"
      {...files?.handlers}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <FormAlert problem={problem && { message: failureText(problem) }} />
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <LongText
        id={id}
        ref={field}
        rows={4}
        most={props.most}
        placeholder={label}
        className={props.className}
        value={text}
        onChange={(event) => write(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send();
        }}
      />
      {files && <ChosenFiles files={files} />}
      <p className="text-xs text-muted-foreground wrap-anywhere">{sees}</p>
      <div className="flex flex-wrap items-end gap-3">{children}</div>
    </form>
  );
}

/** Some of it may have been sent when the rest fails, so the page is read again either way. */
function useSending<Way>(send: (way: Way) => Promise<void>) {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: ["desk", "writing"],
    mutationFn: send,
    onSettled: () => void refreshDesk(queries),
  });
}

function SavedReplies({ insert }: { insert: (text: string) => void }) {
  const { data: replies = [] } = useQuery(repliesQuery);
  const id = useId();
  if (replies.length === 0) return null;
  return (
    <div className="min-w-0 flex-1 sm:ml-auto sm:flex-none">
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
        choices={[["", "Saved replies…"], ...replies.map(({ id, name }) => [id, name] as const)]}
      />
    </div>
  );
}
