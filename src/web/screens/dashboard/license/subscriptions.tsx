import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { CreditCard } from "lucide-react";
import type { Offer } from "@/contract/offers";
import type { Subscription } from "@/contract/subscriptions";
import { offersQuery } from "../../../api/offers";
import { subscriptionsQuery, usePortal } from "../../../api/subscriptions";
import { PatientButton } from "../../../parts/patient-button";
import { Card, CardTitle } from "../../../ui/card";
import { cardText, changeText, standingText } from "./subscription-words";

/** The account's subscriptions, with the ways to Stripe's page for each. */
export function Subscriptions() {
  const { data: own = [] } = useInfiniteQuery(subscriptionsQuery);
  const { data: offers = [] } = useQuery(offersQuery);
  if (own.length === 0) return null;
  return (
    <Card id="billing" aria-label="Billing">
      <CardTitle>Billing</CardTitle>
      <ul className="flex flex-col gap-5">
        {own.map((one) => (
          <OneSubscription key={one.id} subscription={one} offers={offers} />
        ))}
      </ul>
    </Card>
  );
}

type Flow = { flow?: "card" | "cancel" | "switch"; label: string };

/** What can be done, the likeliest first. */
const flowsOf = ({ status }: Subscription, others: boolean): Flow[] => {
  if (status === "ended") return [{ label: "Invoices" }];
  const card: Flow = { flow: "card", label: "Update card" };
  if (status === "ending") return [{ label: "Resume" }, card];
  const cancel: Flow = { flow: "cancel", label: "Cancel" };
  // there is nothing to switch to without another offer, and nothing to switch while a payment is missing
  return status === "past_due" || !others
    ? [card, cancel]
    : [card, { flow: "switch", label: "Switch" }, cancel];
};

function OneSubscription(props: { subscription: Subscription; offers: readonly Offer[] }) {
  const { subscription, offers } = props;
  const portal = usePortal();
  const others = offers.some(({ id, recurring }) => recurring !== null && id !== subscription.offer);
  const nameOf = (id: string | null) => offers.find((offer) => offer.id === id)?.name;
  const facts = [changeText(subscription, nameOf(subscription.changes_to)), cardText(subscription)];
  return (
    <li className="flex flex-col gap-3">
      <div className="flex flex-col gap-1">
        <span className="font-medium break-words">{nameOf(subscription.offer) ?? "Subscription"}</span>
        <span className={subscription.status === "past_due" ? "text-sm text-warning" : "text-sm text-soft"}>
          {standingText(subscription)}
        </span>
        {facts.map(
          (fact) =>
            fact && (
              <span key={fact} className="text-sm text-muted-foreground">
                {fact}
              </span>
            ),
        )}
      </div>
      <div className="flex flex-wrap gap-3">
        {flowsOf(subscription, others).map(({ flow, label }) => (
          <PatientButton
            key={label}
            variant="outline"
            pending={portal.isPending && portal.variables?.flow === flow}
            doing="Opening Stripe…"
            problem={portal.error}
            onClick={() =>
              portal.mutate({ id: subscription.id, ...(flow && { flow }), return_to: "/dashboard/license" })
            }
          >
            {label === "Update card" && <CreditCard aria-hidden="true" />}
            {label}
          </PatientButton>
        ))}
      </div>
      {portal.error && (
        <p role="alert" className="text-sm text-destructive-text">
          {portal.error.message}
        </p>
      )}
    </li>
  );
}
