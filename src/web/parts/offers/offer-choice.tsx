import { useId } from "react";
import { money } from "@/contract/vocabulary/money";
import { offerText } from "@/contract/wire/offer-term";
import type { Offer } from "@/contract/wire/offers";

export function OfferChoice(props: {
  offers: readonly Offer[];
  chosen: Offer;
  onChoose: (id: string) => void;
  /** How a price is written, if not with its currency. */
  price?: (offer: Offer) => string;
}) {
  const group = useId();
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="sr-only">What to buy</legend>
      {props.offers.map((offer) => (
        <label
          key={offer.id}
          className="flex min-h-14 cursor-pointer items-center gap-3 rounded-lg border px-4 py-2.5 transition-colors hover:bg-veil/4 has-checked:border-ring has-checked:bg-primary/10 has-focus-visible:ring-3 has-focus-visible:ring-ring"
        >
          <input
            type="radio"
            name={group}
            value={offer.id}
            checked={offer === props.chosen}
            onChange={() => props.onChoose(offer.id)}
            className="size-4 shrink-0 accent-primary outline-none"
          />
          <span className="flex min-w-0 flex-1 flex-col">
            <span className="font-medium break-words">{offer.name}</span>
            <span className="text-sm text-muted-foreground">{offerText(offer)}</span>
          </span>
          <span className="font-semibold tabular-nums">{(props.price ?? priceOf)(offer)}</span>
        </label>
      ))}
    </fieldset>
  );
}

const priceOf = ({ amount, currency }: Offer) => money(amount, currency);
