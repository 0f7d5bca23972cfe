import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { type ImportedThing, importedThings } from "@/contract/vocabulary/import-files";
import type { ImportFile } from "@/contract/wire/desk/imports";
import { NotConfirmed } from "../../../api/desk/call";
import { type ImportOrder, previewImport, sendImportFile, startImport } from "../../../api/desk/jobs";
import { Refused } from "../../../api/client";
import { useFilledForm } from "../../../hooks/use-filled-form";
import { Field, FieldNote } from "../../../parts/field";
import { FormAlert } from "../../../parts/form-alert";
import { PatientButton } from "../../../parts/patient-button";
import { Button } from "../../../ui/button";
import { Card, CardTitle } from "../../../ui/card";
import { Label } from "../../../ui/label";
import { NativeSelect } from "../../../ui/native-select";
import { RecentJobs } from "../bulk/recent-jobs-list";
import { failureText } from "../operation/operation-dialog";
import { Check } from "../parts/check";
import { counted } from "../parts/format";
import { ChooseButton } from "../products/releases/choose-button";
import { Levels, Preview } from "./import-preview";

const things: Record<ImportedThing, string> = { keys: "Keys", customers: "Customers" };

/** Imports what another shop sold: a file, its columns, what would become of its lines, and only then the job. */
export function Import() {
  const [search] = useSearchParams();
  const [what, setWhat] = useState<ImportedThing>(search.get("what") === "customers" ? "customers" : "keys");
  const send = useMutation({ mutationKey: ["desk", "import", "file"], mutationFn: sendImportFile });
  const id = useId();
  return (
    <section aria-label="Import" className="flex max-w-2xl flex-col gap-5">
      <div>
        <h2 className="text-lg font-semibold">Import from another shop</h2>
        <p className="text-sm text-muted-foreground">
          Keys that another shop sold, which customers redeem as usual, or its customers, who get in with
          “Forgot password?” and their email. Nothing is emailed.
        </p>
      </div>
      <Card className="gap-5">
        <div className="flex flex-col gap-2">
          <Label htmlFor={id}>What the file has</Label>
          <NativeSelect
            id={id}
            className="md:h-10"
            choices={importedThings.map((thing) => [thing, things[thing]])}
            value={what}
            onChange={({ target }) => {
              setWhat(target.value === "customers" ? "customers" : "keys");
              send.reset();
            }}
          />
        </div>
        <div className="flex flex-col items-start gap-2">
          <ChooseButton
            one
            words={send.isPending ? "Reading…" : "Choose a file"}
            label="File"
            onChoose={([file]) => file && !send.isPending && send.mutate({ what, file })}
          />
          <p className="text-xs leading-5 text-muted-foreground">
            CSV with commas, semicolons or tabs, or JSON, in UTF-8 or UTF-16. The first line of a CSV file
            names its columns. At most 2 MB and 10,000 lines.
          </p>
        </div>
        <FormAlert problem={send.error} />
      </Card>
      {send.data && (
        // another file begins anew
        <Sent key={send.data.id} file={send.data} name={send.variables?.file.name ?? ""} />
      )}
      <RecentJobs />
    </section>
  );
}

