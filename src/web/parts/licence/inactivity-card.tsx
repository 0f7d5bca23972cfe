import { CreditCard, LifeBuoy } from "lucide-react";
import { Link } from "react-router";
import { Button } from "../../ui/button";
import { Card, CardTitle } from "../../ui/card";
import type { Action, Inactivity } from "./inactivity";
import { LicenceCircle } from "./licence-circle";

type Props = {
  inactivity: Inactivity;
  /** Whether its first action is the page's prominent one. */
  primary: boolean;
};

/** Says why nothing is active, what happens next, and what to do, on the page that itself sells licences. */
export function InactivityCard({ inactivity, primary }: Props) {
  const { status, title, why, next } = inactivity;
  const actions = inactivity.actions.filter((action) => action !== "buy");
  return (
    <Card aria-label="License status" className="sm:flex-row">
      <LicenceCircle kind={status} />
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
