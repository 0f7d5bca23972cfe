import { Archive, PackagePlus, Pencil, Tag } from "lucide-react";
import { addOffer, changeOffer, listOffers, retireOffer } from "@/contract/operations/products";
import type { LevelRow } from "@/contract/wire/desk/levels";
import type { OfferRow } from "@/contract/wire/desk/offers";
import { decimalText, minorUnits, money } from "@/contract/vocabulary/money";
import { offerText } from "@/contract/wire/offer-term";
import { intervals } from "@/contract/vocabulary/kinds";
import { Collection, type CollectionDefinition } from "../collection/collection";
import { counted } from "../parts/format";
import { deskOperation, type Operation, type FieldTexts } from "../operation/operation";
import { levelChoices, useLevels } from "../parts/levels";
import { stateColumn } from "../parts/status";
import { whenColumn } from "../table/columns";
import { useShopCurrency } from "./use-shop-currency";
import { offerWords } from "../parts/words";

const offers: CollectionDefinition<OfferRow> = {
  title: "Offers",
  lead: "What buyers can choose. Price changes apply to new checkouts.",
  list: listOffers,
  icon: Tag,
  columns: [
    {
      id: "name",
      name: "Name",
      cell: ({ name, hidden }) => (hidden ? `${name} (hidden)` : name),
      leads: true,
      width: "minmax(0,1.4fr)",
    },
    { id: "id", name: "Id", cell: ({ id }) => <code className="font-mono text-xs">{id}</code> },
    {
      id: "amount",
      name: "Price",
      cell: ({ amount, currency }) => money(amount, currency),
      end: true,
      width: "8rem",
    },
    { id: "days", name: "Duration", cell: offerText, width: "10rem", whole: true },
    stateColumn("state", offerWords, "8rem"),
    whenColumn("created_at", "Created", ({ created_at }) => created_at, { width: "8rem", phone: "time" }),
  ],
  nameOf: ({ name }) => name,
  empty: "No offers yet.",
};

/** The offers, and what owners do with them. */
export function Offers() {
  const currency = useShopCurrency();
  const all = useLevels();
  const levels = levelChoices(all);
  return (
    <Collection
      of={levels ? withLevels(all) : offers}
      make={currency !== null ? [add(currency, levels)] : []}
      operationsOf={(offer) => (currency !== null ? operationsOf(offer, currency, levels) : [])}
    />
  );
}

const withLevels = (all: readonly LevelRow[]): CollectionDefinition<OfferRow> => ({
  ...offers,
  columns: offers.columns.toSpliced(2, 0, {
    id: "level",
    name: "Level",
    cell: ({ level }) => all.find(({ id }) => id === level)?.name ?? level,
    phone: "none",
  }),
});

type LevelChoices = ReturnType<typeof levelChoices>;

const everyChoices = { "": "Once", month: "Every month", year: "Every year" };

const add = (currency: string, levels: LevelChoices): Operation =>
  deskOperation(addOffer, {
    currency,
    name: "New offer",
    icon: PackagePlus,
    consequence: ({ name, amount = "", days = "", every }) => {
      const minor = minorUnits(amount, currency);
      const lasting =
        days === "" ? "with a lifetime license" : `with a license for ${counted(Number(days) || 0, "day")}`;
      return `Puts ${name || "it"} on sale right away${minor === null ? "" : ` for ${money(minor, currency)}`}, ${every ? `billed every ${every} until canceled` : lasting}.`;
    },
    preview: (typed) => <BuyersView typed={typed} currency={currency} />,
    fields: {
      every: { choices: everyChoices },
      devices: { initial: "1" },
      level: levels && { choices: levels, initial: Object.keys(levels)[0] ?? "" },
    },
    done: () => "Offer on sale",
  });

/** An offer as buyers choose it. */
function BuyersView(props: { typed: FieldTexts; currency: string; of?: OfferRow }) {
  const { typed, currency, of } = props;
  const minor = minorUnits(typed["amount"] ?? "", currency);
  const days = typed["days"] ?? (of?.days == null ? "" : String(of.days));
  const every = intervals.find((one) => one === (typed["every"] ?? of?.recurring?.interval)) ?? null;
  const trialDays = typed["trial_days"] ?? String(of?.recurring?.trial_days ?? "");
  return (
    <div className="flex items-center gap-3 text-sm">
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="font-medium wrap-anywhere">{typed["name"] || of?.name || "…"}</span>
        <span className="text-muted-foreground">
          {offerText({
            days: whole(days),
            devices: whole(typed["devices"] ?? "") ?? of?.devices ?? 1,
            recurring: every && { interval: every, trial_days: whole(trialDays) },
          })}
        </span>
      </span>
      <span className="font-semibold tabular-nums">{minor === null ? "…" : money(minor, currency)}</span>
    </div>
  );
}

const whole = (text: string) => (/^\d+$/.test(text) ? Number(text) : null);

function operationsOf(offer: OfferRow, currency: string, levels: LevelChoices): Operation[] {
  const { id, name, amount, days, devices, recurring, level, hidden, state } = offer;
  if (state === "retired" || state === "newer_release") return [];
  // a price of another currency is no beginning for one in the shop's
  const before = state === "other_currency" ? "" : decimalText(amount, currency);
  const change = deskOperation(changeOffer, {
    id,
    currency,
    name: "Change",
    icon: Pencil,
    consequence: () =>
      `Changes ${name} for new buyers${state === "other_currency" ? `, and sells it in ${currency.toUpperCase()}` : ""}. Licenses already sold keep their terms${recurring ? ", and subscriptions keep their price" : ""}.`,
    preview: (typed) => <BuyersView typed={typed} currency={currency} of={offer} />,
    fields: {
      name: { initial: name, ...needed },
      amount: { initial: before, ...needed },
      days: recurring ? null : { initial: days === null ? "" : String(days) },
      trial_days: !recurring ? null : { initial: String(recurring.trial_days ?? "") },
      devices: { initial: String(devices), ...needed },
      level: levels && { choices: { ...levels, [level]: levels[level] ?? level }, initial: level },
      hidden: { initial: hidden ? "on" : "" },
    },
    done: () => `${name} changed`,
  });
  const retire = deskOperation(retireOffer, {
    id,
    name: "Retire",
    icon: Archive,
    grave: true,
    consequence: () =>
      `Stops selling ${name}. Existing licenses keep working${recurring ? ", and subscriptions keep renewing" : ""}.`,
    done: () => `${name} is no longer sold`,
  });
  return [change, retire];
}

/** The form that changes an offer leaves none of these empty. */
const needed = { optional: false } as const;
