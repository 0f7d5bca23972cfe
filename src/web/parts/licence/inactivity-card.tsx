import { Ban, CircleX, Clock, CreditCard, LifeBuoy, type LucideIcon, Pause, RotateCcw } from "lucide-react";
import { Link } from "react-router";
import { cn } from "../../lib/utils";
import { Button } from "../../ui/button";
import { Card, CardTitle } from "../../ui/card";
import type { Action, Inactivity } from "./inactivity";

type Props = {
  inactivity: Inactivity;
  /** Whether its first action is the page's prominent one. */
  primary: boolean;
};

/** Says why nothing is active, what happens next, and what to do, on the page that sells licences itself. */
export function InactivityCard({ inactivity, primary }: Props) {
  const { status, title, why, next } = inactivity;
  const actions = inactivity.actions.filter((action) => action !== "buy");
  const [Icon, colour] = looks[status];
  return (
    <Card aria-label="License status" className="sm:flex-row">
      <span className={cn("grid size-10 shrink-0 place-content-center rounded-full border", colour)}>
        <Icon aria-hidden="true" className="size-5" />
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <CardTitle>{title}</CardTitle>
        <p className="max-w-prose text-sm text-soft">{why}</p>
        <p className="max-w-prose text-sm text-soft">{next}</p>
        <div className="mt-3 flex empty:hidden flex-col gap-3 sm:flex-row sm:flex-wrap">
          {actions.map((action, at) => (
            <ActionLink
              key={action}
              action={action}
              inactivity={inactivity}
              prominent={primary && at === 0}
            />
          ))}
        </div>
      </div>
    </Card>
  );
}

function ActionLink(props: { action: Exclude<Action, "buy">; inactivity: Inactivity; prominent: boolean }) {
  const payment = `/dashboard/transaction?payment_intent=${encodeURIComponent(props.inactivity.paymentId ?? "")}`;
  const [Icon, label, to] = {
    payment: [CreditCard, "See the payment", payment] as const,
    support: [LifeBuoy, "Ask support", "/dashboard/tickets"] as const,
  }[props.action];
  return (
    <Button asChild variant={props.prominent ? "default" : "outline"}>
      <Link to={to}>
        <Icon aria-hidden="true" />
        <span>{label}</span>
      </Link>
    </Button>
  );
}

const looks: Record<Inactivity["status"], [LucideIcon, string]> = {
  disputed: [Ban, "border-dispute/35 bg-dispute/10 text-dispute-text"],
  suspended: [Pause, "border-warning/30 bg-warning/10 text-warning"],
  refunded: [RotateCcw, "border-warning/30 bg-warning/10 text-warning"],
  revoked: [CircleX, "border-destructive/35 bg-destructive/10 text-destructive-text"],
  expired: [Clock, "border-destructive/35 bg-destructive/10 text-destructive-text"],
  other_mode: [CircleX, "border-border bg-secondary/60 text-muted-foreground"],
};
