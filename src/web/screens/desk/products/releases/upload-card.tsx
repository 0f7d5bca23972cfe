import { Rocket, Trash2 } from "lucide-react";
import { cancelUpload, finishUpload } from "@/contract/operations/uploads";
import type { Upload } from "@/contract/wire/desk/releases";
import { FormAlert } from "../../../../parts/form-alert";
import { Card, CardTitle } from "../../../../ui/card";
import { writeSize } from "../../../../parts/build-files";
import { deskOperation, type Operation } from "../../operation/operation";
import { RowOperations } from "../../operation/row-operations";
import { ProgressBar } from "../../parts/progress-bar";
import { When } from "../../parts/when";
import { channelNames } from "./channel-names";
import { type SendState, useSending } from "./send-builds";

/** An upload's progress and next step. */
export function UploadCard({ upload }: { upload: Upload }) {
  const { state, version, received, files, stored, refusal } = upload;
  const sending = useSending(upload.id);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const isOpen = state === "sending" || state === "refused";
  const isUnderWay = sending?.isOver === false;
  const isWhole = received === bytes;
  return (
    <Card aria-label={`Upload of ${version}`} className="gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-3">
        <CardTitle className="wrap-anywhere">
          {version}{" "}
          <span className="font-normal text-muted-foreground">({channelNames[upload.channel]})</span>
        </CardTitle>
        <output className="text-sm text-muted-foreground">{uploadState(upload, sending, isWhole)}</output>
      </div>
      <FormAlert problem={refusal && { message: refusal.sentence }} />
      <FormAlert problem={isOpen ? (sending?.problem ?? null) : null} />
      {state === "publishing" && stored ? (
        <ProgressBar label="Published" done={stored.bytes} of={stored.of} />
      ) : (
        <>
          <ProgressBar label="Uploaded" done={received} of={bytes} />
          <p className="text-sm tabular-nums">
            {writeSize(received)} of {writeSize(bytes)}
          </p>
        </>
      )}
      {isOpen && (
        <RowOperations
          operations={[...(isWhole && !isUnderWay ? [publish(upload)] : []), cancel(upload)]}
          about={version}
        />
      )}
      {isOpen && (
        <p className="text-xs text-muted-foreground">
          {isUnderWay ? (
            <span>Keep this page open until the upload finishes. If you leave, you have to start over.</span>
          ) : (
            <span>
              Canceled <When at={upload.expires_at} /> unless the upload continues.
            </span>
          )}
        </p>
      )}
    </Card>
  );
}

function uploadState({ state }: Upload, sending: SendState | undefined, isWhole: boolean): string {
  if (state === "publishing") return "Storing";
  if (state === "refused") return "Refused";
  if (sending?.isOver === false) return sending.problem ? "Waiting, continues automatically" : "Sending";
  return isWhole ? "Upload complete" : sending ? "Stopped" : "Not uploading from this page";
}

const publish = ({ id, version, rollout, channel }: Upload): Operation =>
  deskOperation(finishUpload, {
    id,
    name: "Publish",
    icon: Rocket,
    consequence: () =>
      `Offers ${version} to ${rollout === 100 ? "every computer" : `${rollout}% of computers`} on ${channelNames[channel]}.`,
    done: () => `${version} is being published`,
  });

const cancel = ({ id, version }: Upload): Operation =>
  deskOperation(cancelUpload, {
    id,
    name: "Cancel upload",
    icon: Trash2,
    grave: true,
    consequence: () => `Deletes what was uploaded of ${version}. Nothing is published.`,
    done: () => `Upload of ${version} canceled`,
  });
