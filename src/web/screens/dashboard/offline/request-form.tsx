import { Download, TriangleAlert } from "lucide-react";
import { type DragEvent, useId, useState } from "react";
import type { Me } from "@/contract/wire/accounts";
import type { useOfflineFile } from "../../../api/devices";
import { useFilledForm } from "../../../hooks/use-filled-form";
import { wantsPassword } from "../../../parts/account/refusals";
import { isFull } from "../../../parts/devices/refused";
import { FieldNote } from "../../../parts/field";
import { FormAlert } from "../../../parts/form-alert";
import { SubmitButton } from "../../../parts/submit-button";
import { Label } from "../../../ui/label";
import { Textarea } from "../../../ui/textarea";
import { maxRequestBytes, type OfflineRequest, requestIn } from "./request-in";

type Props = { user: Me; file: ReturnType<typeof useOfflineFile>; onSend: (request: OfflineRequest) => void };

/** Takes the application's request, as text or as a file, and says what a license file means before making one. */
export function RequestForm({ user, file, onSend }: Props) {
  const [typed, type] = useState("");
  const request = requestIn(typed);
  const { form, wrong, alert } = useFilledForm(
    ["request"],
    () => {
      if (request && !file.isPending) onSend(request);
    },
    { problem: isFull(file.error) || wantsPassword(file.error) ? null : file.error, check: broken },
  );
  const mistake = wrong("request");
  return (
    <form className="flex flex-col gap-5" aria-label="Request" {...form}>
      <FormAlert problem={alert} />
      <RequestBox
        typed={typed}
        onType={type}
        wrong={request && !file.error ? undefined : mistake === true ? "Paste the request" : mistake}
      />
      {request && (
        <p className="text-sm">
          For <span className="font-medium wrap-anywhere">{request.label}</span>, {request.os}.
        </p>
      )}
      <ul className="flex list-disc flex-col gap-1 pl-5 text-sm text-muted-foreground">
        <li>The computer takes one of your places and keeps it until the file expires.</li>
        <li>You can&apos;t remove it before then, even if your license ends first; support can.</li>
        <li>When the file expires, the application needs a new one, or a connection.</li>
      </ul>
      <LastSeatWarning {...user.devices} />
      <SubmitButton call={file} doing="Making the file…" className="self-start">
        <Download aria-hidden="true" />
        Download license.lic
      </SubmitButton>
    </form>
  );
}

/** Warns who would be left without a free seat. */
function LastSeatWarning({ used, places }: Me["devices"]) {
  if (places - used !== 1) return null;
  return (
    <p className="flex items-start gap-2.5 rounded-lg border border-warning/40 bg-warning/10 px-4 py-3 text-sm">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning" />
      <span>
        {places === 1
          ? "This takes your only place. Until the file expires you can't use another computer, and only support can free the place."
          : "This takes your last place. Until the file expires you can't add another computer, and only support can free the place."}
      </span>
    </p>
  );
}

const broken = ({ request }: { request: string }) =>
  requestIn(request) === null
    ? { request: "This is not a request from the application. Copy all of it, or drop its file here" }
    : {};

function RequestBox(props: { typed: string; onType: (text: string) => void; wrong: string | undefined }) {
  const { typed, onType, wrong } = props;
  const [box, chooser] = [useId(), useId()];
  const read = async (file: File | undefined) => {
    if (file) onType(await file.slice(0, maxRequestBytes).text());
  };
  const onDrop = (event: DragEvent) => {
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    void read(event.dataTransfer.files[0]);
  };
  return (
    <div className="flex flex-col gap-2">
      <Label htmlFor={box}>The application&apos;s request</Label>
      <Textarea
        id={box}
        name="request"
        rows={5}
        className="max-h-60 font-mono break-all"
        spellCheck={false}
        autoComplete="off"
        aria-required="true"
        aria-invalid={wrong ? true : undefined}
        aria-describedby={`${box}-${wrong ? "wrong" : "hint"}`}
        value={typed}
        onChange={(event) => onType(event.target.value)}
        onDragOver={(event) => event.preventDefault()}
        onDrop={onDrop}
      />
      <FieldNote
        id={box}
        message={wrong}
        hint="Choose offline activation in the application, then paste what it shows or drop the file it saves."
      />
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <Label htmlFor={chooser}>Or choose a file</Label>
        <input
          id={chooser}
          type="file"
          className="min-h-11 max-w-full text-sm text-muted-foreground file:mr-3 file:h-9 file:rounded-md file:border file:border-input file:bg-transparent file:px-3 file:text-foreground"
          onChange={(event) => void read(event.target.files?.[0])}
        />
      </div>
    </div>
  );
}
