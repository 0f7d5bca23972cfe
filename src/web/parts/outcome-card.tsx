import { Ban, CircleAlert, CircleCheck, CircleHelp, Hourglass, RefreshCw, RotateCcw } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "../lib/utils";
import { Button } from "../ui/button";
import { Card } from "../ui/card";
import { Skeleton } from "../ui/skeleton";
import { tones } from "../ui/tones";
import { Spinner } from "./spinner";

const good = [CircleCheck, "good"] as const;
const bad = [CircleAlert, "bad"] as const;
const banned = [Ban, "bad"] as const;

const icons = {
  verified: good,
  success: good,
  failed: bad,
  refused: bad,
  pending: [Hourglass, "warning"],
  disputed: banned,
  denied: banned,
  refunded: [RotateCcw, "neutral"],
  unknown: [CircleHelp, "info"],
} as const;

type KnownOutcome = {
  outcome: keyof typeof icons;
  title: string;
  /** What it is about. */
  about?: string | undefined;
  text: string;
  refreshing?: boolean;
  onRefresh: () => void;
};

/**
 * An outcome as an icon, a title and a sentence, with a refresh button; until it is known, `verifying` says what is
 * asked. One element holds both, because screen readers announce what changes in it, not what comes with it.
 */
export function OutcomeCard(props: {
  label: string;
  className?: string;
  verifying: string;
  known: KnownOutcome | null;
  /** Shown below what is known. */
  children: ReactNode;
}) {
  const { known } = props;
  const refreshing = known?.refreshing ?? false;
  return (
    <Card
      className={cn("relative", props.className, known === null && "min-h-96")}
      aria-label={props.label}
      aria-busy={known === null || refreshing}
    >
      <RefreshButton refreshing={known === null || refreshing} onRefresh={() => known?.onRefresh()} />
      {/* Laid out alike and tall enough in each state, so that no change shifts anything. */}
      <output className="flex min-h-40 flex-col items-center gap-4 px-6 pt-4 text-center">
        <Picture known={known} />
        {/* one heading for all states, because it has the focus after a navigation */}
        <h1 className={cn("text-2xl font-semibold tracking-tight", refreshing && "sr-only")}>
          {refreshing ? "Refreshing…" : (known?.title ?? props.verifying)}
        </h1>
        {refreshing && <Skeleton className="h-8 w-56" />}
        {known?.about && (
          <p className={cn("-mt-2 font-medium wrap-anywhere", refreshing && "invisible")}>{known.about}</p>
        )}
        {known && (
          <p
            aria-hidden={refreshing}
            className={cn(
              "-mt-2 max-w-md text-sm text-balance text-muted-foreground",
              // keeps its lines, whose number varies
              refreshing && "animate-pulse rounded-md bg-muted text-transparent select-none",
            )}
          >
            {known.text}
          </p>
        )}
      </output>
      {known && props.children}
    </Card>
  );
}

/** Keeps the focus while it refreshes, which a disabled button would lose. */
function RefreshButton({ refreshing, onRefresh }: { refreshing: boolean; onRefresh: () => void }) {
  return (
    <Button
      variant="ghost"
      size="icon"
      aria-label="Refresh status"
      aria-disabled={refreshing}
      className="absolute top-3 right-3 text-muted-foreground"
      onClick={() => refreshing || onRefresh()}
    >
      <RefreshCw aria-hidden="true" className={cn(refreshing && "animate-spin")} />
    </Button>
  );
}

function Picture({ known }: { known: KnownOutcome | null }) {
  if (known === null) return <Spinner className="m-3 size-10 text-link" />;
  if (known.refreshing) return <Skeleton className="size-16 rounded-full" />;
  const [Icon, tone] = icons[known.outcome];
  return (
    <span
      data-outcome={known.outcome}
      className={cn("grid size-16 place-content-center rounded-full border", tones[tone])}
    >
      <Icon aria-hidden="true" className="size-8" />
    </span>
  );
}
