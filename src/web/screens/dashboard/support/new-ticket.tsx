import { ChevronDown } from "lucide-react";
import { type SyntheticEvent, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { support } from "@/brand/tickets";
import { maxMessageLength } from "@/contract/vocabulary/bounds";
import { upload, useOpenTicket } from "../../../api/tickets";
import { FormAlert } from "../../../parts/form-alert";
import { LongText, tooLong } from "../../../parts/long-text";
import { notify } from "../../../page/notices";
import { isWithout } from "../../../page/without";
import { PageHeading } from "../../../parts/page-heading";
import { PatientButton } from "../../../parts/patient-button";
import { cn } from "../../../lib/utils";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { Label } from "../../../ui/label";
import { BackLink } from "./back-link";
import { useDraft } from "../../../parts/draft";
import { useAnswerTime } from "./answer-time";
import { AttachButton, ChosenFiles, useFiles } from "../../../parts/chosen-files";
import { ticketPath } from "./state";
import { keepUnsent } from "./unsent-files";

const topics = Object.entries(support.topics);

/** The topic of who chooses none: the last, which takes anything. */
const anything = topics.at(-1)?.[0] ?? "other";

/** A new ticket: a field, its topic, and the topic's common answers. `?new=device` chooses a topic. */
export function NewTicket({ about }: { about: string }) {
  const [question, write] = useDraft("ticket");
  const [kept, keep] = useDraft("ticket-topic");
  const [topic, choose] = useState(
    () => topicNamed(question === "" ? about : kept) ?? topicNamed(about) ?? anything,
  );
  const files = useFiles();
  const { error, isPending, send } = useSending(() => write(""));
  const field = useRef<HTMLTextAreaElement>(null);
  const answerTime = useAnswerTime();
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (question.trim() === "" || tooLong(question, maxMessageLength)) field.current?.focus();
    else send({ topic, question, files: files.files });
  };
  return (
    <>
      <div className="flex flex-col items-start gap-3">
        <BackLink />
        <PageHeading title="New ticket">{answerTime}</PageHeading>
      </div>
      <Card aria-label="Your question">
        <form onSubmit={submit} className="flex flex-col gap-4" {...files.handlers}>
          <Topics
            chosen={topic}
            onChoose={(name) => {
              choose(name);
              keep(name);
            }}
          />
          <div className="flex flex-col gap-2">
            <Label htmlFor="question">{support.topics[topic]?.ask}</Label>
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
          <FormAlert problem={error} />
          <div className="flex flex-wrap gap-3">
            <PatientButton type="submit" pending={isPending} doing="Sending…" problem={error}>
              Send
            </PatientButton>
            <AttachButton files={files} />
          </div>
          <p className="text-xs text-pretty text-muted-foreground">
            {`Support also sees your username, email address, licenses, payments${isWithout("discord") ? " and device" : ", device and connected Discord account"}. Never send a password.`}
          </p>
        </form>
        <CommonAnswers key={topic} topic={topic} />
      </Card>
    </>
  );
}

const topicNamed = (name: string): string | undefined => topics.find(([one]) => one === name)?.[0];

function Topics({ chosen, onChoose }: { chosen: string; onChoose: (name: string) => void }) {
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">Topic</legend>
      {topics.map(([name, { name: words }]) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === chosen}
          onClick={() => onChoose(name)}
          className={cn(
            "min-h-11 rounded-full border border-input px-4 text-sm font-medium hover:bg-accent md:min-h-9",
            name === chosen && "border-ring bg-primary/12",
          )}
        >
          {words}
        </button>
      ))}
    </fieldset>
  );
}

function CommonAnswers({ topic }: { topic: string }) {
  const common = support.topics[topic]?.common ?? [];
  const navigate = useNavigate();
  if (common.length === 0) return null;
  const solved = () => {
    notify("success", "Good to hear. We're here if anything else comes up.", "account");
    void navigate("/dashboard/tickets");
  };
  return (
    <section aria-label="Common answers" className="flex flex-col border-t pt-2 text-sm">
      {common.map(([question, answer]) => (
        <details key={question} className="group border-b last:border-b-0">
          <summary className="flex min-h-12 cursor-pointer list-none items-center justify-between gap-3 font-medium [&::-webkit-details-marker]:hidden">
            {question}
            <ChevronDown
              aria-hidden="true"
              className="size-4 shrink-0 text-muted-foreground transition-transform group-open:rotate-180"
            />
          </summary>
          <p className="text-pretty text-muted-foreground">{answer}</p>
          <Button type="button" variant="outline" size="sm" className="mt-3 mb-4" onClick={solved}>
            That solved it
          </Button>
        </details>
      ))}
    </section>
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
