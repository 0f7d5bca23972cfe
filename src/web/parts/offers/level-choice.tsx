import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { featureLabels } from "@/brand/feature-labels";
import { perText } from "@/contract/wire/offer-term";
import type { Offer } from "@/contract/wire/offers";
import { pagePrice } from "../../page/currency";

type Level = { name: string; offers: [Offer, ...Offer[]] };

/** The offers of several levels side by side: each level's lowest price, what it adds, and its offers to choose from. */
export function LevelChoice(props: {
  offers: readonly Offer[];
  list: (offers: readonly Offer[]) => ReactNode;
}) {
  const levels = levelsOf(props.offers);
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,10rem),1fr))] gap-4">
      {levels.map(({ name, offers }, at) => (
        <fieldset key={offers[0].level.id} className="flex min-w-0 flex-col gap-3 rounded-xl border p-4">
          <legend className="float-left w-full text-sm font-semibold wrap-anywhere">{name}</legend>
          <p className="clear-both text-2xl font-semibold tracking-tight tabular-nums">{fromText(offers)}</p>
          <Adds level={offers[0]} before={levels[at - 1]} />
          <div className="mt-auto flex flex-col gap-2">{props.list(offers)}</div>
        </fieldset>
      ))}
    </div>
  );
}

/** Those that contain most come last. */
const levelsOf = (offers: readonly Offer[]): Level[] =>
  [...Map.groupBy(offers, ({ level }) => level.id).values()]
    .flatMap(([first, ...others]): Level[] =>
      first ? [{ name: first.level.name, offers: [first, ...others] }] : [],
    )
    .toSorted((one, other) => one.offers[0].includes.length - other.offers[0].includes.length);

/** `$5`, or of several `from $3 a month` */
function fromText(offers: Level["offers"]): string {
  const lowest = offers.reduce((one, other) => (other.amount < one.amount ? other : one));
  return `${offers.length > 1 ? "from " : ""}${pagePrice(lowest.amount, lowest.currency)}${perText(lowest)}`;
}

/** Its features, or those beyond the level before it if it contains that one. */
function Adds({ level, before }: { level: Offer; before: Level | undefined }) {
  const [known] = before?.offers ?? [];
  const isMore = known && level.includes.includes(known.level.id);
  const added = level.features.filter((one) => !isMore || !known.features.includes(one)).map(featureLabel);
  const lines = [...(isMore ? [`Everything in ${known.level.name}`] : []), ...added];
  if (lines.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1.5 text-sm">
      {lines.map((line) => (
        <li key={line} className="flex gap-2 wrap-anywhere">
          <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-link" />
          {line}
        </li>
      ))}
    </ul>
  );
}

/** What people read for a feature: its slug, if the brand has no label for it. */
const featureLabel = (feature: string): string =>
  (Object.hasOwn(featureLabels, feature) && featureLabels[feature]) || feature;
