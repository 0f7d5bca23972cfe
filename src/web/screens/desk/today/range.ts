import { useSearchParams } from "react-router";
import { isoDay } from "@/contract/vocabulary/dates";
import { day } from "@/contract/vocabulary/time";
import type { FiguresQuery } from "../../../api/desk/figures";
import { dayIn } from "../parts/dates";

export const ranges = {
  "7": "7 days",
  "30": "30 days",
  "90": "90 days",
  month: "This month",
  year: "This year",
  own: "Custom range",
} as const;
export type RangeName = keyof typeof ranges;

/** What Today shows, from the address. */
export function useRange() {
  const [parameters, setParameters] = useSearchParams();
  const value = (name: string) => parameters.get(name) ?? "";
  const wanted = value("range");
  const name: RangeName = Object.hasOwn(ranges, wanted) ? (wanted as RangeName) : "30";
  const set = (changed: Readonly<Record<string, string>>) => {
    const next = new URLSearchParams(parameters);
    for (const [field, text] of Object.entries(changed)) {
      if (text === "") next.delete(field);
      else next.set(field, text);
    }
    setParameters(next, { replace: true });
  };
  return {
    name,
    from: value("from"),
    to: value("to"),
    offer: value("offer"),
    currency: value("currency"),
    measure: value("measure"),
    set,
  };
}

export type Range = ReturnType<typeof useRange>;

/**
 * What to ask the shop for; null until the shop's zone is known, whose today a range ends with.
 * @param zone the shop's zone
 */
export function figuresQueryOf(
  range: Omit<Range, "set">,
  zone: string | undefined,
  now: Date,
): FiguresQuery | null {
  const shared = given({ offer: range.offer, currency: range.currency });
  if (range.name === "own") {
    const ends = given({ from: range.from, to: range.to });
    return ends.from && ends.to ? { ...shared, ...ends, bucket: bucketOf(ends.from, ends.to) } : null;
  }
  // the shop's own default, in its own zone
  if (range.name === "30") return shared;
  if (zone === undefined) return null;
  const to = dayIn(zone, now);
  const from = startOf(range.name, to);
  return { ...shared, from, to, bucket: bucketOf(from, to) };
}

function startOf(name: Exclude<RangeName, "own" | "30">, to: string): string {
  if (name === "month") return `${to.slice(0, 7)}-01`;
  if (name === "year") return `${to.slice(0, 4)}-01-01`;
  return isoDay(new Date(Date.parse(to) - (Number(name) - 1) * day));
}

/** As fine as a chart can show. */
function bucketOf(from: string, to: string): "day" | "week" | "month" {
  const days = (Date.parse(to) - Date.parse(from)) / day + 1;
  if (days <= 100) return "day";
  return days <= 750 ? "week" : "month";
}

const given = <Name extends string>(all: Record<Name, string>) =>
  Object.fromEntries(Object.entries(all).filter(([, text]) => text !== "")) as Partial<Record<Name, string>>;
