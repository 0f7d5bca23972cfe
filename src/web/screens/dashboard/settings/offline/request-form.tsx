import { Download, FileUp, TriangleAlert } from "lucide-react";
import { type DragEvent, useId, useState } from "react";
import { brand } from "@/brand/brand";
import type { Me } from "@/contract/wire/accounts";
import type { useOfflineFile } from "../../../../api/devices";
import { useFilledForm } from "../../../../hooks/use-filled-form";
import { wantsPassword } from "../../../../parts/account/refusals";
import { isFull } from "../../../../parts/devices/refused";
import { FieldNote } from "../../../../parts/field";
import { FormAlert } from "../../../../parts/form-alert";
import { SubmitButton } from "../../../../parts/submit-button";
import { Label } from "../../../../ui/label";
import { Textarea } from "../../../../ui/textarea";
import { maxRequestBytes, type OfflineRequest, requestIn } from "./request-in";

type Props = { user: Me; file: ReturnType<typeof useOfflineFile>; onSend: (request: OfflineRequest) => void };

/** Takes the application's request, as text or as a file, and tells a license file's price before making one. */
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
      <LastSeat {...user.devices} />
      <SubmitButton call={file} doing="Creating the file…" className="self-start">
        <Download aria-hidden="true" />
        Download license.lic
      </SubmitButton>
    </form>
  );
}

/** What the file costs, with a warning for who has no seat left, or would have none. */
function LastSeat({ used, places }: Me["devices"]) {
  const price = "It counts as one of your computers until the file expires.";
  const left = places - used;
  if (left > 1) return <p className="text-sm text-pretty text-muted-foreground">{price}</p>;
  return (
    <p className="flex items-start gap-2.5 rounded-lg border border-warning/40 bg-warning/10 px-4 py-3 text-sm">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning" />
      <span>
        {`${price} ${
          left <= 0
            ? "All your seats are taken. Unless this computer has one already, remove another computer first."
            : places === 1
              ? "Your license allows only one, so you can't use another until then."
              : `It's the last of your ${places} seats, so you can't add another until then.`
        }`}
      </span>
    </p>
  );
}

const broken = ({ request }: { request: string }) =>
  requestIn(request) === null
    ? { request: "This isn't a request from the application. Copy all of it, or drop its file here." }
    : {};

function RequestBox(props: { typed: string; onType: (text: string) => void; wrong: string | undefined }) {
  const { typed, onType, wrong } = props;
  const box = useId();
  const read = async (file: File | undefined) => {
    if (file) onType(await file.slice(0, maxRequestBytes).text());
  };
  const onDrop = (event: DragEvent) => {
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    void read(event.dataTransfer.files[0]);
  };
  return (
    <div className="flex flex-col gap-2" onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
      <Label htmlFor={box}>The application&apos;s request</Label>
      <Textarea
        id={box}
        name="request"
        rows={4}
        className="max-h-60 font-mono break-all"
        spellCheck={false}
        autoComplete="off"
        aria-required="true"
        aria-invalid={wrong ? true : undefined}
        aria-describedby={`${box}-${wrong ? "wrong" : "hint"}`}
        value={typed}
        onChange={(event) => onType(event.target.value)}
      />
      <FieldNote
        id={box}
        message={wrong}
        hint={`Choose offline activation in ${brand.shortName}, then paste what it shows.`}
      />
      <label className="flex min-h-16 cursor-pointer items-center justify-center gap-2 rounded-md border border-dashed border-input px-4 py-3 text-center text-sm text-muted-foreground hover:border-input-hover hover:text-foreground has-focus-visible:ring-3 has-focus-visible:ring-ring">
        <FileUp aria-hidden="true" className="size-4 shrink-0" />
        <span>Or drop its file here, or choose it</span>
        <input type="file" className="sr-only" onChange={(event) => void read(event.target.files?.[0])} />
      </label>
    </div>
  );
}
