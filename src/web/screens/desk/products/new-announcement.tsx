import { useMutation } from "@tanstack/react-query";
import { Eye, MailCheck, Send } from "lucide-react";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { writeDesk } from "../../../api/desk/call";
import { FormAlert } from "../../../parts/form-alert";
import { PatientButton } from "../../../parts/patient-button";
import { Button } from "../../../ui/button";
import { Card, CardTitle } from "../../../ui/card";
import { Input } from "../../../ui/input";
import { Label } from "../../../ui/label";
import { NativeSelect } from "../../../ui/native-select";
import { Textarea } from "../../../ui/textarea";
import { useDraft } from "../../dashboard/support/draft";
import { counted } from "../format";
import type { Operation } from "../operation/operation";
import { OperationDialog } from "../operation/operation-dialog";

type Preview = { subject: string; html: string; text: string; customers: number; more: boolean };
type Audience = "all" | "licensed";

/** Writes a letter to all customers: preview, a test to oneself, and sending, with how many it is for. */
export function NewAnnouncement() {
  const navigate = useNavigate();
  const [subject, setSubject, takeSubject] = useDraft("desk:announcement:subject");
  const [content, setContent, takeContent] = useDraft("desk:announcement");
  const [audience, setAudience] = useState<Audience>("all");
  const [open, setOpen] = useState<Operation | null>(null);
  const letter = { subject, content };
  const to = { licensed_only: audience === "licensed" };
  const preview = useMutation({
    mutationKey: ["desk", "preview"],
    mutationFn: () => writeDesk<Preview>("announcements/preview", { ...letter, ...to }),
  });
  const shown = preview.data;
  const isWritten = subject.trim() !== "" && content.trim() !== "";

  const test: Operation = {
    name: "Mail to me",
    icon: MailCheck,
    consequence: () => "Mails this letter to your own address and to nobody else.",
    run: (_, reason) => writeDesk("announcements/test", { ...letter, reason }),
    done: () => "The letter is on its way to you",
  };
  const send: Operation = {
    name: "Send to customers",
    icon: Send,
    grave: true,
    consequence: () =>
      shown
        ? `Looks at ${counted(shown.customers, "customer", "customers", shown.more ? "+" : "")} and mails all of them who want such letters. It can be stopped, but what is sent is sent.`
        : "Mails all customers who want such letters.",
    run: (_, reason) => writeDesk("announcements", { ...letter, ...to, reason }),
    done: () => "The announcement is under way",
  };
  const close = (operation: Operation, wasSent: boolean) => {
    setOpen(null);
    if (operation !== send || !wasSent) return;
    takeSubject(subject);
    takeContent(content);
    void navigate("/desk/products/announcements");
  };

  return (
    <section aria-label="New announcement" className="grid items-start gap-6 xl:grid-cols-2">
      <Card className="gap-4">
        <CardTitle>Write an announcement</CardTitle>
        <div className="flex flex-col gap-2">
          <Label htmlFor="subject">Subject</Label>
          <Input
            id="subject"
            maxLength={200}
            value={subject}
            onChange={({ target }) => setSubject(target.value)}
          />
        </div>
        <div className="flex flex-col gap-2">
          <Label htmlFor="audience">To</Label>
          <NativeSelect
            id="audience"
            value={audience}
            onChange={({ target }) => setAudience(target.value === "licensed" ? "licensed" : "all")}
          >
            <option value="all">All customers</option>
            <option value="licensed">Customers with an active license</option>
          </NativeSelect>
        </div>
        <div className="flex flex-col gap-2">
          <Label htmlFor="content">Letter (Markdown)</Label>
          <Textarea
            id="content"
            rows={14}
            maxLength={50_000}
            value={content}
            onChange={({ target }) => setContent(target.value)}
          />
        </div>
        <FormAlert problem={preview.error} />
        <div className="flex flex-wrap gap-3">
          <PatientButton
            variant="outline"
            pending={preview.isPending}
            doing="Drawing…"
            problem={preview.error}
            disabled={!isWritten}
            onClick={() => preview.mutate()}
          >
            <Eye aria-hidden="true" />
            Preview
          </PatientButton>
          <Button variant="outline" disabled={!isWritten} onClick={() => setOpen(test)}>
            <MailCheck aria-hidden="true" />
            Mail to me
          </Button>
          <Button disabled={!isWritten || !shown} onClick={() => setOpen(send)}>
            <Send aria-hidden="true" />
            Send to customers
          </Button>
          <Button asChild variant="ghost">
            <Link to="/desk/products/announcements">Back</Link>
          </Button>
        </div>
        {!shown && <p className="text-sm text-muted-foreground">Look at the preview before you send it.</p>}
      </Card>
      {shown && (
        <Card aria-label="Preview" className="gap-3">
          <CardTitle>{shown.subject}</CardTitle>
          {/* without scripts, forms or links into this page: it is a customer's letter */}
          <iframe
            title="The letter"
            sandbox=""
            srcDoc={shown.html}
            className="h-144 w-full rounded-md border"
          />
        </Card>
      )}
      {open && <AnnouncementDialog operation={open} onClose={(wasSent) => close(open, wasSent)} />}
    </section>
  );
}

/** Closes with whether the operation was done. */
function AnnouncementDialog(props: { operation: Operation; onClose: (wasDone: boolean) => void }) {
  const [done] = useState({ is: false });
  const { operation, onClose } = props;
  const noting: Operation = {
    ...operation,
    run: async (typed, reason) => {
      const answer = await operation.run(typed, reason);
      done.is = true;
      return answer;
    },
  };
  return <OperationDialog operation={noting} onClose={() => onClose(done.is)} />;
}
