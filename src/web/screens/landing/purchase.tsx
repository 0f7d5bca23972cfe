import { Suspense, useState } from "react";
import { Link, useLocation } from "react-router";
import type { Offer } from "@/contract/wire/offers";
import { useHydrated } from "../../hooks/use-hydrated";
import { late } from "../../parts/late";
import { offerPrice, pageCurrency } from "../../page/currency";
import { isForSeveral } from "../../parts/offers/chosen-offer";
import { EnterCode } from "../../parts/offers/enter-code";
import { OfferChoice } from "../../parts/offers/offer-choice";
import { OrderNotes } from "../../parts/offers/order-notes";
import { usePromotionCode } from "../../parts/offers/promotion-code";
import { PurchaseButton } from "../../parts/offers/purchase-button";
import { wantedByLink } from "../../parts/offers/wanted-by-link";

const OrderDialog = late(async () => (await import("../../parts/offers/order-dialog")).OrderDialog);

/**
 * What the Premium card sells: the choice, if there is one, the ways to a gift and a code, and the button. All are
 * prerendered; notes that only the browser knows (a promotion code, an offer that would add nothing) come below them, so
 * that the button stays in place.
 */
export function Purchase(props: {
  label: string;
  offers: readonly Offer[];
  chosen: Offer | undefined;
  onChoose: (id: string) => void;
}) {
  const { label, offers, chosen, onChoose } = props;
  const { search } = useLocation();
  const code = usePromotionCode();
  const wanted = useHydrated() ? wantedByLink(search) : null;
  const [asked, ask] = useState<boolean>();
  // unknown offers are the brand's own
  const forSeveral = !chosen || offers.some(isForSeveral);
  const ordering = forSeveral && (asked ?? wanted !== null);
  const [needed, need] = useState(false);
  if (ordering && chosen && !needed) need(true);
  const several = offers.length > 1;
  const order = { currency: chosen?.currency ?? pageCurrency };
  return (
    <div className="flex flex-col gap-4">
      {several && chosen && (
        <OfferChoice offers={offers} chosen={chosen} onChoose={onChoose} price={offerPrice} />
      )}
      <div className="flex items-center justify-center gap-x-6 text-center text-sm has-[details[open]]:flex-wrap">
        {forSeveral &&
          (several ? (
            <button type="button" onClick={() => ask(true)} className={quietLink}>
              Buy several, or give one as a gift
            </button>
          ) : (
            <Link to="/?gift" onClick={() => ask(undefined)} className={quietLink}>
              Give it as a gift
            </Link>
          ))}
        <EnterCode code={code} />
      </div>
      <PurchaseButton
        label={label}
        order={chosen && chosen !== offers[0] ? { ...order, offer: chosen.id } : order}
      />
      {chosen && <OrderNotes offer={chosen} code={code} />}
      {chosen?.adds && (
        <p className="text-sm text-soft">
          <span>It is added to your account when it is paid.</span>{" "}
          {forSeveral && (
            <Link
              to="/?gift"
              onClick={() => ask(undefined)}
              className="text-link underline underline-offset-4"
            >
              Is it for somebody else?
            </Link>
          )}
        </p>
      )}
      {needed && chosen && (
        <Suspense>
          <OrderDialog
            open={ordering}
            onOpenChange={ask}
            offers={offers}
            first={chosen}
            code={code}
            wanted={wanted}
          />
        </Suspense>
      )}
    </div>
  );
}

const quietLink = "inline-flex min-h-11 items-center text-link underline underline-offset-4";
