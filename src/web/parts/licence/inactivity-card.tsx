import {
  Ban,
  CircleX,
  Clock,
  CreditCard,
  LifeBuoy,
  type LucideIcon,
  Pause,
  RotateCcw,
  ShoppingCart,
} from "lucide-react";
import { Link } from "react-router";
import { cn } from "../../lib/utils";
import { Button } from "../../ui/button";
import { Card, CardTitle } from "../../ui/card";
import type { Action, Inactivity } from "./inactivity";

type Props = {
  inactivity: Inactivity;
  /** The page that sells licenses; null if this page does. */
  buyAt: string | null;
};

/** Says why nothing is active, what happens next, and what to do. */
export function InactivityCard({ inactivity, buyAt }: Props) {
  const { status, title, why, next } = inactivity;
  const actions = inactivity.actions.filter((action) => action !== "buy" || buyAt !== null);
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
            <ActionLink key={action} {...{ action, inactivity, buyAt }} first={at === 0} />
          ))}
        </div>
      </div>
    </Card>
  );
}

function ActionLink({ action, first, inactivity, buyAt }: Props & { action: Action; first: boolean }) {
  const payment = `/dashboard/transaction?payment_intent=${encodeURIComponent(inactivity.paymentId ?? "")}`;
  const [Icon, label, to] = {
    payment: [CreditCard, "See the payment", payment] as const,
    support: [LifeBuoy, "Ask support", "/dashboard/tickets"] as const,
    buy: [ShoppingCart, inactivity.status === "expired" ? "Renew" : "Buy a license", buyAt ?? ""] as const,
  }[action];
  return (
    <Button asChild variant={first ? "default" : "outline"}>
      <Link to={to}>
        <Icon aria-hidden="true" />
        {label}
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
