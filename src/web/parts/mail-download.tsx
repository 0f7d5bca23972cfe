import type { ComponentProps } from "react";
import type { PaidPlatform } from "@/contract/vocabulary/builds";
import type { Me } from "@/contract/wire/accounts";
import { useMailDownload } from "../api/releases";
import type { Button } from "../ui/button";
import { CopyTextButton } from "./copy-text-button";
import { reachOf } from "./own-system";
import { PatientButton } from "./patient-button";
import { downloadPage } from "./wanted-file";

type Props = Pick<ComponentProps<typeof Button>, "variant"> & { file?: PaidPlatform | null };

/** Has the shop mail the link to the download, for the customer's computer; copies it where the shop can't. */
export function MailDownload({ user, file = null, variant }: Props & { user: Me }) {
  if (reachOf(user) !== "link") return <MailButton file={file} variant={variant} />;
  const link = `${location.origin}${downloadPage(file)}`;
  return <CopyTextButton variant={variant} text={link} label="Copy the download link" />;
}

function MailButton({ file, variant }: Props) {
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
