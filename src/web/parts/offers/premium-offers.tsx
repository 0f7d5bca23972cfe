import { useState } from "react";
import type { Offer } from "@/contract/offers";
import { OfferChoice } from "./offer-choice";
import { OrderDialog } from "./order-dialog";
import { OrderNotes } from "./order-notes";
import { PurchaseButton } from "./purchase-button";
import type { WantedByLink } from "./wanted-by-link";

/**
 * What the Premium card shows when one button is not enough: several offers, a promotion code, an order begun by a
 * link, or a buyer who would gain nothing.
 */
export function PremiumOffers(props: {
  label: string;
  offers: readonly Offer[];
  chosen: Offer;
  onChoose: (id: string) => void;
  code: string | null;
  wanted: WantedByLink | null;
}) {
  const { label, offers, chosen, onChoose, code, wanted } = props;
  const [ordering, setOrdering] = useState(wanted !== null);
  const several = offers.length > 1;
  return (
    <div className="flex flex-col gap-4">
      {several && <OfferChoice offers={offers} chosen={chosen} onChoose={onChoose} />}
      <OrderNotes offer={chosen} code={code} />
      <PurchaseButton
        label={label}
        order={{ currency: chosen.currency, ...(chosen === offers[0] ? {} : { offer: chosen.id }) }}
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
        first={chosen}
        code={code}
        wanted={wanted}
      />
    </div>
  );
}
