import { Ban, CircleAlert, CircleCheck, CircleHelp, Hourglass } from "lucide-react";
import { cn } from "../../lib/utils";
import type { Outcome } from "./outcome";

const icons = {
  verified: [CircleCheck, "text-success bg-success/10 ring-success/30"],
  failed: [CircleAlert, "text-destructive bg-destructive/10 ring-destructive/30"],
  pending: [Hourglass, "text-warning bg-warning/10 ring-warning/30"],
  disputed: [Ban, "text-destructive bg-destructive/10 ring-destructive/30"],
  unknown: [CircleHelp, "text-info bg-info/10 ring-info/30"],
} as const satisfies Record<Outcome, unknown>;

/** The payment's outcome as an icon; the title next to it says it in words. */
export function OutcomeIcon({ outcome }: { outcome: Outcome }) {
  const [Icon, colours] = icons[outcome];
  return (
    <span
      data-outcome={outcome}
      className={cn("grid size-16 place-content-center rounded-full ring-1 ring-inset", colours)}
    >
      <Icon aria-hidden="true" className="size-8" />
    </span>
  );
}
