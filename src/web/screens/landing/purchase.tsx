import { useLocation } from "react-router";
import type { Offer } from "@/contract/wire/offers";
import { useHydrated } from "../../hooks/use-hydrated";
import { brandOffer } from "../../page/offers";
import { ownAmount, pageCurrency } from "../../page/currency";
import { Buy } from "../../parts/offers/buy";
import { useChosenOffer } from "../../parts/offers/chosen-offer";
import { Doors } from "../../parts/offers/doors";
import { orderInHistory } from "../../parts/offers/order-in-history";
import { useSale } from "../../parts/offers/use-sale";
import { offerByLink } from "../../parts/offers/wanted-by-link";

/** What the Premium card sells. What only the browser knows comes last, so that all else stays in place. */
export function Purchase({ offers }: { offers: readonly Offer[] }) {
  const hydrated = useHydrated();
  const { search } = useLocation();
  const wanted = hydrated ? (orderInHistory()?.offer ?? offerByLink(search) ?? undefined) : undefined;
  const [offer = ownOffer, choose] = useChosenOffer(offers, wanted);
  const [first] = offers;
  const isOneLevel = offers.every(({ level }) => level.id === first?.level.id);
  const sale = useSale(offer);
  return (
    <div className="flex flex-col gap-4">
      <Buy sale={sale} offers={offers} onChoose={choose} look={look} />
      <p className="hidden text-sm text-muted-foreground noscript:block">Purchasing needs JavaScript.</p>
      <p className="text-sm text-soft sm:hidden">We email you the key; install it on your computer later.</p>
      <Doors offers={offers} first={offer} place="justify-center" />
      {offer.adds !== undefined && <p className="text-sm text-soft">{addsText(offer, isOneLevel)}</p>}
    </div>
  );
}

/** What the brand itself sells, for a page that doesn't know the shop's offers. */
export const ownOffer = brandOffer(ownAmount, pageCurrency);

const look = {
  button: "button-light min-h-12 w-full px-6 py-2 whitespace-normal",
  price: "text-[min(3.75rem,18vw)] leading-none tracking-tighter",
};

function addsText({ adds, recurring, level }: Offer, isOneLevel: boolean): string {
  if (adds) return "It's added to your account after payment.";
  if (!isOneLevel) {
    const covered = `Your license already includes ${level.name}`;
    return recurring === null
      ? `${covered}, so this would add nothing to it. You can send it as a gift.`
      : `${covered}, so you don't need a subscription to it.`;
  }
  return recurring === null
    ? "You already have a lifetime license, so this would add nothing to it. You can send it as a gift."
    : "You already have a lifetime license, so you don't need a subscription.";
}
