import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import type { BulkAction } from "@/contract/vocabulary/kinds";
import type { JobPreview } from "@/contract/wire/desk/jobs";
import { NotConfirmed } from "../../../api/desk/call";
import { type BulkChoice, type BulkOrder, previewBulk, startBulk } from "../../../api/desk/jobs";
import { Refused } from "../../../api/client";
import { useFilledForm } from "../../../hooks/use-filled-form";
import { Field } from "../../../parts/field";
import { FormAlert } from "../../../parts/form-alert";
import { PatientButton } from "../../../parts/patient-button";
import { Button } from "../../../ui/button";
import { DialogFooter } from "../../../ui/dialog";
import { counted } from "../parts/format";
import { failureText } from "../operation/operation-dialog";
import { bulkWords } from "./bulk-words";
import { TitledDialog } from "../../../parts/titled-dialog";

/** Asks for the reason, shows how many licences it is about and the first of them, and only then starts the job. */
export function BulkDialog(props: { action: BulkAction; choice: BulkChoice; onClose: () => void }) {
  const { action, choice, onClose } = props;
  const { verb, does } = bulkWords[action];
  const navigate = useNavigate();
  const [order, setOrder] = useState<BulkOrder>();
  const preview = useMutation({ mutationKey: ["desk", "bulk"], mutationFn: previewBulk });
  const start = useMutation({
    mutationKey: ["desk", "bulk"],
    mutationFn: startBulk,
    onSuccess: ({ job }) => void navigate(`/desk/jobs/${job}`),
  });
  const failed = [preview.error, start.error].find((one) => one && !(one instanceof NotConfirmed)) ?? null;
  const takesDays = action === "extend";
  const { form, wrong, alert } = useFilledForm(
    takesDays ? ["days", "reason"] : ["reason"],
    (typed: { days?: string; reason: string }) => {
      const next = {
        ...choice,
        action,
        reason: typed.reason,
        ...(takesDays && { days: Number(typed.days) }),
      };
      setOrder(next);
      preview.mutate(next);
    },
    { problem: failed instanceof Refused ? failed : failed && { message: failed.message } },
  );
  const seen = preview.data;
  return (
    <TitledDialog
      onOpenChange={(open) => open || start.isPending || onClose()}
      title={`${verb} licenses`}
      description={
        seen
          ? `This ${does}. It affects ${counted(seen.total, "license")}.`
          : `This ${does}. The next step shows how many licenses it affects.`
      }
    >
      {seen && order ? (
        <>
          <FormAlert problem={failed && { message: failureText(failed) }} />
          <Sample preview={seen} />
          <DialogFooter>
            <Button
              variant="outline"
              onClick={() => {
                preview.reset();
                start.reset();
              }}
            >
              Back
            </Button>
            <PatientButton
              variant={action === "revoke" || action === "suspend" ? "destructive" : "default"}
              call={start}
              doing="Starting…"
              disabled={seen.total === 0}
              onClick={() => start.isPending || start.mutate(order)}
            >
              {verb} {counted(seen.total, "license")}
            </PatientButton>
          </DialogFooter>
        </>
      ) : (
        <form className="flex flex-col gap-5" aria-label={`${verb} licenses`} {...form}>
          <FormAlert problem={alert} />
          {takesDays && (
            <Field
              label="Days"
              name="days"
              type="number"
              min={1}
              defaultValue={order?.days ?? 30}
              wrong={wrong("days")}
            />
          )}
          <Field
            label="Reason"
            name="reason"
            defaultValue={order?.reason}
            hint="Saved in the audit log. 3 to 300 characters."
            autoComplete="off"
            wrong={wrong("reason")}
          />
          <PatientButton type="submit" call={preview} doing="Counting…">
            Preview
          </PatientButton>
        </form>
      )}
    </TitledDialog>
  );
}

function Sample({ preview }: { preview: JobPreview }) {
  const { total, sample } = preview;
  return (
    <ul aria-label="First licenses" className="rounded-md border bg-well p-3 font-mono text-xs leading-6">
      {sample.map(({ id, key }) => (
        <li key={id}>{key}</li>
      ))}
      {total > sample.length && (
        <li className="font-sans">and {(total - sample.length).toLocaleString("en-US")} more</li>
      )}
    </ul>
  );
}
