import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { isFirstLoad } from "../../../api/first-load";
import { subscriptionsQuery } from "../../../api/subscriptions";
import { cardText, subscriptionStatusText } from "../../../parts/licence/subscription-words";
import { Card, CardTitle } from "../../../ui/card";
import { Skeleton } from "../../../ui/skeleton";

/** The subscription that a payment began or renewed: its next charge and card. Nothing if it is somebody else's. */
export function ItsSubscription({ id, level }: { id: string; level: string }) {
  const subscriptions = useInfiniteQuery(subscriptionsQuery);
  if (isFirstLoad(subscriptions)) return <Skeleton className="mt-4 h-33 rounded-xl" />;
  const subscription = subscriptions.data?.find((one) => one.id === id);
  if (!subscription) return null;
  return (
    <Card aria-label="Subscription" className="mt-4 gap-1">
      <CardTitle>Subscription</CardTitle>
      <p className="text-sm text-soft">{subscriptionStatusText(subscription, level)}</p>
      <p className="text-sm text-muted-foreground">{cardText(subscription)}</p>
      <Link
        to="/dashboard/license#billing"
        className="-mb-2 inline-flex min-h-11 items-center self-start text-sm text-link underline-offset-4 hover:underline"
      >
        Billing
      </Link>
    </Card>
  );
}
