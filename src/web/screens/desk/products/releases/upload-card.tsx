import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Pause, Play, Rocket, Trash2 } from "lucide-react";
import { useState } from "react";
import { cancelUpload, finishUpload } from "@/contract/operations/uploads";
import type { Upload } from "@/contract/wire/desk/releases";
import { uploadsQuery } from "../../../../api/desk/uploads";
import { FormAlert } from "../../../../parts/form-alert";
import { Button } from "../../../../ui/button";
import { Card, CardTitle } from "../../../../ui/card";
import { writeSize } from "../../../../parts/build-files";
import { deskOperation, type Operation } from "../../operation/operation";
import { RowOperations } from "../../operation/row-operations";
import { ProgressBar } from "../../parts/progress-bar";
import { When } from "../../parts/when";
import { channelNames } from "./channel-names";
import { ChooseButton } from "./choose-button";
import { filesFor } from "./files-for";
import { goOn, pause, type Sending, startSending, useSending } from "./senders";

/** How far an upload is, file by file and in all, and how it goes on. */
export function UploadCard({ upload }: { upload: Upload }) {
  const sending = useSending(upload.id);
  const progress = arrivedOf(upload, sending?.missing);
  const isOpen = upload.state === "sending" || upload.state === "refused";
  return (
    <Card aria-label={`Upload of ${upload.version}`} className="gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-3">
        <CardTitle className="wrap-anywhere">
          {upload.version}{" "}
          <span className="font-normal text-muted-foreground">({channelNames[upload.channel]})</span>
        </CardTitle>
        <output className="text-sm text-muted-foreground">
          {stateOf(upload, sending, progress.isWhole)}
        </output>
      </div>
      <FormAlert problem={upload.refusal && { message: upload.refusal.sentence }} />
      <FormAlert problem={isOpen ? (sending?.problem ?? null) : null} />
      {upload.state === "publishing" && upload.stored ? (
        <ProgressBar label="Published" done={upload.stored.bytes} of={upload.stored.of} />
      ) : (
        <>
          <ProgressBar label="Sent in all" done={progress.arrived} of={progress.bytes} />
          <p className="text-sm tabular-nums">
            {writeSize(progress.arrived)} of {writeSize(progress.bytes)}
          </p>
          <ul aria-label="Files" className="flex flex-col gap-2 text-sm">
            {progress.files.map(({ file, name, arrived, size }) => (
              <li key={file} className="flex flex-col gap-1">
                <span className="flex justify-between gap-3">
                  <span className="min-w-0 wrap-anywhere">{name}</span>
                  <span className="shrink-0 text-muted-foreground tabular-nums">
                    {Math.floor((arrived / size) * 100)} %
                  </span>
                </span>
                <ProgressBar label={`Sent of ${name}`} done={arrived} of={size} />
              </li>
            ))}
          </ul>
        </>
      )}
      {isOpen && <Ways upload={upload} sending={sending} isWhole={progress.isWhole} />}
      {isOpen && (
        <p className="text-xs text-muted-foreground">
          Without another part it is canceled <When at={upload.expires_at} />.
        </p>
      )}
    </Card>
  );
}

function stateOf({ state }: Upload, sending: Sending | undefined, isWhole: boolean): string {
  if (state === "publishing") return "The shop stores it";
  if (state === "refused") return "Refused";
  if (sending?.state === "sending") return "Sending";
  if (sending?.state === "waiting") return "Waits, and goes on by itself";
  if (sending?.state === "paused") return "Paused";
  return isWhole ? "Everything has arrived" : sending ? "Stopped" : "Not sent from this page";
}

/** What can be done next: pause, go on, choose the files again, publish, cancel. */
function Ways(props: { upload: Upload; sending: Sending | undefined; isWhole: boolean }) {
  const { upload, sending, isWhole } = props;
  const { id, version } = upload;
  const queries = useQueryClient();
  const onChange = () => void queries.invalidateQueries({ queryKey: uploadsQuery.queryKey });
  const [checked, setChecked] = useState(0);
  const resume = useMutation({
    mutationKey: ["desk", "resume"],
    mutationFn: (chosen: File[]) => filesFor(upload, chosen, setChecked),
    onSuccess: (files) => startSending(upload, { files, reason: null, onChange }),
  });
  const isUnderWay = sending?.state === "sending" || sending?.state === "waiting";
  const needsFiles = !isWhole && (!sending || sending.state === "stopped");
  const operations = [...(isWhole && !isUnderWay ? [publish(upload)] : []), cancel(upload)];
  return (
    <>
      <FormAlert problem={resume.error} />
      {resume.isPending && (
        <ProgressBar
          label="Comparing the files"
          done={checked}
          of={upload.files.reduce((sum, { size }) => sum + size, 0)}
        />
      )}
      <div className="flex flex-wrap gap-2">
        {isUnderWay && (
          <Button variant="outline" size="sm" aria-label={`Pause ${version}`} onClick={() => pause(id)}>
            <Pause aria-hidden="true" />
            Pause
          </Button>
        )}
        {(sending?.state === "paused" || (sending?.state === "stopped" && !isWhole)) && (
          <Button variant="outline" size="sm" aria-label={`Go on with ${version}`} onClick={() => goOn(id)}>
            <Play aria-hidden="true" />
            Go on
          </Button>
        )}
        {needsFiles && !resume.isPending && (
          <ChooseButton
            words="Choose the same files"
            label={`Files of ${version}`}
            onChoose={(chosen) => chosen.length > 0 && resume.mutate(chosen)}
          />
        )}
        <RowOperations operations={operations} about={version} />
      </div>
    </>
  );
}

const publish = ({ id, version, rollout, channel }: Upload): Operation =>
  deskOperation(finishUpload, {
    id,
    name: "Publish",
    icon: Rocket,
    consequence: () =>
      `Offers ${version} to ${rollout === 100 ? "every device" : `${rollout} % of the devices`} on ${channelNames[channel]}.`,
    done: () => `${version} is being published`,
  });

const cancel = ({ id, version }: Upload): Operation => {
  const operation = deskOperation(cancelUpload, {
    id,
    name: "Cancel upload",
    icon: Trash2,
    grave: true,
    consequence: () => `Forgets what was sent of ${version}. Nothing is published.`,
    done: () => `The upload of ${version} is over`,
  });
  return {
    ...operation,
    run(typed, reason) {
      pause(id);
      return operation.run(typed, reason);
    },
  };
};

/**
 * How many bytes of each file of an upload have arrived. `missing` is what this page has not sent yet: it knows its own
 * parts sooner than the shop's last answer, and the answer may tell of parts that another page sent.
 */
function arrivedOf(upload: Upload, missing?: ReadonlyMap<number, number>) {
  const files = upload.files.map(({ file, name, size, missing: parts }) => {
    const lacking = Math.min(missing?.get(file) ?? parts.length, parts.length);
    // the last part may be smaller
    return { file, name, size, arrived: Math.max(0, size - lacking * upload.part_bytes) };
  });
  const sum = (of: (file: (typeof files)[number]) => number) =>
    files.reduce((total, file) => total + of(file), 0);
  const [bytes, arrived] = [sum(({ size }) => size), sum((file) => file.arrived)];
  return { files, bytes, arrived, isWhole: arrived === bytes };
}
