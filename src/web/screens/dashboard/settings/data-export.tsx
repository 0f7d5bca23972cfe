import { Download } from "lucide-react";
import { useExport } from "../../../api/account";
import { toastFailure } from "../../../parts/account/toasts";
import { PatientButton } from "../../../parts/patient-button";
import { saveFile } from "../../../parts/save-file";
import { TitledCard } from "../../../parts/titled-card";

/** Downloads everything stored about the account. */
export function DataExport({ username }: { username: string }) {
  const taking = useExport();
  return (
    <TitledCard
      title="Your data"
      description="Download everything we store about you as a JSON file."
      className="sm:flex-row sm:items-center sm:justify-between"
    >
      <PatientButton
        variant="outline"
        call={taking}
        doing="Collecting…"
        onClick={() =>
          taking.mutate(undefined, {
            onSuccess: (data) =>
              saveFile(`account-${username}.json`, "application/json", JSON.stringify(data, null, 2)),
            onError: (problem) => toastFailure(problem),
          })
        }
      >
        <Download aria-hidden="true" />
        Download
      </PatientButton>
    </TitledCard>
  );
}
