import { useId } from "react";
import { brand } from "@/brand/brand";
import { perText, saleText } from "@/contract/wire/offer-term";
import type { Offer } from "@/contract/wire/offers";
import { pagePrice } from "../../page/currency";

/** The offers to choose from, grouped by what is sold. */
export function OfferChoice(props: {
  offers: readonly Offer[];
  chosen: Offer;
  onChoose: (id: string) => void;
}) {
  const choice = useId();
  const groups = groupsOf(props.offers);
  return groups.map(({ name, offers }) => (
    <fieldset key={name} className="flex min-w-0 flex-col gap-2">
      <legend className={groups.length > 1 ? "mb-2 text-sm font-semibold" : "sr-only"}>{name}</legend>
      {offers.map((offer) => (
        <label
          key={offer.id}
          className="flex min-h-14 cursor-pointer flex-wrap items-center gap-3 rounded-lg border px-4 py-2.5 transition-colors hover:bg-veil/4 has-checked:border-ring has-checked:bg-primary/10 has-focus-visible:ring-3 has-focus-visible:ring-ring"
        >
          <input
            type="radio"
            name={choice}
            value={offer.id}
            checked={offer.id === props.chosen.id}
            onChange={() => props.onChoose(offer.id)}
            className="size-5 shrink-0 appearance-none rounded-full border border-input bg-field outline-none checked:border-6 checked:border-primary"
          />
          <span className="flex min-w-0 flex-1 basis-16 flex-col wrap-anywhere">
            <span className="font-medium">{offer.name}</span>
            <span className="text-sm text-muted-foreground">{saleText(offer)}</span>
          </span>
          <span className="ml-auto font-semibold tabular-nums">
            {pagePrice(offer.amount, offer.currency) + perText(offer)}
          </span>
        </label>
      ))}
    </fieldset>
  ));
}

/** Every offer sells the same so far. */
const groupsOf = (offers: readonly Offer[]) => [{ name: brand.premium.name, offers }];
