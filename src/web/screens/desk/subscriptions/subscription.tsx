import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import type { SubscriptionDetails } from "@/contract/wire/desk/details";
import { charge } from "@/contract/vocabulary/next-charge";
import { subscriptionWords } from "@/contract/vocabulary/state-words";
import { detailsQuery } from "../../../api/desk/details";
import { DetailPage } from "../detail/detail-page";
import { Detailed } from "../detail/detailed";
import { type Fact, fact, Facts } from "../detail/facts";
import { Related } from "../detail/related";
import { OperationBar } from "../operation/operation-bar";
import { useOpened } from "../palette/opened";
import { totalOf } from "../parts/total";
import { licenceColumns, paymentColumns } from "../table/related-columns";
import { Status } from "../parts/status";
import { When } from "../parts/when";
import { subscriptionOperations } from "./operations";
import { priceOf, subscriberOf } from "../parts/price";

/** A subscription with its licence and payments. */
export function Subscription() {
  const { id = "" } = useParams();
  const query = useQuery(detailsQuery("subscriptions", id));
  const { data } = query;
  useOpened(
    data
      ? {
          to: `/desk/subscriptions/${id}`,
          name: `${priceOf(data)}, ${subscriberOf(data)}`,
          kind: "Subscription",
        }
      : null,
  );
  return <Detailed query={query}>{(one) => <Page key={id} subscription={one} />}</Detailed>;
}

function Page({ subscription }: { subscription: SubscriptionDetails }) {
  return (
    <DetailPage
      list={{ to: "/desk/subscriptions", name: "Subscriptions" }}
      title={priceOf(subscription)}
      badge={<Status of={subscription.status} words={subscriptionWords} />}
      operations={<OperationBar operations={subscriptionOperations(subscription)} />}
      timeline={subscription.timeline}
      currency={subscription.currency}
    >
      <Facts title="Subscription" facts={factsOf(subscription)} />
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

const mono = (text: string) => <span className="font-mono text-xs">{text}</span>;

const factsOf = (one: SubscriptionDetails): (Fact | null)[] => [
  one.customer &&
    fact(
      "Customer",
      <Link
        to={`/desk/customers/${one.customer.id}`}
        className="text-link underline-offset-4 hover:underline"
      >
        {one.customer.username}
      </Link>,
    ),
  one.email !== null ? fact("Buyer", one.email, one.email) : null,
  fact("Offer", one.offer),
  fact("Began", <When at={one.created_at} />),
  one.renews_at !== null ? fact("Renews", <When at={one.renews_at} />) : null,
  one.next_amount !== null ? fact("Next charge", charge(one.next_amount, one.currency, one)) : null,
  one.ends_at !== null ? fact(one.status === "ended" ? "Ended" : "Ends", <When at={one.ends_at} />) : null,
  one.changes_to !== null ? fact("Changes to", one.changes_to) : null,
  one.changes_at !== null ? fact("Changes", <When at={one.changes_at} />) : null,
  one.card !== null ? fact("Card", `${one.card.brand} ${one.card.last4}`) : null,
  fact("Seen at Stripe", <When at={one.looked_at} />),
  fact("Id", mono(one.id), one.id),
  fact("Subscription at Stripe", mono(one.stripe_id), one.stripe_id),
];
