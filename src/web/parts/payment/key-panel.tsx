import { Skeleton } from "../../ui/skeleton";
import { CopyButton } from "../copy-button";

/** The key that was bought, large, first of the payment's facts. */
export function KeyPanel({ licenceKey, loading }: { licenceKey: string; loading: boolean }) {
  return (
    <div className="flex flex-col gap-3 rounded-lg border border-ring/40 bg-primary/10 p-4 sm:flex-row sm:items-center sm:justify-between">
      <dl className="min-w-0">
        <dt className="text-xs text-muted-foreground">License Key</dt>
        <dd className="mt-1 flex min-h-7 items-center font-mono text-base font-semibold break-all sm:text-xl">
          {loading ? <Skeleton className="h-5 w-60 max-w-full" /> : licenceKey}
        </dd>
      </dl>
      <CopyButton words="Copy" text={licenceKey} label="Copy license key" className="max-sm:w-full" />
    </div>
  );
}
