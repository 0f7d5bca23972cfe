import type { ComponentProps } from "react";
import type { PaidPlatform } from "@/contract/vocabulary/builds";
import { useMailDownload } from "../api/releases";
import type { Button } from "../ui/button";
import { PatientButton } from "./patient-button";

type Props = Pick<ComponentProps<typeof Button>, "variant"> & { file?: PaidPlatform | null };

/** Has the shop mail the link to the download, for the customer's computer. */
export function MailDownload({ file, variant }: Props) {
  const mail = useMailDownload();
  return (
    <>
      <PatientButton
        variant={mail.data ? "outline" : variant}
        call={mail}
        doing="Sending…"
        onClick={() => mail.mutate(file ?? undefined)}
      >
        {mail.data ? "Send it again" : "Email me the download link"}
      </PatientButton>
      <output className="min-w-0 text-sm wrap-break-word empty:sr-only">
        {mail.data && <span>{`Sent to ${mail.data.email}. Open it on your computer.`}</span>}
      </output>
      {mail.error && (
        <p role="alert" className="text-sm text-destructive-text">
          {mail.error.message}
        </p>
      )}
    </>
  );
}
