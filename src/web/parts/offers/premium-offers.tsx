import { useEffect, useState } from "react";
import type { Offer } from "@/contract/offers";
import { OfferChoice } from "./offer-choice";
import { OrderDialog } from "./order-dialog";
import { OrderNotes } from "./order-notes";
import { priceText, termText } from "./price";
import { PurchaseButton } from "./purchase-button";
import type { WantedByLink } from "./wanted-by-link";

/**
 * The Premium card's action where it is more than one button: several offers, a promotion code, an order by link, or
 * a buyer who would gain nothing.
 */
export function PremiumOffers(props: {
  label: string;
  offers: readonly Offer[];
  code: string | null;
  wanted: WantedByLink | null;
  /** What the card's head says of the chosen offer; null for what it says by itself. */
  onShow: (head: { price: string; term: string } | null) => void;
}) {
  const { label, offers, code, wanted, onShow } = props;
  const [id, choose] = useState(offers[0]?.id);
  const [ordering, setOrdering] = useState(wanted !== null);
  const offer = offers.find((one) => one.id === id) ?? offers[0];
  const own = offer === offers[0];
  useEffect(() => {
    const head = offer && { price: priceText(offer.amount, offer.currency), term: termText(offer) };
    onShow(own ? null : (head ?? null));
  }, [offer, own, onShow]);
  if (!offer) return null;
  const several = offers.length > 1;
  return (
    <div className="flex flex-col gap-4">
      {several && <OfferChoice offers={offers} chosen={offer} onChoose={(chosen) => choose(chosen.id)} />}
      <OrderNotes offer={offer} code={code} />
      <PurchaseButton
        label={label}
        order={{ currency: offer.currency, ...(own ? {} : { offer: offer.id }) }}
      />
      {several && (
        <button
          type="button"
          onClick={() => setOrdering(true)}
          className="mx-auto inline-flex min-h-11 items-center text-sm text-link underline underline-offset-4"
        >
          Buy several, or give one as a gift
        </button>
      )}
      <OrderDialog
        open={ordering}
        onOpenChange={setOrdering}
        offers={offers}
        first={offer}
        code={code}
        wanted={wanted}
      />
    </div>
  );
}
