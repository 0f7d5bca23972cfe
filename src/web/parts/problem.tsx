import { Hourglass, RotateCw, ServerOff, WifiOff } from "lucide-react";
import { isRateLimited, Refused, Unreachable } from "../api/client";
import { PatientButton } from "./patient-button";

/** Shown instead of content that failed to load: the reason and a retry button. */
export function Problem({ problem, retry }: { problem: Error; retry: () => void }) {
  const Icon = isRateLimited(problem) ? Hourglass : problem instanceof Unreachable ? WifiOff : ServerOff;
  return (
    <div role="alert" className="flex flex-col items-center gap-4 px-4 py-10 text-center">
      <span className="grid size-12 place-content-center rounded-full bg-secondary text-muted-foreground">
        <Icon aria-hidden="true" className="size-5" />
      </span>
      <p className="max-w-sm text-sm text-balance text-muted-foreground">{problem.message}</p>
      {/* what isn't there won't be there next time */}
      {!(problem instanceof Refused && problem.status === 404) && (
        <PatientButton variant="outline" pending={false} doing="" problem={problem} onClick={retry}>
          <RotateCw aria-hidden="true" />
          Try again
        </PatientButton>
      )}
    </div>
  );
}
