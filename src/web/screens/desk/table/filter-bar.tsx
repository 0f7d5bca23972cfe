import { X } from "lucide-react";
import { useId } from "react";
import type { Filters } from "../../../api/desk/lists";
import { Button } from "../../../ui/button";
import { Input } from "../../../ui/input";
import { Label } from "../../../ui/label";
import { NativeSelect } from "../../../ui/native-select";
import { useMe } from "../parts/me";
import { offerChoices, useOffers } from "../parts/offers";
import type { Filter } from "./filters";

/** The filters of a list, as fields; those that only links bring, as chips that can be taken off. */
export function FilterBar(props: {
  id: string;
  defined: readonly Filter[];
  filters: Filters;
  set: (name: string, value: string) => void;
  clear: () => void;
  /** What the values of such chips are called, by their filters. */
  called?: Readonly<Record<string, string | null | undefined>> | undefined;
}) {
  const { id, defined, filters, set, clear, called = {} } = props;
  const isSet = Object.keys(filters).length > 0;
  return (
    <fieldset id={id} aria-label="Filters" className="flex flex-wrap items-end gap-3">
      {defined.map((filter) =>
        filter.kind === "given" ? (
          <Given
            key={filter.name}
            filter={filter}
            value={filters[filter.name]}
            called={called[filter.name] ?? null}
            set={set}
          />
        ) : filter.kind === "offer" ? (
          <OfferChoice key={filter.name} filter={filter} value={filters[filter.name] ?? ""} set={set} />
        ) : filter.kind === "me" ? (
          <MineChoice key={filter.name} filter={filter} value={filters[filter.name] ?? ""} set={set} />
        ) : (
          <Chosen key={filter.name} filter={filter} value={filters[filter.name] ?? ""} set={set} />
        ),
      )}
      {isSet && (
        <Button variant="ghost" size="sm" className="md:min-h-9" onClick={clear}>
          Clear filters
        </Button>
      )}
    </fieldset>
  );
}

type Set = (name: string, value: string) => void;

function OfferChoice(props: { filter: Filter; value: string; set: Set }) {
  const choices = Object.fromEntries(offerChoices(useOffers()));
  return <Chosen {...props} filter={{ ...props.filter, kind: "choice", choices }} />;
}

function MineChoice(props: { filter: Filter; value: string; set: Set }) {
  const { id } = useMe();
  return <Chosen {...props} filter={{ ...props.filter, kind: "choice", choices: { [id]: "Me" } }} />;
}

function Chosen(props: { filter: Extract<Filter, { kind: "choice" | "day" }>; value: string; set: Set }) {
  const { filter, value, set } = props;
  const id = useId();
  return (
    <div className="flex min-w-32 flex-1 flex-col gap-1.5 sm:flex-none">
      <Label htmlFor={id} className="text-xs text-muted-foreground">
        {filter.label}
      </Label>
      {filter.kind === "day" ? (
        <Input
          id={id}
          type="date"
          className="md:h-9"
          value={value}
          onChange={(event) => set(filter.name, event.target.value)}
        />
      ) : (
        <NativeSelect
          choices={Object.entries(filter.choices)}
          id={id}
          value={value}
          onChange={(event) => set(filter.name, event.target.value)}
        >
          <option value="">All</option>
          {/* what the address has and we don't know is shown, so that it can be taken off */}
          {value !== "" && filter.choices[value] === undefined && <option value={value}>{value}</option>}
        </NativeSelect>
      )}
    </div>
  );
}

function Given(props: { filter: Filter; value: string | undefined; called: string | null; set: Set }) {
  const { filter, value, called, set } = props;
  if (value === undefined) return null;
  return (
    <span className="inline-flex h-11 items-center gap-1 rounded-md border bg-secondary/60 pl-3 text-sm md:h-9">
      <span className="text-muted-foreground">{filter.label}</span>
      {called === null ? (
        <span className="max-w-40 truncate font-mono text-xs">{value}</span>
      ) : (
        <span className="max-w-60 truncate font-medium">{called}</span>
      )}
      <button
        type="button"
        aria-label={`Remove the filter ${filter.label}`}
        className="grid size-11 place-content-center rounded-md hover:bg-accent md:size-9"
        onClick={() => set(filter.name, "")}
      >
        <X aria-hidden="true" className="size-4" />
      </button>
    </span>
  );
}
