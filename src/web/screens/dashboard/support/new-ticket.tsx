import { type SyntheticEvent, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { support } from "@/brand/tickets";
import { maxMessageLength } from "@/contract/vocabulary/bounds";
import { upload, useOpenTicket } from "../../../api/tickets";
import { FormAlert } from "../../../parts/form-alert";
import { LongText, tooLong } from "../../../parts/long-text";
import { notify } from "../../../page/notices";
import { PageHeading } from "../../../parts/page-heading";
import { PatientButton } from "../../../parts/patient-button";
import { cn } from "../../../lib/utils";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { Label } from "../../../ui/label";
import { BackLink } from "./back-link";
import { useDraft } from "../../../parts/draft";
import { AttachButton, ChosenFiles, useFiles } from "./files";
import { supportHours } from "./hours";
import { ticketPath } from "./state";
import { keepUnsent } from "./unsent-files";

type TopicName = keyof typeof support.topics;
const topics = Object.entries(support.topics) as [TopicName, (typeof support.topics)[TopicName]][];

/** A new ticket: the topic with its common answers, then the question. */
export function NewTicket() {
  const draft = useDraft("ticket");
  const [kept, keep] = useDraft("ticket-topic");
  const [typed] = draft;
  const [topic, choose] = useState(() => (typed === "" ? null : topicNamed(kept)));
  return (
    <>
      <div className="flex flex-col items-start gap-3">
        <BackLink />
        <PageHeading title="New ticket">{supportHours()}</PageHeading>
      </div>
      <Card aria-labelledby="topic-heading">
        <h2 id="topic-heading" className="font-semibold">
          What is it about?
        </h2>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(8rem,100%),1fr))] gap-3">
          {topics.map(([name, { name: words }]) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === topic}
              onClick={() => {
                choose(name);
                keep(name);
              }}
              className={cn(
                "min-h-14 rounded-lg border border-input p-3 text-left text-sm font-medium hover:bg-accent",
                name === topic && "border-ring bg-primary/12",
              )}
            >
              {words}
            </button>
          ))}
        </div>
        {topic && <CommonAnswers key={topic} topic={topic} />}
      </Card>
      {topic && <Question topic={topic} draft={draft} />}
    </>
  );
}

const topicNamed = (kept: string): TopicName | null => topics.find(([name]) => name === kept)?.[0] ?? null;

function CommonAnswers({ topic }: { topic: TopicName }) {
  const common: readonly (readonly [string, string])[] = support.topics[topic].common;
  const navigate = useNavigate();
  if (common.length === 0) return null;
  const solved = () => {
    notify("success", "Good to hear. We are here if anything else comes up.", "account");
    void navigate("/dashboard/tickets");
  };
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm text-muted-foreground">Maybe this already answers your question:</p>
      {common.map(([question, answer]) => (
        <details key={question} className="rounded-md border text-sm">
          <summary className="min-h-11 cursor-pointer px-4 py-3 font-medium">{question}</summary>
          <div className="px-4 pb-3">
            <p className="text-muted-foreground">{answer}</p>
            <Button type="button" variant="outline" size="sm" className="mt-3" onClick={solved}>
              That solved it
            </Button>
          </div>
        </details>
      ))}
    </div>
  );
}

function Question({ topic, draft }: { topic: TopicName; draft: ReturnType<typeof useDraft> }) {
  const [question, write] = draft;
  const files = useFiles();
  const { error, isPending, send } = useSending(() => write(""));
  const field = useRef<HTMLTextAreaElement>(null);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (question.trim() === "" || tooLong(question, maxMessageLength)) field.current?.focus();
    else send({ topic, question, files: files.files });
  };
  return (
    <Card aria-label="Your question">
      <form onSubmit={submit} className="flex flex-col gap-4" {...files.handlers}>
        <div className="flex flex-col gap-2">
          <Label htmlFor="question">{support.topics[topic].ask}</Label>
          <LongText
            id="question"
            ref={field}
            value={question}
            most={maxMessageLength}
            required
            className="min-h-32"
            onChange={({ target }) => write(target.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit(event);
            }}
          />
        </div>
        <ChosenFiles files={files} />
        <p className="text-sm text-muted-foreground">
          Support also sees your username, email address, licenses, payments, device and connected Discord
          account. Never send a password.
        </p>
        <FormAlert problem={error} />
        <div className="flex flex-wrap gap-3">
          <PatientButton type="submit" pending={isPending} doing="Sending…" problem={error}>
            Send
          </PatientButton>
          <AttachButton files={files} />
        </div>
      </form>
    </Card>
  );
}

type NewTicketForm = { topic: string; question: string; files: File[] };

/** Opens the ticket, then sends its files; one that fails is named and waits in the form of the ticket's page. */
function useSending(onSent: () => void) {
  const navigate = useNavigate();
  const open = useOpenTicket();
  const [isUploading, setUploading] = useState(false);
  const send = ({ files, ...asked }: NewTicketForm) =>
    open.mutate(asked, {
      async onSuccess({ data }) {
        onSent();
        setUploading(true);
        const unsent: File[] = [];
        for (const file of files) {
          await upload(data.id, file).catch((problem: Error) => {
            unsent.push(file);
            notify("error", `${file.name} was not sent: ${problem.message}`, "account");
          });
        }
        keepUnsent(data.id, unsent);
        void navigate(ticketPath(data.id));
      },
    });
  return { error: open.error, isPending: open.isPending || isUploading, send };
}
