import { Check, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import type { Me } from "@/contract/wire/accounts";
import { CopyToken } from "../../../parts/account/copy-token";
import { noteStep, useNotedSteps } from "../../../parts/first-steps";
import { Button } from "../../../ui/button";
import { Card, CardTitle } from "../../../ui/card";
import { cn } from "../../../lib/utils";
import { DownloadButton } from "../../../parts/licence/download-button";

/** Three first steps, which are ticked automatically; hidden once all are done, or when closed. */
export function FirstStepsCard({ user }: { user: Me }) {
  const noted = useNotedSteps(user.id);
  // an attached computer has the application, and the token was typed into it
  const downloaded = user.hwid_set || noted.includes("download");
  const copied = user.hwid_set || noted.includes("token");
  const connected = user.discord_authed;
  // the last tick is seen before the card goes
  const [neededAtFirst] = useState(!(downloaded && copied && connected));
  if (!neededAtFirst || noted.includes("closed")) return null;
  return (
    <Card aria-label="First steps" className="relative gap-3">
      <CardTitle className="pr-10">Three steps to begin</CardTitle>
      <ol className="grid grid-cols-1 gap-x-8 lg:grid-cols-3">
        <Step done={downloaded} name="Download the application">
          <DownloadButton variant="outline" size="sm" accountId={user.id} />
        </Step>
        <Step done={copied} name="Copy your token into it">
          <CopyToken user={user}>Copy token</CopyToken>
        </Step>
        <Step done={connected} name="If you use Discord, connect it for your role">
          <Button asChild variant="outline" size="sm">
            <Link to="/dashboard/settings">Connect</Link>
          </Button>
        </Step>
      </ol>
      <Button
        variant="ghost"
        size="icon"
        aria-label="Close first steps"
        className="absolute top-2 right-2 text-muted-foreground"
        onClick={() => noteStep(user.id, "closed")}
      >
        <X />
      </Button>
    </Card>
  );
}

function Step({ done, name, children }: { done: boolean; name: string; children: ReactNode }) {
  return (
    <li
      data-done={done}
      className="flex min-h-14 flex-wrap items-center gap-3 border-t py-1.5 first:border-t-0 lg:border-t-0"
    >
      <span
        className={cn(
          "grid size-6 shrink-0 place-content-center rounded-full border",
          done ? "border-success/40 bg-success/15 text-success" : "border-input",
        )}
      >
        {done && <Check aria-hidden="true" className="size-3.5" />}
      </span>
      <span className={cn("min-w-0 flex-1 basis-20 text-sm", done && "text-muted-foreground")}>
        <span>{name}</span>
        {done && <span className="sr-only"> (done)</span>}
      </span>
      {!done && children}
    </li>
  );
}
