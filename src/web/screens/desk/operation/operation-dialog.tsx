import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import type { Declaration } from "@/contract/operations/operation";
import { reasonField } from "@/contract/vocabulary/fields";
import { NotConfirmed } from "../../../api/desk/call";
import { refreshDesk } from "../../../api/desk/lists";
import { useFilledForm } from "../../../hooks/use-filled-form";
import { Refused, Unreachable } from "../../../api/client";
import { FormAlert } from "../../../parts/form-alert";
import { notify } from "../../../page/notices";
import { PatientButton } from "../../../parts/patient-button";
import { Button } from "../../../ui/button";
import { DialogClose, DialogFooter } from "../../../ui/dialog";
import { formField, type Operation, type OperationField, type FieldTexts } from "./operation";
import { OperationInput } from "./operation-input";
import { TitledDialog } from "../../../parts/titled-dialog";

/** The field for a reason, if the operation takes one. */
function reasonFields(asks: Declaration["reason"]): OperationField[] {
  if (asks === undefined) return [];
  const field = formField("reason", reasonField);
  return [asks === "optional" ? { ...field, optional: true, hint: `Optional. ${field.hint}` } : field];
}

/** Says what an operation does, asks for its fields, runs it, and shows the result. */
export function OperationDialog<Answer>(props: { operation: Operation<Answer>; onClose: () => void }) {
  const { operation, onClose } = props;
  const fields = [...operation.fields, ...reasonFields(operation.declared.reason)];
  const [typed, setTyped] = useState<FieldTexts>(
    Object.fromEntries(fields.map(({ name, initial = "" }) => [name, initial])),
  );
  const queries = useQueryClient();
  const run = useMutation({
    mutationKey: ["desk", "operation"],
    // the answer may hold a secret
    gcTime: 0,
    mutationFn: ({ reason = "", ...rest }: FieldTexts) => operation.run(rest, reason),
    onSuccess(answer) {
      notify("success", operation.done(answer), "account");
      void refreshDesk(queries);
      if (!operation.result) onClose();
    },
    onError(problem) {
      // the call may have arrived, and only its answer been lost
      if (problem instanceof Unreachable) void refreshDesk(queries);
    },
  });
  const problem = run.error instanceof NotConfirmed ? null : run.error;
  const names = fields.map(({ name }) => name);
  const { form, wrong, alert } = useFilledForm(names, (all) => run.isPending || run.mutate(all), {
    problem: problem instanceof Refused ? problem : problem && { message: failureText(problem) },
    optional: fields.filter(({ optional }) => optional).map(({ name }) => name),
    check: (all) =>
      Object.fromEntries(
        fields.flatMap(({ name, check, optional }) => {
          const text = all[name] ?? "";
          const mistake = text === "" && optional ? undefined : check?.(text, all);
          return mistake === undefined ? [] : [[name, mistake]];
        }),
      ),
  });
  const onInput = (event: SyntheticEvent<HTMLFormElement>) => {
    form.onInput(event);
    const now = new FormData(event.currentTarget);
    setTyped(Object.fromEntries(names.map((name) => [name, textIn(now, name)])));
  };
  const isShown = run.isSuccess && operation.result !== undefined;
  return (
    <TitledDialog
      onOpenChange={(open) => open || run.isPending || onClose()}
      // a click outside must not close what is shown only once
      closable={!isShown}
      title={operation.name}
      description={<span className="text-soft wrap-anywhere">{operation.consequence(typed)}</span>}
    >
      {isShown ? (
        <>
          {operation.result?.(run.data)}
          <DialogFooter>
            <Button onClick={onClose}>Done</Button>
          </DialogFooter>
        </>
      ) : (
        <form className="flex flex-col gap-5" aria-label={operation.name} {...form} onInput={onInput}>
          <FormAlert problem={alert} />
          {fields.map((field) => (
            <OperationInput key={field.name} field={field} wrong={wrong(field.name)} />
          ))}
          {operation.preview && (
            <section aria-label="Preview" className="rounded-md border bg-well p-4">
              {operation.preview(typed)}
            </section>
          )}
          <DialogFooter className="bg-popover sm:sticky sm:-bottom-6 sm:-mx-6 sm:-mb-6 sm:px-6 sm:pt-3 sm:pb-6">
            <DialogClose asChild>
              <Button type="button" variant="outline">
                Cancel
              </Button>
            </DialogClose>
            <PatientButton
              type="submit"
              variant={operation.grave ? "destructive" : "default"}
              pending={run.isPending}
              doing="Working…"
              problem={problem}
            >
              {operation.name}
            </PatientButton>
          </DialogFooter>
        </form>
      )}
    </TitledDialog>
  );
}

/** Without an answer nobody knows whether the operation ran, and sending it again could run it twice. */
export const failureText = (problem: Error): string =>
  problem instanceof Unreachable
    ? `${problem.message}. This may have gone through. Check before you try again.`
    : problem.message;

/** The trimmed text of a field; no field takes a file. */
function textIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
}
