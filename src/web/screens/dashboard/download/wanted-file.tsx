import { Download, MonitorSmartphone } from "lucide-react";
import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { brand } from "@/brand/brand";
import { downloads, type PaidPlatform } from "@/contract/vocabulary/builds";
import type { Me } from "@/contract/wire/accounts";
import { MailDownload } from "../../../parts/mail-download";
import { fileIn, rememberedFile } from "../../../parts/wanted-file";
import { Button } from "../../../ui/button";
import { Card, CardTitle } from "../../../ui/card";
import { fileName, systemNames } from "../../../parts/build-files";
import { ownSystem } from "../../../parts/own-system";

/** The file that a visitor could not download before; on a phone, how to get the page onto a computer. */
export function WantedFile({ user }: { user: Me }) {
  const [file, forget] = useWanted();
  if (ownSystem() === undefined) return <ForComputer user={user} file={file} />;
  if (file === null) return null;
  const name = `${systemNames[downloads[file].system]} ${fileName(file)}`;
  return (
    <Card aria-label="Your download" className="sm:flex-row sm:items-center">
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <CardTitle>Continue your download</CardTitle>
        <p className="text-sm text-muted-foreground">{name}</p>
      </div>
      <div className="flex flex-col gap-3 sm:flex-row-reverse">
        <Button asChild>
          <a href={downloads[file].path} target="_blank" rel="noreferrer" onClick={forget}>
            <Download aria-hidden="true" />
            Download
            <span className="sr-only">{`${name} (opens in a new tab)`}</span>
          </a>
        </Button>
        <Button variant="outline" onClick={forget}>
          Not now
        </Button>
      </div>
    </Card>
  );
}

/** Phones can't run the application: the shop mails the page to the computer. */
function ForComputer({ user, file }: { user: Me; file: PaidPlatform | null }) {
  return (
    <Card aria-label="On your computer" className="border-ring/30 bg-primary/10">
      <div className="flex items-center gap-4">
        <MonitorSmartphone aria-hidden="true" className="size-6 shrink-0 text-link" />
        <p className="min-w-0 flex-1 font-medium text-balance">
          {`Open this page on your computer to install ${brand.shortName}.`}
        </p>
      </div>
      <MailDownload user={user} file={file} />
    </Card>
  );
}

/** The wanted file, moved from the URL into the tab, and a function that forgets it. */
function useWanted() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const named = fileIn(search);
  const [file, setFile] = useState(() => named ?? rememberedFile.recall());
  useEffect(() => {
    if (named === null) return;
    rememberedFile.remember(named);
    void navigate(pathname, { replace: true });
  }, [named, pathname, navigate]);
  const forget = () => {
    rememberedFile.forget();
    setFile(null);
  };
  return [file, forget] as const;
}
