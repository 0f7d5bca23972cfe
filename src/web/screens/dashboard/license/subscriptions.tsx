import { useInfiniteQuery } from "@tanstack/react-query";
import { CreditCard, type LucideIcon } from "lucide-react";
import type { Offer } from "@/contract/wire/offers";
import type { PortalFlow, Subscription } from "@/contract/wire/subscriptions";
import { subscriptionsQuery, useDrop, usePortal } from "../../../api/subscriptions";
import { useProblemToast } from "../../../parts/use-problem-toast";
import { ConfirmButton } from "../../../parts/account/confirm-button";
import { PatientButton } from "../../../parts/patient-button";
import { ShowMore } from "../../../parts/show-more";
import { Card, CardTitle } from "../../../ui/card";
import { cardText, changeText, subscriptionStatusText } from "../../../parts/licence/subscription-words";

type Props = {
  offers: readonly Offer[];
  /** The account has a lifetime license, so nothing can be resumed. */
  forLife: boolean;
};

/** The account's subscriptions, each with buttons that lead to Stripe's page; nothing if there are none. */
export function Subscriptions({ offers, forLife }: Props) {
  const subscriptions = useInfiniteQuery(subscriptionsQuery);
  useProblemToast(subscriptions.error);
  const { data: own = [] } = subscriptions;
  if (own.length === 0) return null;
  return (
    <Card id="billing" aria-label="Billing">
      <CardTitle>Billing</CardTitle>
      <ul className="flex flex-col gap-5">
        {own.map((one) => (
          <OneSubscription key={one.id} subscription={one} offers={offers} forLife={forLife} />
        ))}
      </ul>
      <ShowMore list={subscriptions} />
    </Card>
  );
}

/** A part of Stripe's page; without `flow`, the whole page. */
type Flow = { flow?: PortalFlow; label: string; icon?: LucideIcon };

const card: Flow = { flow: "card", label: "Update card", icon: CreditCard };
const cancel: Flow = { flow: "cancel", label: "Cancel" };
const invoices: Flow = { label: "Invoices" };

/** The possible actions, the likeliest first. `others`: there are offers to switch to. */
function flowsOf(
  { status, ends_at: endsAt }: Subscription,
  { others, forLife }: { others: boolean; forLife: boolean },
): Flow[] {
  if (status === "pending") return [];
  if (status === "ended" || (status === "ending" && forLife)) return [invoices];
  if (status === "ending") return [{ label: "Resume" }, card];
  if (status === "past_due" && endsAt !== null) return [{ label: "Resume" }, card, invoices];
  const flows = [card, cancel, invoices];
  // a past-due subscription can't be switched
  return others && status !== "past_due" ? [{ flow: "switch", label: "Switch" }, ...flows] : flows;
}

function OneSubscription({ subscription, offers, forLife }: Props & { subscription: Subscription }) {
  const portal = usePortal();
  const others = offers.some(({ id, recurring }) => recurring !== null && id !== subscription.offer);
  const nameOf = (id: string | null) => offers.find((offer) => offer.id === id)?.name;
  const facts = [changeText(subscription, nameOf(subscription.changes_to)), cardText(subscription)];
  return (
    <li className="flex flex-col gap-3">
      <div className="flex flex-col gap-1">
        <span className="font-medium break-words">{nameOf(subscription.offer) ?? "Subscription"}</span>
        <span className={subscription.status === "past_due" ? "text-sm text-warning" : "text-sm text-soft"}>
          {subscriptionStatusText(subscription)}
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
        {flowsOf(subscription, { others, forLife }).map(({ flow, label, icon: Icon }) => (
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
            {Icon && <Icon aria-hidden="true" />}
            <span>{label}</span>
          </PatientButton>
        ))}
      </div>
      {subscription.status === "pending" && <DropButton id={subscription.id} />}
      {portal.error && <Problem>{portal.error.message}</Problem>}
    </li>
  );
}

function DropButton({ id }: { id: string }) {
  const drop = useDrop();
  return (
    <>
      <ConfirmButton
        variant="outline"
        className="self-start"
        call={drop}
        doing="Canceling…"
        title="Cancel this subscription?"
        warning="It does not begin. Money that arrives all the same is given back in full."
        action="Cancel subscription"
        keep="Keep it"
        onConfirm={() => drop.mutate(id)}
      >
        Cancel
      </ConfirmButton>
      {drop.error && <Problem>{drop.error.message}</Problem>}
    </>
  );
}

const Problem = ({ children }: { children: string }) => (
  <p role="alert" className="text-sm text-destructive-text">
    {children}
  </p>
);
