import { useInfiniteQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { brand } from "@/brand/brand";
import { token } from "@/brand/token";
import { licenceEnd } from "@/contract/vocabulary/licence-end";
import type { Me } from "@/contract/wire/accounts";
import type { Licence } from "@/contract/wire/licences";
import { licencesQuery } from "../../api/licences";
import { cn } from "../../lib/utils";
import { CopyToken } from "../../parts/account/copy-token";
import { systemNames } from "../../parts/build-files";
import { DownloadButton } from "../../parts/licence/download-button";
import { MailDownload } from "../../parts/mail-download";
import { formatDay } from "../../parts/format-time";
import { ownSystem } from "../../parts/own-system";
import { Skeleton } from "../../ui/skeleton";

type Props = {
  /** The signed-in account, or null. */
  user: Me | null;
  /** The key that is on it already, or null. */
  addedKey: string | null;
  /** Whether the download is the page's primary action. */
  primary?: boolean;
};

/** From a payment to a running program. Steps that can be done now have their button. */
export function RunningSteps({ user, addedKey, primary = false }: Props) {
  const own = ownSystem();
  const where = own ? ` for ${systemNames[own]}` : " on your computer";
  const isAdded = user !== null && addedKey !== null;
  const variant = primary ? "default" : "outline";
  const begin = user ? `Add it to your account, ${user.username}` : "Create your account";
  return (
    <ol
      aria-label={`${token ? "Three" : "Two"} steps to ${brand.shortName}`}
      className="basis-full rounded-lg border bg-well px-4 py-1 text-sm"
    >
      <Step number={1} done={isAdded}>
        {isAdded ? <Added licenceKey={addedKey} /> : begin}
      </Step>
      <Step
        number={2}
        button={
          isAdded &&
          (own ? (
            <DownloadButton variant={variant} accountId={user.id} />
          ) : (
            <MailDownload variant={variant} user={user} />
          ))
        }
      >
        {isAdded && own ? `Install ${brand.shortName}` : `Download ${brand.shortName}${where}`}
      </Step>
      {token && (
        <Step number={3} button={isAdded && own && <CopyToken user={user}>Copy token</CopyToken>}>
          {token.step}
        </Step>
      )}
    </ol>
  );
}

/** Until when the license runs that was just added to the account. */
function Added({ licenceKey }: { licenceKey: string }) {
  const { data: licences, isPending } = useInfiniteQuery(licencesQuery);
  if (isPending) return <Skeleton className="h-4 w-64 max-w-full" />;
  return addedText(licences?.find(({ key }) => key === licenceKey));
}

function addedText(licence: Licence | undefined): string {
  const added = "Added to your account";
  if (licence?.status !== "active") return added;
  const { expiry_date: expires, renews_at: renews } = licence;
  const end = licenceEnd(expires, renews, new Date());
  if (end === null) return `${added}, yours for life`;
  return `${added}, ${renews === null ? "runs until" : "renews"} ${formatDay(end)}`;
}

type StepProps = { number: number; done?: boolean; button?: ReactNode; children: ReactNode };

function Step({ number, done = false, button, children }: StepProps) {
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-t py-1.5 first:border-t-0">
      <span
        aria-hidden="true"
        className={cn(
          "grid size-6 shrink-0 place-content-center rounded-full border text-xs font-semibold",
          done ? "border-success/40 bg-success/15 text-success" : "border-input text-soft",
        )}
      >
        {done ? <Check className="size-3.5" /> : <span>{number}</span>}
      </span>
      <span className="flex min-w-0 flex-1 basis-40 items-center">
        <span key={String(done)}>{children}</span>
        {done && <span className="sr-only"> (done)</span>}
      </span>
      {button && <div className="flex w-full max-w-full flex-col gap-2 sm:w-auto">{button}</div>}
    </li>
  );
}
