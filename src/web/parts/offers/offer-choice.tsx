import { Suspense, useId } from "react";
import { brand } from "@/brand/brand";
import { perText, saleText } from "@/contract/wire/offer-term";
import type { Offer } from "@/contract/wire/offers";
import { useHydrated } from "../../hooks/use-hydrated";
import { pagePrice } from "../../page/currency";
import { late } from "../late";

const LevelChoice = late(async () => (await import("./level-choice")).LevelChoice);

type Props = {
  offers: readonly Offer[];
  chosen: Offer;
  onChoose: (id: string) => void;
};

/** The offers to choose from; those of other levels than the brand's with what they add, once the browser has the page. */
export function OfferChoice(props: Props) {
  const hydrated = useHydrated();
  const name = useId();
  const [first, ...others] = props.offers;
  const isChoice = others.length > 0;
  const list = (offers: readonly Offer[]) => isChoice && <OfferList {...props} offers={offers} name={name} />;
  const plain = isChoice && (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="sr-only">{first?.level.name}</legend>
      {list(props.offers)}
    </fieldset>
  );
  const isBrands = props.offers.every(({ level }) => level.id === brand.premium.type);
  if (isBrands || !hydrated) return plain;
  return (
    <Suspense fallback={plain}>
      <LevelChoice offers={props.offers} list={list} />
    </Suspense>
  );
}

/** `name`: that of all radio buttons among which one is chosen. */
function OfferList({ offers, chosen, onChoose, name }: Props & { name: string }) {
  return offers.map((offer) => (
    <label
      key={offer.id}
      className="flex min-h-14 cursor-pointer flex-wrap items-center gap-3 rounded-lg border px-4 py-2.5 transition-colors hover:bg-veil/4 has-checked:border-ring has-checked:bg-primary/10 has-focus-visible:ring-3 has-focus-visible:ring-ring"
    >
      <input
        type="radio"
        name={name}
        value={offer.id}
        checked={offer.id === chosen.id}
        onChange={() => onChoose(offer.id)}
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
  ));
}