function Sent({ file, name }: { file: ImportFile; name: string }) {
  const navigate = useNavigate();
  const [order, setOrder] = useState<ImportOrder>();
  const preview = useMutation({ mutationKey: ["desk", "import"], mutationFn: previewImport });
  const start = useMutation({
    mutationKey: ["desk", "import"],
    mutationFn: startImport,
    onSuccess: ({ job }) => void navigate(`/desk/jobs/${job}`),
  });
  const seen = preview.data;
  const failed = start.error instanceof NotConfirmed ? null : start.error;
  const imported = seen ? seen.lines.new + seen.lines.changed : 0;
  const many = file.what === "keys" ? counted(imported, "key") : counted(imported, "customer");
  return (
    <Card aria-label="File" className="gap-5">
      <div>
        <CardTitle className="wrap-anywhere">{name}</CardTitle>
        <p className="text-sm text-muted-foreground">{`${file.format}, ${counted(file.lines, "line")}`}</p>
      </div>
      {/* stays, so that Back finds what was chosen */}
      <div hidden={seen !== undefined}>
        <Columns
          file={file}
          problem={preview.error}
          pending={preview.isPending}
          ask={(next) => {
            setOrder(next);
            preview.mutate(next);
          }}
        />
      </div>
      {seen && order && (
        <>
          <Levels
            seen={seen}
            pending={preview.isPending}
            ask={(levels) => {
              const next = { ...order, levels: { ...order.levels, ...levels } };
              setOrder(next);
              preview.mutate(next);
            }}
          />
          <Preview seen={seen} />
          <FormAlert problem={failed && { message: failureText(failed) }} />
          <div className="flex flex-wrap gap-3">
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
              pending={start.isPending}
              doing="Starting…"
              problem={failed}
              disabled={imported === 0}
              onClick={() => start.isPending || start.mutate(order)}
            >
              {`Import ${many}`}
            </PatientButton>
          </div>
        </>
      )}
    </Card>
  );
}

const fieldNames: Readonly<Record<string, string>> = {
  username: "User name",
  email: "Email",
  key: "Key",
  level: "Level",
  days: "Days",
  expires: "End date",
  devices: "Computers",
  discord_id: "Discord id",
  timezone: "Time zone",
};

type ColumnsProps = {
  file: ImportFile;
  problem: Error | null;
  pending: boolean;
  ask: (order: ImportOrder) => void;
};

function Columns({ file, problem, pending, ask }: ColumnsProps) {
  const [linkAnyway, setLinkAnyway] = useState(false);
  const [unconfirmed, setUnconfirmed] = useState(false);
  const names = file.fields.map((field) => field.name);
  const { form, wrong, alert } = useFilledForm(
    [...names, "reason"],
    ({ reason = "", ...columns }: Record<string, string>) =>
      pending || ask({ id: file.id, columns, link_anyway: linkAnyway, unconfirmed, reason }),
    {
      problem: problem instanceof Refused ? problem : problem && { message: problem.message },
      optional: file.fields.filter(({ required }) => !required).map((field) => field.name),
    },
  );
  return (
    <form className="flex flex-col gap-5" aria-label="Columns" {...form}>
      <FormAlert problem={alert} />
      <div className="grid gap-x-4 gap-y-5 sm:grid-cols-2">
        {file.fields.map((field) => (
          <Column key={field.name} field={field} of={file.columns} wrong={wrong(field.name)} />
        ))}
      </div>
      {file.what === "customers" && (
        <div className="flex flex-col gap-1">
          <Check checked={linkAnyway} onChange={setLinkAnyway}>
            Link Discord ids that a program may have rounded
          </Check>
          <Check checked={unconfirmed} onChange={setUnconfirmed}>
            Nobody has proven that these mailboxes are the customers’ own
          </Check>
        </div>
      )}
      <Field
        label="Reason"
        name="reason"
        autoComplete="off"
        hint="Saved in the audit log. 3 to 300 characters."
        wrong={wrong("reason")}
      />
      <PatientButton
        type="submit"
        className="self-start"
        pending={pending}
        doing="Checking the file…"
        problem={problem}
      >
        Preview
      </PatientButton>
    </form>
  );
}

type ColumnProps = {
  field: ImportFile["fields"][number];
  of: readonly string[];
  wrong: string | true | undefined;
};

function Column({ field: { name, required, column }, of, wrong }: ColumnProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-2">
      <Label htmlFor={id}>{fieldNames[name] ?? name}</Label>
      <NativeSelect
        id={id}
        name={name}
        className="md:h-10"
        defaultValue={column ?? ""}
        choices={[
          ["", required ? "Choose a column" : "Not in the file"],
          ...of.map((one) => [one, one] as const),
        ]}
        aria-required={required}
        aria-invalid={wrong ? true : undefined}
        aria-describedby={wrong ? `${id}-wrong` : undefined}
      />
      <FieldNote id={id} message={wrong && "Choose the column that has it"} />
    </div>
  );
}
