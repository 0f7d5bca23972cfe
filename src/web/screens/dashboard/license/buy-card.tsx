import { Gift, ShoppingCart } from "lucide-react";
import { useId, useState } from "react";
import { useLocation } from "react-router";
import type { Licence } from "@/contract/wire/licences";
import type { Offer } from "@/contract/wire/offers";
import { offerText } from "@/contract/wire/offer-term";
import { useNow } from "../../../hooks/use-now";
import { offerPrice } from "../../../page/currency";
import { textIn } from "../../../parts/destination";
import { isForSeveral, useChosenOffer } from "../../../parts/offers/chosen-offer";
import { orderInHistory } from "../../../parts/offers/order-in-history";
import { OfferChoice } from "../../../parts/offers/offer-choice";
import { OrderDialog } from "../../../parts/offers/order-dialog";
import { OrderNotes } from "../../../parts/offers/order-notes";
import { usePromotionCode } from "../../../parts/offers/promotion-code";
import { useCheckout } from "../../../parts/offers/use-checkout";
import { wantedByLink } from "../../../parts/offers/wanted-by-link";
import { PatientButton } from "../../../parts/patient-button";
import { TitledCard } from "../../../parts/titled-card";
import { Button } from "../../../ui/button";
import { isRenewable, runsText } from "./runs";

type Props = {
  offers: readonly Offer[];
  licences: readonly Licence[];
  /** The account has a running subscription, so no days can be added. */
  subscribes: boolean;
  primary: boolean;
};

/** Sells another licence, or renews a timed one. */
export function BuyCard({ offers, licences, subscribes, primary }: Props) {
  const renewing = isRenewable(licences);
  const now = useNow();
  const code = usePromotionCode();
  const { open, opening, problem } = useCheckout();
  const timed = offers.find(({ days }) => days !== null);
  const left = orderInHistory();
  const wantedOffer = textIn(useLocation().state, "offer");
  const first = left ? left.offer : wantedOffer || (renewing ? timed?.id : undefined);
  const [offer, choose] = useChosenOffer(offers, first);
  const wanted = wantedByLink("");
  const [ordering, setOrdering] = useState(wanted !== null);
  const forSeveral = offers.some(isForSeveral);
  const saidBy = useId();
  if (!offer) return null;
  const verb = renewing ? "Renew" : "Buy";
  const action = offer.recurring === null ? verb : "Subscribe";
  return (
    <TitledCard
      id="buy"
      label={verb}
      title={renewing ? "Renew your license" : "Buy a license"}
      description={descriptionOf(offer, { licences, subscribes, now })}
    >
      {offers.length > 1 ? (
        <OfferChoice offers={offers} chosen={offer} onChoose={choose} />
      ) : (
        <OneOffer offer={offer} />
      )}
      <OrderNotes offer={offer} code={code} />
      <div className="flex flex-col gap-3 sm:flex-row">
        <PatientButton
          variant={primary ? "default" : "outline"}
          pending={opening}
          doing="Opening checkout…"
          problem={null}
          aria-describedby={problem ? saidBy : undefined}
          onClick={() => void open({ currency: offer.currency, offer: offer.id })}
          className="sm:min-w-36"
        >
          <ShoppingCart aria-hidden="true" />
          {action}
        </PatientButton>
        {forSeveral && (
          <Button type="button" variant="outline" onClick={() => setOrdering(true)}>
            <Gift aria-hidden="true" />
            Several, or a gift
          </Button>
        )}
      </div>
      {problem && (
        <p id={saidBy} className="text-sm text-destructive-text">
          {problem.problem}
        </p>
      )}
      <OrderDialog
        open={ordering && forSeveral}
        onOpenChange={setOrdering}
        offers={offers}
        first={offer}
        code={code}
        wanted={wanted}
      />
    </TitledCard>
  );
}

function OneOffer({ offer }: { offer: Offer }) {
  return (
    <p className="flex min-h-14 items-center gap-3 rounded-lg border px-4 py-2.5">
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="font-medium break-words">{offer.name}</span>
        <span className="text-sm text-muted-foreground">{offerText(offer)}</span>
      </span>
      <span className="font-semibold tabular-nums">{offerPrice(offer)}</span>
    </p>
  );
}

function descriptionOf(
  offer: Offer,
  { licences, subscribes, now }: Pick<Props, "licences" | "subscribes"> & { now: Date },
) {
  if (offer.adds === false) {
    return offer.recurring === null
      ? "You get a license key, which somebody else can redeem."
      : "Your license never ends, so you don't need a subscription.";
  }
  if (subscribes && offer.days === null) {
    return "Runs for life. Your subscription then ends with the time that you paid for, and is not charged again.";
  }
  if (subscribes) {
    return "Your subscription is still running, so you get a license key to redeem once it has ended.";
  }
  return `${runsText(offer, licences, now)} It is added to this account when it is paid.`;
}
