import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Gift, ShoppingCart } from "lucide-react";
import { useId, useState } from "react";
import type { Licence } from "@/contract/licences";
import type { Offer } from "@/contract/offers";
import { licencesQuery } from "../../../api/licences";
import { offersQuery } from "../../../api/offers";
import { isDisputed } from "../../../parts/licence/inactivity";
import { useChosenOffer } from "../../../parts/offers/chosen-offer";
import { OfferChoice } from "../../../parts/offers/offer-choice";
import { OrderDialog } from "../../../parts/offers/order-dialog";
import { OrderNotes } from "../../../parts/offers/order-notes";
import { usePromotionCode } from "../../../parts/offers/promotion-code";
import { useCheckout } from "../../../parts/offers/use-checkout";
import { PatientButton } from "../../../parts/patient-button";
import { TitledCard } from "../../../parts/titled-card";
import { Button } from "../../../ui/button";

/**
 * Sells another licence or renews a timed one, in a shop with several offers. Hidden from customers with a disputed
 * payment, who get the licence they paid for back if the shop wins the dispute.
 */
export function BuyCard() {
  const { data: offers = [] } = useQuery(offersQuery);
  const { data: licences } = useInfiniteQuery(licencesQuery);
  if (offers.length < 2 || !licences || isDisputed(licences)) return null;
  return <Buying offers={offers} renewing={isRenewable(licences)} />;
}

/** Whether the account has a timed licence, and no active lifetime one. */
const isRenewable = (licences: readonly Licence[]) =>
  licences.some(({ expiry_date }) => expiry_date !== null) &&
  !licences.some(({ active, expiry_date }) => active && expiry_date === null);

function Buying({ offers, renewing }: { offers: readonly Offer[]; renewing: boolean }) {
  const code = usePromotionCode();
  const { open, opening, problem } = useCheckout();
  const timed = offers.find(({ days }) => days !== null);
  const [offer, choose] = useChosenOffer(offers, renewing ? timed?.id : undefined);
  const [ordering, setOrdering] = useState(false);
  const saidBy = useId();
  if (!offer) return null;
  const verb = renewing ? "Renew" : "Buy";
  return (
    <TitledCard
      label={verb}
      title={renewing ? "Renew your license" : "Buy a license"}
      description={descriptionOf(offer, renewing)}
    >
      <OfferChoice offers={offers} chosen={offer} onChoose={choose} />
      <OrderNotes offer={offer} code={code} />
      <div className="flex flex-col gap-3 sm:flex-row">
        <PatientButton
          pending={opening}
          doing="Opening checkout…"
          problem={null}
          aria-describedby={problem ? saidBy : undefined}
          onClick={() => void open({ currency: offer.currency, offer: offer.id })}
          className="sm:min-w-36"
        >
          <ShoppingCart aria-hidden="true" />
          {verb}
        </PatientButton>
        <Button type="button" variant="outline" onClick={() => setOrdering(true)}>
          <Gift aria-hidden="true" />
          Several, or a gift
        </Button>
      </div>
      {problem && (
        <p id={saidBy} className="text-sm text-destructive-text">
          {problem.problem}
        </p>
      )}
      <OrderDialog
        open={ordering}
        onOpenChange={setOrdering}
        offers={offers}
        first={offer}
        code={code}
        wanted={null}
      />
    </TitledCard>
  );
}

function descriptionOf({ adds }: Offer, renewing: boolean) {
  if (adds === false) return "You get a license key, which somebody else can redeem.";
  return renewing
    ? "What you buy is added to the time that is left."
    : "It is added to this account when it is paid.";
}
