import type { SubscriptionDetails } from "@/contract/wire/desk/details";
import { charge } from "@/contract/vocabulary/next-charge";
import { subscriptionWords } from "@/contract/vocabulary/state-words";
import { DetailPage } from "../detail/detail-page";
import { detailScreen } from "../detail/detail-screen";
import { type Fact, fact, Facts, idFact, useLevelFact } from "../detail/facts";
import { Related } from "../detail/related";
import { DeskLink } from "../parts/desk-link";
import { OperationBar } from "../operation/operation-bar";
import { totalOf } from "../parts/total";
import { licenceColumns, paymentColumns } from "../table/related-columns";
import { Status } from "../parts/status";
import { OfferName } from "../parts/offers";
import { When } from "../parts/when";
import { subscriptionOperations } from "./operations";
import { priceOf, subscriberOf } from "../parts/price";

/** A subscription with its licence and payments. */
export const Subscription = detailScreen("subscriptions", {
  kind: "Subscription",
  nameOf: (one) => `${priceOf(one)}, ${subscriberOf(one)}`,
  page: (subscription) => <Page subscription={subscription} />,
});

function Page({ subscription }: { subscription: SubscriptionDetails }) {
  return (
    <DetailPage
      list={{ to: "/desk/subscriptions", name: "Subscriptions" }}
      title={priceOf(subscription)}
      badge={<Status of={subscription.status} words={subscriptionWords} />}
      operations={<OperationBar operations={subscriptionOperations(subscription)} />}
      timeline={subscription.timeline}
    >
      <Facts title="Subscription" facts={factsOf(subscription, useLevelFact(subscription))} />
      <Related
        title="License"
        columns={licenceColumns}
        rows={subscription.licences}
        to={({ id }) => `/desk/licences/${id}`}
        nameOf={({ key }) => key}
      />
      <Related
        title="Payments"
        columns={paymentColumns}
        rows={subscription.payments}
        to={({ id }) => `/desk/payments/${id}`}
        nameOf={totalOf}
      />
    </DetailPage>
  );
}

const factsOf = (one: SubscriptionDetails, level: Fact | null): (Fact | null)[] => [
  one.customer &&
    fact("Customer", <DeskLink to={`/desk/customers/${one.customer.id}`} name={one.customer.username} />),
  one.email !== null ? fact("Buyer", one.email, one.email) : null,
  fact("Offer", one.offer),
  level,
  fact("Started", <When at={one.created_at} />),
  one.renews_at !== null ? fact("Renews", <When at={one.renews_at} />) : null,
  one.next_amount !== null ? fact("Next charge", charge(one.next_amount, one.currency, one)) : null,
  one.ends_at !== null ? fact(one.status === "ended" ? "Ended" : "Ends", <When at={one.ends_at} />) : null,
  one.changes_to !== null ? fact("Changes to", <OfferName id={one.changes_to} />) : null,
  one.changes_at !== null ? fact("Changes", <When at={one.changes_at} />) : null,
  one.card !== null ? fact("Card", `${one.card.brand} ${one.card.last4}`) : null,
  fact("Last synced", <When at={one.looked_at} />),
  idFact("Id", one.id),
  idFact("Subscription at Stripe", one.stripe_id),
];
