import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { Eye, MailCheck, Send } from "lucide-react";
import { useId, useState } from "react";
import { Link, useNavigate } from "react-router";
import { announce, listOffers, previewAnnouncement, testAnnouncement } from "@/contract/operations/products";
import type { AnnouncementPreview } from "@/contract/wire/desk/announcements";
import { collectionQuery } from "../../../api/desk/collections";
import { callOperation } from "../../../api/desk/operations";
import { FormAlert } from "../../../parts/form-alert";
import { PatientButton } from "../../../parts/patient-button";
import { Button } from "../../../ui/button";
import { Card, CardTitle } from "../../../ui/card";
import { Input } from "../../../ui/input";
import { Label } from "../../../ui/label";
import { NativeSelect } from "../../../ui/native-select";
import { Textarea } from "../../../ui/textarea";
import { useDraft } from "../../../parts/draft";
import { counted } from "../parts/format";
import { useMe } from "../parts/me";
import { UnknownDeskPage } from "../parts/unknown-desk-page";
import { deskOperation, mayDo, type Operation } from "../operation/operation";
import { OperationDialog } from "../operation/operation-dialog";
import { EmailFrame } from "./email-frame";
import { maxTitleLength, maxNewsLength } from "@/contract/vocabulary/bounds";

/** `all`, `licensed`, or an offer's id after `offer:`. */
type Audience = string;
const bodyOf = (audience: Audience) => ({
  licensed_only: audience === "licensed",
  offer: audience.startsWith("offer:") ? audience.slice("offer:".length) : null,
});

/** Writes an email to customers: preview, test to oneself, and sending what was previewed. */
export function NewAnnouncement() {
  return mayDo(useMe(), announce) ? <Writing /> : <UnknownDeskPage />;
}

function Writing() {
  const navigate = useNavigate();
  const id = useId();
  const [subject, setSubject, takeSubject] = useDraft("desk:announcement:subject");
  const [content, setContent, takeContent] = useDraft("desk:announcement");
  const [audience, setAudience] = useState<Audience>("all");
  const [open, setOpen] = useState<Operation | null>(null);
  const letter = { subject, content };
  const whole = { ...letter, ...bodyOf(audience) };
  const preview = useMutation({
    mutationKey: ["desk", "preview"],
    mutationFn: (wanted: typeof whole) => callOperation(previewAnnouncement, wanted),
  });
  const isFresh = JSON.stringify(preview.variables) === JSON.stringify(whole);
  const shown = isFresh ? preview.data : undefined;
  const isWritten = subject.trim() !== "" && content.trim() !== "";

  const test = deskOperation(testAnnouncement, {
    name: "Send me a test",
    icon: MailCheck,
    consequence: () => "Sends this email to your own address only.",
    form: () => [],
    sent: () => letter,
    done: () => "The email is on its way to you",
  });
  const send = (seen: AnnouncementPreview): Operation =>
    deskOperation(announce, {
      name: "Send to customers",
      icon: Send,
      grave: true,
      consequence: () =>
        `Sends “${seen.subject}” to ${recipients(seen)}. You can stop it, but emails that were sent stay sent.`,
      form: () => [],
      sent: () => whole,
      done() {
        takeSubject(subject);
        takeContent(content);
        void navigate("/desk/products/announcements");
        return "Sending the announcement";
      },
    });

  return (
    <section aria-label="New announcement" className="grid items-start gap-6 xl:grid-cols-2">
      <Card className="gap-4">
        <CardTitle>Write an announcement</CardTitle>
        <div className="flex flex-col gap-2">
          <Label htmlFor={`${id}-subject`}>Subject</Label>
          <Input
            id={`${id}-subject`}
            maxLength={maxTitleLength}
            value={subject}
            onChange={({ target }) => setSubject(target.value)}
          />
        </div>
        <AudienceField value={audience} onChange={setAudience} />
        <div className="flex flex-col gap-2">
          <Label htmlFor={`${id}-letter`}>Message (Markdown)</Label>
          <Textarea
            id={`${id}-letter`}
            rows={14}
            maxLength={maxNewsLength}
            value={content}
            onChange={({ target }) => setContent(target.value)}
          />
        </div>
        <FormAlert problem={isFresh ? preview.error : null} />
        <div className="flex flex-wrap gap-3">
          <PatientButton
            variant="outline"
            call={preview}
            doing="Loading preview…"
            disabled={!isWritten}
            onClick={() => preview.isPending || preview.mutate(whole)}
          >
            <Eye aria-hidden="true" />
            Preview
          </PatientButton>
          <Button variant="outline" disabled={!isWritten} onClick={() => setOpen(test)}>
            <MailCheck aria-hidden="true" />
            Send me a test
          </Button>
          <Button disabled={!shown} onClick={() => shown && setOpen(send(shown))}>
            <Send aria-hidden="true" />
            Send to customers
          </Button>
          <Button asChild variant="ghost">
            <Link to="/desk/products/announcements">Back</Link>
          </Button>
        </div>
        {!shown && (
          <p className="text-sm text-muted-foreground">
            {preview.data && !isFresh
              ? "The email changed since the preview. Preview it again before you send it."
              : "Preview the email before you send it."}
          </p>
        )}
      </Card>
      {shown && (
        <Card aria-label="Preview" className="gap-3">
          <CardTitle className="wrap-anywhere">{shown.subject}</CardTitle>
          <p className="text-sm text-muted-foreground">To {recipients(shown)}.</p>
          <EmailFrame html={shown.html} />
        </Card>
      )}
      {open && <OperationDialog operation={open} onClose={() => setOpen(null)} />}
    </section>
  );
}

const recipients = ({ recipients: to, customers, more }: AnnouncementPreview) =>
  `${to.toLocaleString("en-US")}${more ? "+" : ""} of ${counted(customers, "customer", "customers", more ? "+" : "")}`;

function AudienceField({ value, onChange }: { value: Audience; onChange: (audience: Audience) => void }) {
  const id = useId();
  const { data } = useInfiniteQuery(collectionQuery(listOffers));
  const offers = data?.pages.flatMap(({ rows }) => rows) ?? [];
  return (
    <div className="flex flex-col gap-2">
      <Label htmlFor={id}>To</Label>
      <NativeSelect
        choices={offers.map(({ id: offer, name }) => [`offer:${offer}`, `Customers of ${name}`])}
        id={id}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      >
        <option value="all">All customers</option>
        <option value="licensed">Customers with an active license</option>
      </NativeSelect>
    </div>
  );
}
