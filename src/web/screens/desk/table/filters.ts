import { useMemo } from "react";
import { useSearchParams } from "react-router";
import type { Filters } from "../../../api/desk/lists";

/**
 * What a list can be narrowed by; its value is in the address under its name. `choice`: one of these values;
 * `offer`: any offer, retired ones too; `me`: the member of staff who looks; `day`: a date; `given`: an id that links bring, which can only be taken off.
 */
export type Filter = {
  /** The filter that this one takes the place of: together they would leave nothing. */
  instead?: string;
} & (
  | { name: string; label: string; kind: "choice"; choices: Readonly<Record<string, string>> }
  | { name: string; label: string; kind: "offer" }
  | { name: string; label: string; kind: "me" }
  | { name: string; label: string; kind: "day" }
  | { name: string; label: string; kind: "given" }
);

/**
 * The filters in the address, with what changes them. Changing one adds nothing to the history.
 * @param first those of an address that says nothing; without any filter, it says `all` then
 */
export function useFilters(defined: readonly Filter[], first?: Filters) {
  const [given, setGiven] = useSearchParams();
  const parameters = first && given.size === 0 ? new URLSearchParams(first) : given;
  const setParameters = (next: URLSearchParams) => {
    if (first && next.size === 0) next.set("all", "");
    setGiven(next, { replace: true });
  };
  const text = parameters.toString();
  const filters: Filters = useMemo(() => {
    const all = new URLSearchParams(text);
    return Object.fromEntries(
      defined.flatMap(({ name }) => {
        const value = all.get(name);
        return value ? [[name, value]] : [];
      }),
    );
  }, [text, defined]);
  const set = (name: string, value: string) => {
    const next = new URLSearchParams(parameters);
    const { instead } = defined.find((filter) => filter.name === name) ?? {};
    next.delete("all");
    if (instead) next.delete(instead);
    if (value === "") next.delete(name);
    else next.set(name, value);
    setParameters(next);
  };
  const clear = () => setParameters(new URLSearchParams());
  return { filters, set, clear };
}

/** `status Active, offer premium`, for sentences; empty without any. */
export const filterText = (defined: readonly Filter[], filters: Filters): string =>
  defined
    .filter(({ name }) => filters[name] !== undefined)
    .map((filter) => {
      const value = filters[filter.name] ?? "";
      return `${filter.label.toLowerCase()} ${filter.kind === "choice" ? (filter.choices[value] ?? value) : value}`;
    })
    .join(", ");
