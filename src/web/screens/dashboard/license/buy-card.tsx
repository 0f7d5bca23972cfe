import { useState } from "react";
import { useLocation } from "react-router";
import type { Licence } from "@/contract/wire/licences";
import type { Offer } from "@/contract/wire/offers";
import { useNow } from "../../../hooks/use-now";
import { textIn } from "../../../parts/destination";
import { Buy } from "../../../parts/offers/buy";
import { useChosenOffer } from "../../../parts/offers/chosen-offer";
import { Doors } from "../../../parts/offers/doors";
import { orderInHistory } from "../../../parts/offers/order-in-history";
import { useSale } from "../../../parts/offers/use-sale";
import { TitledCard } from "../../../parts/titled-card";
import { buttonVariants } from "../../../ui/button";
import { isRenewable, runsText } from "./runs";

type Props = {
  offers: readonly Offer[];
  licences: readonly Licence[];
  /** The account has a running subscription, so no days can be added. */
  subscribes: boolean;
  primary: boolean;
};

const upgrade = "Upgrade to lifetime";

/** Sells what adds something to the account. */
export function BuyCard({ offers, ...account }: Props) {
  const adding = offers.filter(({ adds }) => adds !== false);
  const [first] = adding;
  return first ? <SaleCard offers={adding} first={first} {...account} /> : null;
}

function SaleCard(props: Props & { first: Offer }) {
  const { offers, first, licences, subscribes, primary } = props;
  const renewing = !subscribes && isRenewable(licences);
  const now = useNow();
  const lasting = offers.filter(({ days }) => days !== null);
  const timed = lasting.find(({ level }) => licences.some((one) => one.level.id === level.id)) ?? lasting[0];
  const [order] = useState(orderInHistory);
  const wanted = textIn(useLocation().state, "offer") || (renewing ? timed?.id : undefined);
  const [offer = first, choose] = useChosenOffer(offers, order ? order.offer : wanted);
  const sale = useSale(offer);
  const forLife = offer.days === null && offer.recurring === null;
  const isOther = licences.some(({ active }) => active) && licences.every((one) => !isActiveOf(one, offer));
  const upgrading = forLife && !isOther && (renewing || subscribes);
  const renews = renewing && !isOther;
  const verb = renews && offer.days !== null ? "Renew" : undefined;
  return (
    <TitledCard
      id="buy"
      label={renews ? "Renew" : "Buy"}
      title={upgrading ? upgrade : renews ? "Renew your license" : `Get ${offer.level.name}`}
      description={
        descriptionOf(offer, {
          licences,
          subscribes: subscribes && isBesideSubscription(offer, props),
          now,
        }) + (isOther && !subscribes ? ` You keep ${keptNames(licences)} as it is.` : "")
      }
    >
      <Buy
        sale={sale}
        offers={offers}
        onChoose={choose}
        purchase={upgrading ? upgrade : verb}
        look={{
          button: `${buttonVariants({ variant: primary ? "default" : "outline", size: "lg" })} sm:min-w-48 sm:self-start`,
          price: "text-3xl",
        }}
      />
      <Doors offers={offers} first={offer} />
    </TitledCard>
  );
}

const isActiveOf = ({ active, level }: Licence, offer: Offer) => active && level.id === offer.level.id;

/** Whether an offer would end the subscription, or wait for its end: one contains the other's level. */
function isBesideSubscription(
  offer: Offer,
  { offers, licences }: Pick<Props, "offers" | "licences">,
): boolean {
  const held = licences.find(({ active, subscription }) => active && subscription !== null)?.level.id;
  const contains = (level: string, other: string) =>
    offers.some((one) => one.level.id === level && one.includes.includes(other));
  if (held === undefined || held === offer.level.id) return true;
  return offer.days === null ? contains(offer.level.id, held) : contains(held, offer.level.id);
}

const keptNames = (licences: readonly Licence[]) =>
  [...new Set(licences.flatMap(({ active, level }) => (active ? [level.name] : [])))].join(" and ");

function descriptionOf(
  offer: Offer,
  { licences, subscribes, now }: Pick<Props, "licences" | "subscribes"> & { now: Date },
) {
  if (subscribes)
    return offer.days === null
      ? "Once you upgrade, your subscription won't renew. You keep the time you've paid for."
      : "Your subscription is still running, so you'll get a key to redeem after it ends.";
  return `${runsText(offer, licences, now)} It's added to your account after payment.`.trim();
}
