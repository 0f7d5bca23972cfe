import { type ReactNode, useId } from "react";
import type { OfferRow } from "@/contract/wire/desk/offers";
import type { Figures } from "../../../api/desk/figures";
import { Input } from "../../../ui/input";
import { Label } from "../../../ui/label";
import { NativeSelect } from "../../../ui/native-select";
import { offerChoices } from "../parts/offers";
import { type Range, ranges } from "./range";

/** Which days, offer and currency the figures are of. */
export function RangeBar(props: { range: Range; figures: Figures | undefined; offers: readonly OfferRow[] }) {
  const { range, figures, offers } = props;
  const { set } = range;
  const currencies = figures?.currencies ?? [];
  const openOwn = () =>
    set({ range: "own", from: range.from || (figures?.from ?? ""), to: range.to || (figures?.to ?? "") });
  return (
    <fieldset aria-label="Figures shown" className="flex flex-wrap items-end gap-3">
      <Labelled label="Range">
        {(id) => (
          <NativeSelect
            choices={Object.entries(ranges)}
            id={id}
            value={range.name}
            onChange={({ target: { value } }) =>
              value === "own" ? openOwn() : set({ range: value, from: "", to: "" })
            }
          />
        )}
      </Labelled>
      {range.name === "own" &&
        (["from", "to"] as const).map((end) => (
          <Labelled key={end} label={end === "from" ? "From" : "To"}>
            {(id) => (
              <Input
                id={id}
                type="date"
                className="md:h-9"
                value={range[end]}
                onChange={({ target: { value } }) => set({ [end]: value })}
              />
            )}
          </Labelled>
        ))}
      <Labelled label="Offer">
        {(id) => (
          <NativeSelect
            choices={offerChoices(offers)}
            id={id}
            value={range.offer}
            onChange={({ target: { value } }) => set({ offer: value })}
          >
            <option value="">All</option>
            {range.offer !== "" && !offers.some((offer) => offer.id === range.offer) && (
              <option value={range.offer}>{range.offer}</option>
            )}
          </NativeSelect>
        )}
      </Labelled>
      {currencies.length > 1 && (
        <Labelled label="Currency">
          {(id) => (
            <NativeSelect
              choices={currencies.map((currency) => [currency, currency.toUpperCase()])}
              id={id}
              value={figures?.currency}
              onChange={({ target: { value } }) => set({ currency: value })}
            />
          )}
        </Labelled>
      )}
    </fieldset>
  );
}

function Labelled({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className="flex min-w-28 flex-1 flex-col gap-1.5 sm:flex-none">
      <Label htmlFor={id} className="text-xs text-muted-foreground">
        {label}
      </Label>
      {children(id)}
    </div>
  );
}
