import { useState } from "react";
import { useOfflineFile } from "../../../api/devices";
import { useSession } from "../../../api/session";
import { ProveDialog } from "../../../parts/account/prove-dialog";
import { LicenceNeeded } from "../../../parts/devices/licence-needed";
import { MakeRoom } from "../../../parts/devices/make-room";
import { isFull, needsLicence } from "../../../parts/devices/refused";
import { PageHeading } from "../../../parts/page-heading";
import { saveFile } from "../../../parts/save-file";
import { TitledCard } from "../../../parts/titled-card";
import { FileMade } from "./file-made";
import { RequestForm } from "./request-form";
import type { OfflineRequest } from "./request-in";

/** A license file for a computer that never goes online. */
export function Offline() {
  const session = useSession();
  const file = useOfflineFile();
  const [asked, setAsked] = useState<OfflineRequest>();
  const [made, setMade] = useState<{ label: string; text: string }>();
  if (session.state !== "signed-in") return null;
  const send = (request: OfflineRequest) => {
    setAsked(request);
    file.mutate(request.text, {
      onSuccess: (text) => {
        setMade({ label: request.label, text });
        save(text);
      },
    });
  };
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-6">
      <PageHeading title="Offline license">For a computer that never goes online.</PageHeading>
      <TitledCard title="License file" description="The application reads it instead of going online.">
        {made ? (
          <FileMade
            {...made}
            onSave={() => save(made.text)}
            onAgain={() => {
              file.reset();
              setMade(undefined);
            }}
          />
        ) : !session.user.active_license || needsLicence(file.error) ? (
          <LicenceNeeded>A license file needs an active license, and your account has none.</LicenceNeeded>
        ) : (
          <>
            {isFull(file.error) && <MakeRoom user={session.user} onRoom={file.reset} />}
            <RequestForm user={session.user} file={file} onSend={send} />
            <ProveDialog
              user={session.user}
              doing="Making a license file"
              problem={file.error}
              onProved={() => asked && send(asked)}
              onClose={file.reset}
            />
          </>
        )}
      </TitledCard>
    </div>
  );
}

const save = (text: string) => saveFile("license.lic", "text/plain", text);
