import { ChevronDown } from "lucide-react";
import { useId, useState } from "react";
import { useLocation } from "react-router";
import type { Me } from "@/contract/wire/accounts";
import { useOfflineFile } from "../../../../api/devices";
import { ProveDialog } from "../../../../parts/account/prove-dialog";
import { LicenceNeeded } from "../../../../parts/devices/licence-needed";
import { MakeRoom } from "../../../../parts/devices/make-room";
import { isFull, needsLicence } from "../../../../parts/devices/refused";
import { saveFile } from "../../../../parts/save-file";
import { cn } from "../../../../lib/utils";
import { Button } from "../../../../ui/button";
import { FileMade } from "./file-made";
import { RequestForm } from "./request-form";
import type { OfflineRequest } from "./request-in";

/** Sets up a computer that never goes online, with a license file; open at the hash `#offline`. */
export function OfflineComputer({ user }: { user: Me }) {
  const { hash } = useLocation();
  const [chosen, choose] = useState<boolean>();
  const isOpen = chosen ?? hash === "#offline";
  const content = useId();
  return (
    <section id="offline" aria-label="Offline computer" className="flex flex-col gap-5 border-t pt-5">
      <Button
        variant="outline"
        className="self-start"
        aria-expanded={isOpen}
        aria-controls={content}
        onClick={() => choose(!isOpen)}
      >
        Set up an offline computer
        <ChevronDown aria-hidden="true" className={cn("transition-transform", isOpen && "rotate-180")} />
      </Button>
      <div id={content} hidden={!isOpen}>
        {isOpen && <LicenseFile user={user} />}
      </div>
    </section>
  );
}

function LicenseFile({ user }: { user: Me }) {
  const file = useOfflineFile();
  const [asked, setAsked] = useState<OfflineRequest>();
  const [made, setMade] = useState<{ label: string; text: string }>();
  const send = (request: OfflineRequest) => {
    setAsked(request);
    file.mutate(request.text, {
      onSuccess: (text) => {
        setMade({ label: request.label, text });
        save(text);
      },
    });
  };
  if (made)
    return (
      <FileMade
        {...made}
        onSave={() => save(made.text)}
        onAgain={() => {
          file.reset();
          setMade(undefined);
        }}
      />
    );
  if (!user.active_license || needsLicence(file.error))
    return <LicenceNeeded>An offline computer needs an active license.</LicenceNeeded>;
  return (
    <div className="flex flex-col gap-5">
      {isFull(file.error) && <MakeRoom user={user} onRoom={file.reset} />}
      <RequestForm user={user} file={file} onSend={send} />
      <ProveDialog
        user={user}
        doing="Setting up an offline computer"
        problem={file.error}
        onProved={() => asked && send(asked)}
        onClose={file.reset}
      />
    </div>
  );
}

const save = (text: string) => saveFile("license.lic", "text/plain", text);
