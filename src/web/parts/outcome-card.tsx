import { Ban, CircleAlert, CircleCheck, CircleHelp, Hourglass, RefreshCw } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "../lib/utils";
import { Button } from "../ui/button";
import { Card } from "../ui/card";
import { Skeleton } from "../ui/skeleton";
import { Spinner } from "./spinner";

const good = [CircleCheck, "text-success bg-success/10 ring-success/30"] as const;
const bad = [CircleAlert, "text-destructive bg-destructive/10 ring-destructive/30"] as const;
const banned = [Ban, "text-destructive bg-destructive/10 ring-destructive/30"] as const;

const icons = {
  verified: good,
  success: good,
  failed: bad,
  refused: bad,
  pending: [Hourglass, "text-warning bg-warning/10 ring-warning/30"],
  disputed: banned,
  denied: banned,
  unknown: [CircleHelp, "text-info bg-info/10 ring-info/30"],
} as const;

/** An outcome as an icon, a title and a sentence, with a refresh button. */
export function OutcomeCard(props: {
  label: string;
  outcome: keyof typeof icons;
  title: string;
  text: string;
  refreshing?: boolean;
  onRefresh: () => void;
  className?: string;
  children: ReactNode;
}) {
  const { outcome, title, text, refreshing = false } = props;
  const [Icon, colours] = icons[outcome];
  return (
    <Card className={cn("relative", props.className)} aria-label={props.label} aria-busy={refreshing}>
      <Button
        variant="ghost"
        size="icon"
        aria-label="Refresh status"
        className="absolute top-3 right-3 text-muted-foreground"
        disabled={refreshing}
        onClick={props.onRefresh}
      >
        <RefreshCw className={cn(refreshing && "animate-spin")} />
      </Button>
      {/* Tall enough for either state, so that a refresh shifts nothing. */}
      <output className="flex min-h-40 flex-col items-center gap-4 px-6 pt-4 text-center">
        {refreshing ? (
          <HeadSkeleton />
        ) : (
          <>
            <span
              data-outcome={outcome}
              className={cn("grid size-16 place-content-center rounded-full ring-1 ring-inset", colours)}
            >
              <Icon aria-hidden="true" className="size-8" />
            </span>
            <div className="flex flex-col gap-2">
              <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
              <p className="mx-auto max-w-md text-sm text-balance text-muted-foreground">{text}</p>
            </div>
          </>
        )}
      </output>
      {props.children}
    </Card>
  );
}

function HeadSkeleton() {
  return (
    <>
      <h1 className="sr-only">Refreshing…</h1>
      <Skeleton className="size-16 rounded-full" />
      <Skeleton className="h-8 w-56" />
      <Skeleton className="h-4 w-72 max-w-full" />
    </>
  );
}

/** Shown until the outcome is known. */
export function Verifying({ label, children }: { label: string; children: string }) {
  return (
    <Card className="min-h-96 items-center justify-center text-center" aria-label={label} aria-busy="true">
      <Spinner className="size-10 text-link" />
      <h1 className="text-lg font-medium">
        <output>{children}</output>
      </h1>
    </Card>
  );
}
