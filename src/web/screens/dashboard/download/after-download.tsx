import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { token } from "@/brand/token";
import type { Me } from "@/contract/wire/accounts";
import type { System } from "@/contract/vocabulary/builds";
import { CopyToken } from "../../../parts/account/copy-token";
import { TitledCard } from "../../../parts/titled-card";
import { openHints, warnings } from "./open-hints";

type Props = {
  user: Me;
  /** The visitor's system, if the release has files for it. */
  own: System | undefined;
  /** Those that the release has files for. */
  systems: readonly System[];
};

/** What to do with a downloaded file, and when the system warns about it. */
export function AfterDownload({ user, own, systems }: Props) {
  return (
    <TitledCard
      title="After the download"
      description={`${token ? "Three" : "Two"} steps to get it running.`}
    >
      <ol className="flex flex-col gap-5">
        <Step number={1} name="Open the file">
          {own ? openHints[own] : "Open it on your computer."}
        </Step>
        {token && (
          <Step
            number={2}
            name={token.step}
            aside={
              own && (
                <CopyToken user={user}>
                  Copy<span className="sr-only"> token</span>
                </CopyToken>
              )
            }
          >
            {`${token.how} Keep it private.`}
          </Step>
        )}
        <Step number={token ? 3 : 2} name="The first start attaches this computer" done={user.hwid_set}>
          {user.hwid_set
            ? "A computer is attached. To use another one, reset the hardware ID in Settings first."
            : "Your license then works on it. You can move it to another computer once every 30 days."}
        </Step>
      </ol>
      <details className="border-t pt-2 text-sm text-soft">
        <summary className="inline-flex min-h-11 cursor-pointer items-center text-link underline underline-offset-4">
          If your system warns you
        </summary>
        <p className="mt-1 max-w-prose">
          First compare the file&apos;s SHA-256 with the one on this page. If they differ, delete the file and
          download it again.
        </p>
        {warnings
          .filter(({ system }) => (own === undefined ? systems.includes(system) : system === own))
          .map(({ system, name, text }) => (
            <p key={system} className="mt-2 max-w-prose">
              <strong className="font-medium text-foreground">{name}:</strong> {text}
            </p>
          ))}
      </details>
    </TitledCard>
  );
}

type StepProps = { number: number; name: string; done?: boolean; aside?: ReactNode; children: ReactNode };

function Step({ number, name, done = false, aside, children }: StepProps) {
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2">
      <span className="grid size-7 shrink-0 place-content-center rounded-full bg-primary/12 text-sm font-semibold text-link">
        {done ? <Check aria-hidden="true" className="size-4" /> : number}
      </span>
      <div className="flex min-w-0 flex-1 basis-32 flex-col gap-0.5 pt-0.5">
        <h3 className="text-sm font-medium">
          <span>{name}</span>
          {done && <span className="sr-only"> (done)</span>}
        </h3>
        <p className="text-sm text-muted-foreground">{children}</p>
      </div>
      {aside}
    </li>
  );
}
